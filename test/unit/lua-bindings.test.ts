/** The scripts of lua/ against what calls them, and against each other. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'luaparse';
import { scripts as sources, unpack } from '../../lib/store/redis/generated/lua';
import { KEY_NAMES } from '../../lib/store/redis/keys';
import { RedisStore } from '../../lib/store/redis/redis-store';
import { type ScriptName, scripts } from '../../lib/store/redis/scripts';
import { StoreDriver, TestTicket, UNLIMITED } from '../store/store-driver';
import { FakeConnection, type ScriptCall } from './redis/fake-connection';

const ROOT = join(__dirname, '../..');
const names = Object.keys(sources) as ScriptName[];

/** Scripts whose keys are not those of a limiter. */
const OTHER_KEYS: Partial<Record<ScriptName, string[]>> = { pools: ['pools'] };

/** How many of the last arguments may be left out. */
const OPTIONAL: Partial<Record<ScriptName, number>> = { read: 2 };

/** What Redis gives to scripts. */
const GIVEN =
  'KEYS ARGV redis cjson cmsgpack bit math string table tonumber tostring ipairs pairs next select unpack type error pcall'.split(
    ' ',
  );

describe('scripts of lua/', () => {
  it('are what was built from the files', () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/build-lua.mjs', '--check'], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    expect({ status, stderr }).to.deep.equal({ status: 0, stderr: '' });
    expect(stdout).to.contain('up to date');
  });

  it('are all bound, and nothing else is', () => {
    const files = readdirSync(join(ROOT, 'lua')).filter((file) => file.endsWith('.lua'));
    expect(files.map((file) => file.slice(0, -'.lua'.length))).to.have.members(names);
    expect(Object.keys(scripts)).to.have.members(names);
  });

  for (const name of names) {
    describe(name, () => {
      const { keys, args, sha } = sources[name];
      const source = unpack(sources[name]);

      it('is bound to its own source, by the SHA that Redis gives it', () => {
        expect(scripts[name]).to.deep.equal({ source, sha });
        expect(sha).to.equal(createHash('sha1').update(source).digest('hex'));
      });

      it('takes the keys of a limiter in the order in which they are sent', () => {
        const sent = OTHER_KEYS[name] ?? KEY_NAMES.map((key) => key.replace(/^rb_/, ''));
        expect(keys).to.deep.equal(sent);
      });

      it('uses every argument that it names', () => {
        const own = readFileSync(join(ROOT, `lua/${name}.lua`), 'utf8');
        const unused = args.filter((arg, i) => arg !== '...' && !own.includes(`ARGV[${i + 1}]`));
        expect(unused).to.deep.equal([]);
      });

      it('uses no name that nobody declared', () => {
        expect(freeNames(source).filter((one) => !GIVEN.includes(one))).to.deep.equal([]);
      });
    });
  }
});

describe('files of lua/', () => {
  const files = luaFiles();

  for (const [file, { text, includes }] of files) {
    it(`${file} uses what it includes`, () => {
      const free = freeNames(text);
      const unused = includes.filter(
        (include) => !declaredNames(files.get(`include/${include}`)!.text).some((one) => free.includes(one)),
      );
      expect(unused).to.deep.equal([]);
    });

    it(`${file} includes what it uses`, () => {
      const declared = [...everythingIncluded(file, files)].flatMap((include) =>
        declaredNames(files.get(include)!.text),
      );
      expect(freeNames(text).filter((one) => !declared.includes(one) && !GIVEN.includes(one))).to.deep.equal([]);
    });
  }

  it('every include is included', () => {
    const wanted = new Set(
      [...files.values()].flatMap(({ includes }) => includes.map((include) => `include/${include}`)),
    );
    expect([...files.keys()].filter((file) => file.startsWith('include/'))).to.have.members([...wanted]);
  });
});

interface LuaFile {
  /** With what is put into it by `@inline`. */
  text: string;
  includes: string[];
}

