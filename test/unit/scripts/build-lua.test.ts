import { expect } from 'chai';
import { transformSync } from 'esbuild';
import fc from 'fast-check';
import {
  buildScript,
  expandIncludes,
  packLines,
  parseHeader,
  renderModule,
  stripLua,
} from '../../../scripts/lua-source.mjs';

const HEADER = '-- Does a thing.\n-- KEYS: settings queue\n-- ARGV: now client\n';

describe('scripts/lua-source.mjs', () => {
  describe('includes', () => {
    const includes = new Map([
      ['base', 'local base = {}'],
      ['left', '--- @include "base"\nlocal left = base'],
      ['right', '--- @include "base"\nlocal right = base'],
      ['loop', '--- @include "pool"'],
      ['pool', '--- @include "loop"'],
    ]);

    it('puts a shared dependency once, before those that need it', () => {
      const text = expandIncludes('s', '--- @include "left"\n--- @include "right"\nreturn left + right', includes);
      expect(text.split('\n').filter(Boolean)).to.deep.equal([
        ...['local base, left, right', 'return (function()'],
        ...['do', 'base = {}', 'end'],
        ...['do', 'left = base', 'end'],
        ...['do', 'right = base', 'end'],
        ...['return left + right', 'end)()'],
      ]);
    });

    it('lets the function around hold no more variables than Lua allows', () => {
      const name = (index: number): string =>
        `v${String.fromCharCode(97 + (index % 26))}${index < 26 ? '' : index < 52 ? 'x' : 'y'}`;
      const names = Array.from({ length: 70 }, (_, index) => name(index));
      const include = names.map((one, index) => `local ${one} = ${index}`).join('\n');
      const body = `${names.slice(10).join(' = 0 ')} = 0`;
      const files = new Map([['one', `${include}\nlocal function all()\n  ${body}\nend`]]);
      const text = expandIncludes('s', `--- @include "one"\nreturn all(${names.join(', ')})`, files);
      const [held, opened, others] = text.split('\n').filter(Boolean);
      expect(held?.split(', ')).to.have.length(60);
      expect(opened).to.equal('return (function()');
      expect(others?.split(', ')).to.have.length(11);
    });

    it('keeps what only an include uses inside of it', () => {
      const include =
        'local hidden = {}\nlocal function helper() return hidden end\nlocal function shown()\n  return helper()\nend';
      const text = expandIncludes('s', '--- @include "one"\nreturn shown()', new Map([['one', include]]));
      expect(text.split('\n').filter(Boolean)).to.deep.equal([
        ...[
          'local shown',
          'return (function()',
          'do',
          'local hidden = {}',
          'local function helper() return hidden end',
        ],
        ...['function shown()', '  return helper()', 'end', 'end', 'return shown()', 'end)()'],
      ]);
    });

    it('writes constants and keys out where they are used', () => {
      const include = "local settings_key = KEYS[1]\nlocal LOW, HIGH = 1, 'x'\nlocal text = 'LOW'";
      const text = expandIncludes(
        's',
        '--- @include "one"\nreturn f(settings_key, LOW, r.LOW, HIGH, text)',
        new Map([['one', include]]),
      );
      expect(text.split('\n').filter(Boolean)).to.deep.equal([
        ...['local text', 'return (function()', 'do', "text = 'LOW'", 'end'],
        ...["return f(KEYS[1], 1, r.LOW, 'x', text)", 'end)()'],
      ]);
    });

    it('puts what is asked for inline in that place', () => {
      const files = new Map([
        ['outer', 'local function outer()\n  --- @inline "inner"\n  return inner\nend'],
        ['inner', 'local inner = 1\n\nlocal other = 2'],
      ]);
      const text = expandIncludes('s', '--- @include "outer"\nreturn outer()', files);
      expect(text.split('\n').filter(Boolean)).to.deep.equal([
        ...[
          'local outer',
          'return (function()',
          'do',
          'function outer()',
          '  local inner = 1',
          '  local other = 2',
          '  return inner',
          'end',
          'end',
        ],
        'return outer()',
        'end)()',
      ]);
      const missing = new Map([['outer', '  --- @inline "none"']]);
      expect(() => expandIncludes('s', '--- @include "outer"', missing)).to.throw('no such file to put inline: none');
    });

    it('refuses a missing include, a cycle and a malformed directive', () => {
      expect(() => expandIncludes('s', 'x\n--- @include "none"', includes)).to.throw('s:2: no such include: none');
      expect(() => expandIncludes('s', '--- @include "loop"', includes)).to.throw(
        'include cycle: loop -> pool -> loop',
      );
      expect(() => expandIncludes('s', '  --- @include "base"', includes)).to.throw('s:1: expected');
      expect(() => expandIncludes('s', '-- @include base', includes)).to.throw('s:1: expected');
    });
  });

  describe('header', () => {
    it('names keys and arguments, also over several lines', () => {
      expect(parseHeader('s', HEADER)).to.deep.equal({ keys: ['settings', 'queue'], args: ['now', 'client'] });
      const long = '-- KEYS:\n-- ARGV: a, b\n-- ARGV: c ...\nlocal x';
      expect(parseHeader('s', long)).to.deep.equal({ keys: [], args: ['a', 'b', 'c', '...'] });
    });

    it('refuses a missing line, a bad name and a repeated one', () => {
      expect(() => parseHeader('s', '-- KEYS: a\nlocal x\n-- ARGV: b')).to.throw('no line "-- ARGV');
      expect(() => parseHeader('s', '-- KEYS: a b[1]\n-- ARGV:')).to.throw('got "b[1]"');
      expect(() => parseHeader('s', '-- KEYS: a a\n-- ARGV:')).to.throw('"a" is named twice');
      expect(() => parseHeader('s', '-- KEYS: ... a\n-- ARGV:')).to.throw('must be the last');
    });

    it('refuses an index beyond the named ones', () => {
      expect(() => buildScript('s', `${HEADER}return KEYS[3]`, new Map())).to.throw('uses KEYS[3]');
      expect(buildScript('s', `${HEADER}return KEYS[2]`, new Map()).source).to.equal('return KEYS[2]\n');
    });
  });

  describe('stripping', () => {
    const cases: [reason: string, lua: string, stripped: string][] = [
      [
        'line comments, indentation and blank lines go',
        'local a = 1 -- one\n\n  -- two\n  return a\n',
        'local a = 1\nreturn a\n',
      ],
      ['block comments go', 'a = 1 --[[ x\ny ]] b = 2\n--[==[ ]] ]==]\n', 'a = 1   b = 2\n'],
      ['dashes in strings stay', `a = '--x' b = "--[[y" c = 'it\\'s --'`, `a = '--x' b = "--[[y" c = 'it\\'s --'\n`],
      ['long strings keep blank lines and indentation', 'a = [[\n\n  -- x\n]]', 'a = [[\n\n  -- x\n]]\n'],
      ['levels of long strings are told apart', 'a = [==[ ]] -- ]==] -- c', 'a = [==[ ]] -- ]==]\n'],
      ['indexing is not a long string', 'a = b[c[1]] - 1 -- d', 'a = b[c[1]] - 1\n'],
      ['subtraction of a negative stays', 'a = 1 - -1', 'a = 1 - -1\n'],
    ];
    for (const [reason, lua, stripped] of cases) {
      it(reason, () => expect(stripLua(lua)).to.equal(stripped));
    }

    it('refuses unfinished strings', () => {
      expect(() => stripLua('a = "x\n')).to.throw('unfinished string');
      expect(() => stripLua('a = [[x')).to.throw('unfinished long string');
    });
  });

  it('gives the SHA1 that Redis knows the script by', () => {
    const { source, sha } = buildScript('s', '-- KEYS:\n-- ARGV:\nreturn 1', new Map());
    expect([source, sha]).to.deep.equal(['return 1\n', '48df9b519ca145c867b895f740b37bd891e887af']);
  });

  it('renders a module whose strings survive TypeScript', async () => {
    const source = 'a = "\\n`${b}\\\\"\n';
    const text = renderModule(new Map([['free', { source, sha: 'abc', keys: ['a'], args: [] }]]));
    const { unpack, scripts } = evaluate(text);
    expect(unpack(scripts.free)).to.equal(source);
    expect(scripts.free).to.deep.include({ sha: 'abc', keys: ['a'], args: [] });
  });

  describe('packing', () => {
    const unpacked = ({ lines, runs }: ReturnType<typeof packLines>) =>
      runs.map((list) => list.flatMap(([first, count]) => lines.slice(first, first + count)).join('\n'));

    it('gives every script back as it was', () => {
      const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 30 }).map((lines) => lines.join('\n'));
      const sources = fc.array(text, { minLength: 1, maxLength: 4 });
      fc.assert(
        fc.property(sources, (list) => {
          expect(unpacked(packLines(list))).to.deep.equal(list);
        }),
      );
    });

    it('holds what scripts share once', () => {
      const shared = ['a', 'b', 'c', 'd', 'e'];
      const { lines, runs } = packLines([['x', ...shared, 'y'].join('\n'), ['z', ...shared].join('\n')]);
      expect(lines).to.deep.equal(['x', ...shared, 'y', 'z']);
      expect(runs).to.deep.equal([
        [[0, 7]],
        [
          [7, 1],
          [1, 5],
        ],
      ]);
    });
  });
});

/** Runs the text of a generated module. */
function evaluate(text: string) {
  const module = { exports: {} as typeof import('../../../lib/store/redis/generated/lua') };
  const { code } = transformSync(text, { loader: 'ts', format: 'cjs' });
  new Function('module', code)(module);
  return module.exports as unknown as {
    unpack(script: unknown): string;
    scripts: Record<string, { sha: string; keys: string[]; args: string[] }>;
  };
}
