import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { entries, isClass } from '../../scripts/entries.mjs';
import { type Consumer, consumer } from './support/consumer';

/** Names under which the package gets installed: its own, and Bottleneck's through an alias. */
const NAMES = ['rebottle', 'bottleneck'];

const STATICS = [
  'strategy',
  'BottleneckError',
  'Group',
  'RedisConnection',
  'IORedisConnection',
  'Batcher',
  'Events',
  'version',
];

/** Subpath to specifier: './light' to 'rebottle/light'. */
const specifier = (name: string, path: string): string => name + path.slice(1);

describe('entries of the packed package', () => {
  let project: Consumer;
  before(() => {
    project = consumer(NAMES);
  });
  after(() => project.remove());

  /** Runs a script in the project as CommonJS and as an ES module. It prints JSON. */
  const cjs = (code: string) => JSON.parse(project.node('-e', code));
  const esm = (code: string) => JSON.parse(project.node('--input-type=module', '-e', code));

  for (const name of NAMES) {
    const classPaths = entries.filter(isClass).flatMap((entry) => [...entry.paths, ...(entry.untyped ?? [])]);
    const specifiers = JSON.stringify(classPaths.map((path) => specifier(name, path)));

    it(`require gives one class, whatever the path (as "${name}")`, () => {
      const found = cjs(`
        const all = ${specifiers}.map((path) => [path, require(path)]);
        console.log(JSON.stringify(all.map(([path, it]) => [
          path, typeof it, it === all[0][1], it.default === it, '__esModule' in it, new it() instanceof all[0][1],
        ])))`);
      for (const [path, ...facts] of found) {
        expect(facts, path).to.deep.equal(['function', true, true, false, true]);
      }
      expect(found).to.have.length(classPaths.length);
    });

    it(`import gives the class that require gives (as "${name}")`, () => {
      const found = esm(`
        import { createRequire } from 'node:module';
        import Bottleneck, { default as Renamed, Group } from '${name}';
        import * as everything from '${name}';
        const required = createRequire(import.meta.url)('${name}');
        const facts = [];
        for (const path of ${specifiers}) {
          const namespace = await import(path);
          facts.push([path, namespace.default === Bottleneck, namespace.default === required, new required() instanceof namespace.default]);
        }
        facts.push(['static import', Renamed === Bottleneck, everything.default === Bottleneck, Group === Bottleneck.Group]);
        console.log(JSON.stringify(facts));`);
      for (const [path, ...facts] of found) expect(facts, path).to.deep.equal([true, true, true]);
    });

    it(`named exports are the statics (as "${name}")`, () => {
      const found = esm(`
        import * as everything from '${name}';
        const { default: Bottleneck, ...named } = everything;
        console.log(JSON.stringify({
          names: Object.keys(named),
          different: Object.keys(named).filter((name) => named[name] !== Bottleneck[name]),
          undefined: Object.keys(named).filter((name) => named[name] === undefined),
          missing: Object.keys(Bottleneck).filter((name) => name !== 'default' && !(name in named)),
        }));`);
      expect(found.names).to.include.members([...STATICS, 'Status']);
      expect(found).to.deep.include({ different: [], undefined: [], missing: [] });
    });
  }

  it('the other entries give the same names to require and to import', () => {
    for (const entry of entries.filter((candidate) => !isClass(candidate))) {
      if (entry.peer) project.link(entry.peer);
      for (const path of entry.paths) {
        const names = esm(`
          import { createRequire } from 'node:module';
          const required = createRequire(import.meta.url)('${specifier('rebottle', path)}');
          const imported = await import('${specifier('rebottle', path)}');
          console.log(JSON.stringify(Object.keys(required).map((name) => [name, required[name] === imported[name]])));`);
        expect(names, path).not.to.deep.equal([]);
        for (const [name, same] of names) expect(same, `${path}: ${name}`).to.equal(true);
      }
    }
  });

  it('an entry that needs a peer says so when it is missing, and is optional', () => {
    const bare = consumer(['rebottle']);
    try {
      const { peerDependencies, peerDependenciesMeta } = JSON.parse(
        readFileSync(join(bare.folder, 'node_modules/rebottle/package.json'), 'utf8'),
      );
      for (const { peer, paths } of entries.filter(({ peer }) => peer !== undefined)) {
        expect(peerDependencies).to.have.property(peer!);
        expect(peerDependenciesMeta[peer!]).to.deep.equal({ optional: true });
        const load = () => bare.node('-e', `require('${specifier('rebottle', paths[0]!)}')`);
        expect(load).to.throw(`Cannot find module '${peer}'`);
      }
    } finally {
      bare.remove();
    }
  });

  it('package.json can be read', () => {
    const { version } = cjs(`console.log(JSON.stringify(require('rebottle/package.json')))`);
    expect(version).to.equal(cjs(`console.log(JSON.stringify(require('rebottle').version))`));
    expect(version).to.equal(
      JSON.parse(readFileSync(join(project.folder, 'node_modules/rebottle/package.json'), 'utf8')).version,
    );
  });

  it('inner files of Bottleneck that are not the class do not resolve', () => {
    for (const path of ['lib/Job.js', 'lib/States.js', 'dist/index.js']) {
      expect(() => project.node('-e', `require('rebottle/${path}')`)).to.throw('ERR_PACKAGE_PATH_NOT_EXPORTED');
    }
  });

  it('loads no Redis library, whatever is made of it', () => {
    const loaded = cjs(`
      const Bottleneck = require('rebottle');
      new Bottleneck(); new Bottleneck.Group(); new Bottleneck.Batcher();
      console.log(JSON.stringify(Object.keys(require.cache)));`);
    for (const file of loaded) expect(file).to.contain('/node_modules/rebottle/dist/');
  });

  it('light loads no Redis code, and runs jobs', () => {
    const { loaded, result } = cjs(`
      const Bottleneck = require('rebottle/light');
      new Bottleneck({ maxConcurrent: 1 }).schedule(async (n) => n + 1, 1).then((result) =>
        console.log(JSON.stringify({ result, loaded: Object.keys(require.cache) })));`);
    expect(result).to.equal(2);
    expect(loaded).to.have.length.of.at.least(2);
    for (const file of loaded) expect(readFileSync(file, 'utf8'), file).not.to.match(/redis\.call|evalsha/i);
  });

  it('needs no eval', () => {
    const run = `
      require('rebottle/migrate');
      new (require('rebottle'))().schedule(async () => 'done').then((text) => console.log(text));`;
    expect(project.node('--disallow-code-generation-from-strings', '-e', run)).to.equal('done');
  });
});