function luaFiles(): Map<string, LuaFile> {
  const read = (folder: string): Array<[string, string]> =>
    readdirSync(join(ROOT, folder))
      .filter((file) => file.endsWith('.lua'))
      .map((file) => [file.slice(0, -'.lua'.length), readFileSync(join(ROOT, folder, file), 'utf8')]);
  const includes = new Map(read('lua/include'));
  const inlined = new Set<string>();
  const inline = (text: string): string =>
    text.replace(/^ *--- @inline "([^"]+)"$/gm, (_, name: string) => {
      inlined.add(name);
      return inline(includes.get(name)!);
    });
  const file = (text: string): LuaFile => {
    const whole = inline(text);
    return {
      text: whole,
      includes: [...new Set([...whole.matchAll(/^--- @include "([^"]+)"/gm)].map(([, name]) => name!))],
    };
  };
  const scriptFiles = read('lua').map(([name, text]): [string, LuaFile] => [name, file(text)]);
  const includeFiles = [...includes].map(([name, text]): [string, LuaFile] => [`include/${name}`, file(text)]);
  const files = new Map([...scriptFiles, ...includeFiles]);
  for (const name of inlined) files.delete(`include/${name}`);
  return files;
}

function everythingIncluded(file: string, files: Map<string, LuaFile>, found = new Set<string>()): Set<string> {
  for (const include of files.get(file)!.includes.map((name) => `include/${name}`)) {
    if (found.has(include)) continue;
    found.add(include);
    everythingIncluded(include, files, found);
  }
  return found;
}

/** Names that a chunk uses and does not declare. */
function freeNames(text: string): string[] {
  const { globals } = parse(text, { luaVersion: '5.1', scope: true }) as unknown as {
    globals: Array<{ name: string }>;
  };
  return [...new Set(globals.map(({ name }) => name))];
}

/** Names that a chunk declares for those after it. */
function declaredNames(text: string): string[] {
  return parse(text, { luaVersion: '5.1' }).body.flatMap((statement) => {
    if (statement.type === 'LocalStatement') return statement.variables.map(({ name }) => name);
    if (statement.type === 'FunctionDeclaration' && statement.isLocal && statement.identifier?.type === 'Identifier') {
      return [statement.identifier.name];
    }
    return [];
  });
}

describe('calls of scripts', () => {
  let connection: FakeConnection;
  let store: RedisStore;
  let driver: StoreDriver;
  let joined: ScriptCall;

  beforeEach(async () => {
    connection = new FakeConnection();
    const times = { timeout: 9000, heartbeatInterval: 5000, clientTimeout: 10_000 };
    const rest = { clear: true, heartbeatThread: null, release: async () => {} };
    store = new RedisStore({
      id: 'the-id',
      connection: connection.asConnection(),
      settings: UNLIMITED,
      ...times,
      ...rest,
    });
    driver = new StoreDriver(store);
    joined = await connection.next('init');
    joined.answer(['1', []]);
    await store.ready;
  });

  afterEach(async () => {
    const ended = driver.end();
    for (let i = 0; i < 3; i++) await new Promise((resolve) => setImmediate(resolve));
    for (const call of connection.calls) call.answer('0');
    await ended;
  });

  /** The arguments by the names that the header gives them; the rest as a list. */
  function named({ name, args }: ScriptCall): Record<string, unknown> {
    const header = sources[name].args;
    const known = header.filter((arg) => arg !== '...');
    if (known.length === header.length)
      expect(args, name).to.have.length.within(header.length - (OPTIONAL[name] ?? 0), header.length);
    const entries = known.map((arg, i): [string, unknown] => [arg, args[i]]);
    return { ...Object.fromEntries(entries), rest: args.slice(known.length) };
  }

  it('init', () => {
    const { rest, fields, ...args } = named(joined);
    expect(args).to.deep.equal({ client: store.clientId, clear: 1, now: '', version: '2.19.5', lost: 0 });
    expect(rest).to.have.length(fields as number);
    expect(rest).to.include.members([
      'id',
      'the-id',
      'groupTimeout',
      '9000',
      'clientTimeout',
      '10000',
      'maxConcurrent',
      'rb_minTime',
    ]);
  });

  it('advance', async () => {
    const [a, b, c] = [
      new TestTicket('a'),
      new TestTicket('b', { priority: 3, weight: 2 }),
      new TestTicket('c', { expiration: 50 }),
    ];
    void driver.submit(a, new TestTicket('as a'), b, c);
    const first = await connection.next('advance');
    const header = { client: store.clientId, id: 'the-id', exact: 1, now: '' };
    expect(named(first)).to.deep.equal({
      ...header,
      ...{ step: 1, holds: 0, completed: 0, withdrawn: 0, renewed: 0, submitted: 3 },
      rest: ['1+2', '5', '3', '3:2::', '4', '5::50:'],
    });
    first.answer([0, '1', -1, 4, 1, '0', [5, 1, 4, 0, ''], 0, '5', 0]);
    void driver.step({ completed: [a], withdrawn: [b], renewed: [{ ticket: c, expiresIn: 70 }] });
    const second = await connection.next('advance');
    expect(named(second)).to.deep.equal({
      ...header,
      ...{ step: 2, holds: 4, completed: 1, withdrawn: 1, renewed: 1, submitted: 0 },
      rest: ['1', '3', 3, `${store.clientId}:3:2:`, '4', 70],
    });
    second.answer([0, '1', -1, 4, 0, '2', [], 0, '2', 0]);
  });

  it('read', async () => {
    void store.check(2.5);
    const call = await connection.next('read');
    expect(named(call)).to.deep.include({
      client: store.clientId,
      id: 'the-id',
      exact: 1,
      now: '',
      weight: 2.5,
      rest: [],
    });
    call.answer([0, '0', '0', 0, 0, '', 1, '0', '0', '0', '0', '0', [], 0]);
  });

  it('update', async () => {
    void store.incrementReservoir(7);
    const increment = await connection.next('update');
    const header = { client: store.clientId, id: 'the-id', exact: 1, now: '' };
    expect(named(increment)).to.deep.equal({ ...header, increment: '7', fields: 0, rest: [] });
    increment.answer([0, '7']);
    (await connection.next('advance')).answer([0, '1', -1, 0, 0, '0', [], 0, '0', 0]);
    void store.updateSettings({ maxConcurrent: 3, highWater: null });
    const update = await connection.next('update');
    expect(named(update)).to.deep.equal({
      ...header,
      increment: '',
      fields: 4,
      rest: ['maxConcurrent', '3', 'highWater', ''],
    });
    update.answer([0, '7']);
  });

  it('reconcile', async () => {
    const [a, b] = [new TestTicket('a', { weight: 2 }), new TestTicket('b', { priority: 3 })];
    void driver.submit(a, b);
    (await connection.next('advance')).answer([0, '1', -1, 1, 1, '0', [5, 1, 1, 0, '', 1, 2, 1, 0, '77'], 1, '2', 0]);
    await driver.told('started a');
    connection.reconnect();
    const call = await connection.next('reconcile');
    const { lastStart, ...told } = named(call);
    expect(lastStart).to.be.within(0, 5000);
    expect(told).to.deep.equal({
      ...{ client: store.clientId, id: 'the-id', exact: 1, now: '', abandon: '', epoch: '1', lost: 0 },
      ...{ reservoir: '', seen: '', started: 1, queued: 0 },
      rest: ['1', 2, '', ''],
    });
    call.answer([0, '1', 1, []]);
    const second = await connection.next('reconcile');
    expect(named(second)).to.deep.include({
      started: 0,
      queued: 1,
      rest: ['2', 3, '77', '', `${store.clientId}:2`, '', 0],
    });
    second.answer([0, '1', 1, []]);
    (await connection.next('advance')).answer([0, '1', -1, 1, 0, '0', [], 1, '2', 0]);
  });

  it('cancel, reset and tickets', async () => {
    const header = { client: store.clientId, id: 'the-id', exact: 1, now: '' };
    void store.cancelJob('mine');
    const cancel = await connection.next('cancel');
    expect(named(cancel)).to.deep.equal({ ...header, job: 'mine', rest: [] });
    cancel.answer([0, '']);
    (await connection.next('advance')).answer([0, '1', -1, 0, 0, '0', [], 0, '0', 0]);
    void store.reset({ maxConcurrent: 2 });
    const reset = await connection.next('reset');
    expect(named(reset)).to.deep.equal({ ...header, fields: 2, rest: ['maxConcurrent', '2'] });
    reset.answer([0, 0]);
    (await connection.next('advance')).answer([0, '1', -1, 0, 0, '0', [], 0, '0', 0]);
    void store.listJobs('ready', 5, 10);
    const list = await connection.next('tickets');
    expect(named(list)).to.deep.equal({ what: 'ready', offset: 5, limit: 10, rest: [] });
    list.answer([0, []]);
    void store.findJob('mine');
    const find = await connection.next('tickets');
    expect(named(find)).to.deep.include({ what: '=mine' });
    find.answer([0, []]);
  });

  it('leave', async () => {
    const ended = driver.end();
    const call = await connection.next('leave');
    expect(named(call)).to.deep.equal({ client: store.clientId, id: 'the-id', now: '', rest: [] });
    call.answer('0');
    await ended;
  });
});
