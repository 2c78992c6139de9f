import { relative } from 'node:path';
import { expect } from 'chai';
import { check } from '../../lib/cli/check/check';
import { allDifferences, type Difference, differencesAt } from '../../lib/cli/check/differences';
import type { Use } from '../../lib/cli/check/uses';
import { temporaryProjects } from './temporary-project';

describe('rebottle check', () => {
  const projects = temporaryProjects();

  /** Everything found in one file, as `line what name`. */
  function usesIn(name: string, code: string, more: Record<string, string> = {}): string[] {
    const { places, unreadable } = check(projects.write({ ...more, [name]: code }));
    expect(unreadable).to.deep.equal([]);
    return places.filter(({ file }) => file.endsWith(name)).map(({ line, what, name }) => `${line} ${what} ${name}`);
  }

  describe('ways of importing', () => {
    const rows: Array<[way: string, name: string, code: string]> = [
      ['a default import', 'a.ts', `import B from 'bottleneck'; new B({ minTime: 1 });`],
      ['a named default', 'a.mts', `import { default as B } from 'bottleneck'; new B({ minTime: 1 });`],
      ['a namespace', 'a.ts', `import * as B from 'bottleneck'; new B.default({ minTime: 1 });`],
      ['import =', 'a.cts', `import B = require('bottleneck'); new B({ minTime: 1 });`],
      ['require', 'a.js', `const B = require('bottleneck'); new B({ minTime: 1 });`],
      ['require and .default', 'a.cjs', `const B = require('bottleneck').default; new B({ minTime: 1 });`],
      ['destructured require', 'a.js', `const { default: B } = require('bottleneck'); new B({ minTime: 1 });`],
      ['a template as the name', 'a.js', 'const B = require(`bottleneck`); new B({ minTime: 1 });'],
      ['light', 'a.ts', `import B from 'bottleneck/light'; new B({ minTime: 1 });`],
      ['es5', 'a.js', `const B = require('bottleneck/es5.js'); new B({ minTime: 1 });`],
      ['a deep import of the class', 'a.js', `const B = require('bottleneck/lib/index.js'); new B({ minTime: 1 });`],
      ['a dynamic import', 'a.ts', `const { default: B } = await import('bottleneck'); new B({ minTime: 1 });`],
      ['a dynamic import as it is', 'a.ts', `const m = await import('bottleneck'); new m.default({ minTime: 1 });`],
      [
        'what TypeScript compiles to',
        'a.js',
        `const b_1 = __importDefault(require('bottleneck')); new b_1.default({ minTime: 1 });`,
      ],
      [
        'what Babel compiles to',
        'a.js',
        `var _b = _interopRequireDefault(require('bottleneck')); new _b.default({ minTime: 1 });`,
      ],
      ['a lazy variable', 'a.ts', `let B: any; B = require('bottleneck'); new B({ minTime: 1 });`],
      ['JSX', 'a.jsx', `import B from 'bottleneck'; const x = <p>{new B({ minTime: 1 }).id}</p>;`],
      ['TSX', 'a.tsx', `import B from 'bottleneck'; const x = <p>{(new B({ minTime: 1 }) as B).id}</p>;`],
      ['Flow', 'a.js', `// @flow\nimport B from 'bottleneck'; const x: ?B = new B({ minTime: 1 });`],
      ['JSX in a .js file', 'a.js', `import B from 'bottleneck'; const x = <p>{new B({ minTime: 1 }).id}</p>;`],
      [
        'decorators',
        'a.ts',
        `import B from 'bottleneck'; @Injectable() class A { constructor(@Inject('b') b: B) {} } new B({ minTime: 1 });`,
      ],
    ];
    for (const [way, name, code] of rows) {
      it(way, () => {
        const uses = usesIn(name, code).map((use) => use.replace(/^\d+ /, ''));
        expect(uses.some((use) => use.startsWith('import bottleneck'))).to.equal(true);
        expect(uses).to.include.members(['construction Bottleneck', 'option minTime']);
      });
    }

    it('an alias in package.json', () => {
      const manifest = JSON.stringify({ dependencies: { limiter: 'npm:bottleneck@2', other: 'npm:bottleneck-x@2' } });
      const code = `import B from 'limiter'; new B({ minTime: 1 });\nimport C from 'other'; new C({ minTime: 1 });`;
      expect(usesIn('a.ts', code, { 'package.json': manifest })).to.deep.equal([
        '1 import limiter',
        '1 construction Bottleneck',
        '1 option minTime',
      ]);
    });

    it('mentions that are no import of it', () => {
      const code = `import B from 'bottleneck-js'; import C from './bottleneck'; new B({ minTime: 1 }); new C({ minTime: 1 }); // 'bottleneck'`;
      expect(usesIn('a.ts', code)).to.deep.equal([]);
    });

    it('imports that bring nothing in', () => {
      const code = [
        `jest.mock('bottleneck');`,
        `export { default } from 'bottleneck';`,
        `export * from 'bottleneck/light';`,
        `type B = import('bottleneck').default;`,
        `import type C from 'bottleneck';`,
        `require.resolve('bottleneck/package.json');`,
      ];
      expect(usesIn('a.ts', code.join('\n'))).to.deep.equal([
        '1 import bottleneck',
        '2 import bottleneck',
        '3 import bottleneck/light',
        '4 import bottleneck',
        '5 import bottleneck',
        '6 import bottleneck/package.json',
      ]);
    });

    it('files of its insides', () => {
      expect(
        usesIn('a.js', `const States = require('bottleneck/lib/States'); new States({ minTime: 1 });`),
      ).to.deep.equal(['1 internal import bottleneck/lib/States']);
    });
  });

  describe('options', () => {
    const rows: Array<[where: string, code: string, options: string[]]> = [
      ['a literal', `new B({ minTime: 1, 'highWater': 2, ['penalty']: 3 })`, ['minTime', 'highWater', 'penalty']],
      ['a variable', `const o = { minTime: 1 }; new B(o)`, ['minTime']],
      ['a cast', `new B({ minTime: 1 } as const satisfies object)`, ['minTime']],
      ['a spread', `const o = { minTime: 1 }; new B({ ...o, highWater: 2 })`, ['minTime', 'highWater']],
      ['Object.assign', `const o = { minTime: 1 }; new B(Object.assign({ penalty: 3 }, o))`, ['minTime', 'penalty']],
      ['either of two', `new B(x ? { minTime: 1 } : { highWater: 2 })`, ['minTime', 'highWater']],
      ['a property of an object', `const config = { limits: { minTime: 1 } }; new B(config.limits)`, ['minTime']],
      ['a Group', `new B.Group({ timeout: 1 })`, ['timeout']],
      ['a Batcher', `new B.Batcher({ maxTime: 1 })`, ['maxTime']],
      ['settings', `new B().updateSettings({ minTime: 1 })`, ['minTime']],
      ['settings of a Group', `new B.Group().updateSettings({ minTime: 1 })`, ['minTime']],
      ['a job', `new B().schedule({ expiration: 1 }, f)`, ['expiration']],
      ['a job with a callback', `new B().submit({ weight: 1 }, f, cb)`, ['weight']],
      ['a wrapped job', `new B().wrap(f).withOptions({ priority: 1 })`, ['priority']],
      ['stop', `new B().stop({ dropWaitingJobs: false })`, ['dropWaitingJobs']],
      [
        'the constructor of a subclass',
        `class L extends B { constructor(o) { super({ minTime: 1, ...o }) } }`,
        ['minTime'],
      ],
      ['a subclass', `class L extends B {} new L({ minTime: 1 })`, ['minTime']],
      ['a function that is not a limiter', `foo.schedule({ expiration: 1 }, f); new Foo({ minTime: 1 })`, []],
      ['one object for two limiters', `const o = { minTime: 1 }; new B(o); new B(o)`, ['minTime']],
    ];
    for (const [where, code, options] of rows) {
      it(where, () => {
        const uses = usesIn('a.ts', `import B from 'bottleneck'; ${code}`);
        const found = uses.filter((use) => use.includes(' option ')).map((use) => use.replace('1 option ', ''));
        expect(found).to.have.members(options);
      });
    }
  });

  describe('following a limiter', () => {
    const rows: Array<[how: string, code: string]> = [
      ['a variable', `const l = new B(); l.stop()`],
      ['a variable set later', `let l; l = new B(); l.stop()`],
      ['an optional call', `let l: B | undefined; l?.stop()`],
      ['a type', `function f(l: B) { l.stop() }`],
      ['a promise of a type', `async function f(p: Promise<B>) { (await p).stop() }`],
      ['a parameter property', `class S { constructor(private readonly l: B) {} f() { this.l.stop() } }`],
      ['a field', `class S { l = new B(); f() { this.l.stop() } }`],
      ['a private field', `class S { #l = new B(); f() { this.#l.stop() } }`],
      ['a field set in the constructor', `class S { constructor() { this.l = new B() } f() { this.l!.stop() } }`],
      ['an object', `const all = { l: new B() }; all.l.stop()`],
      ['a destructured object', `const all = { l: new B() }; const { l } = all; l.stop()`],
      ['a default value', `function f(l = new B()) { l.stop() }`],
      ['a default value in a pattern', `const { l = new B() } = options; l.stop()`],
      ['a default value in a parameter', `function f({ l = new B() }) { l.stop() }`],
      ['what a function is called with', `function f(x, l) { l.stop() } f(1, new B())`],
      ['a class that a function is called with', `const f = (C) => new C().stop(); f(B)`],
      ['either of two', `const l = given ?? new B(); l.stop()`],
      ['a function', `function make() { return new B() } make().stop()`],
      ['an arrow function', `const make = () => new B(); make().stop()`],
      ['an async function', `async function make(): Promise<B> { return x } (await make()).stop()`],
      ['a method', `class S { make() { return new B() } f() { this.make().stop() } }`],
      ['a Group', `new B.Group().key('a').stop()`],
      ['the type of a Group', `function f(g: B.Group) { g.key('a').stop() }`],
      ['a chain', `new B().chain(x).stop()`],
      ['settings', `(await new B().updateSettings({})).stop()`],
      ['a listener', `new B().on('idle', f).stop()`],
      ['a computed name', `const l = new B(); l['stop']()`],
      ['a method that is passed on', `const l = new B(); f(l.stop.bind(l))`],
      ['a migrating constructor', `const M = migrate(B, R, []); new M().stop()`],
    ];
    for (const [how, code] of rows) {
      it(how, () => {
        expect(usesIn('a.ts', `import B from 'bottleneck';\n${code}`)).to.include('2 method stop');
      });
    }

    it('not a shadow of its name', () => {
      const code = `import B from 'bottleneck'; const l = new B();\nfunction f(l) { l.stop() }\nfunction g(B) { new B().stop() }`;
      expect(usesIn('a.js', code)).to.deep.equal(['1 import bottleneck', '1 construction Bottleneck']);
    });

    it('not in a circle', () => {
      const code = `import B from 'bottleneck'; let a = b; let b = a; a.stop(); function f() { return f() } f().stop();`;
      expect(usesIn('a.js', code)).to.deep.equal(['1 import bottleneck']);
    });

    it('soon, however many ways lead to a definition', () => {
      const chain = Array.from({ length: 60 }, (_, index) => `const x${index + 1} = x${index} || x${index};`);
      const code = `import B from 'bottleneck'; const x0 = unknown; ${chain.join(' ')} x60.stop();`;
      expect(usesIn('a.js', code)).to.deep.equal(['1 import bottleneck']);
    });

    it('names events and private members', () => {
      const code = `import B from 'bottleneck'; const l = new B();\nl.on('error', f);\nl.once('done', f);\nl._queues.queued();\nl.on(x, f)`;
      expect(usesIn('a.js', code).slice(2)).to.deep.equal([
        '2 method on:error',
        '3 method on:done',
        '4 private member _queues',
      ]);
    });
  });

  describe('across files', () => {
    const rows: Array<[how: string, from: string, exporting: string, importing: string]> = [
      ['a named export', 'l.ts', `export const l = new B()`, `import { l } from './l'; l.stop()`],
      ['a default export', 'l.ts', `export default new B()`, `import l from './l.js'; l.stop()`],
      ['a renamed export', 'l.ts', `const x = new B(); export { x as l }`, `import { l as y } from './l'; y.stop()`],
      ['a function', 'l.ts', `export function make() { return new B() }`, `import { make } from './l'; make().stop()`],
      ['a namespace', 'l.ts', `export const l = new B()`, `import * as all from './l'; all.l.stop()`],
      ['a subclass', 'l.ts', `export class L extends B {}`, `import { L } from './l'; new L().stop()`],
      ['an index file', 'l/index.ts', `export const l = new B()`, `import { l } from './l'; l.stop()`],
      ['module.exports', 'l.js', `module.exports = new B()`, `const l = require('./l'); l.stop()`],
      ['exports', 'l.js', `exports.l = new B()`, `const { l } = require('./l'); l.stop()`],
      ['an exported object', 'l.js', `module.exports.l = new B()`, `require('./l').l.stop()`],
    ];
    for (const [how, from, exporting, importing] of rows) {
      it(how, () => {
        const head = from.endsWith('.ts') ? `import B from 'bottleneck';` : `const B = require('bottleneck');`;
        expect(usesIn('user.ts', importing, { [from]: `${head} ${exporting}` })).to.include('1 method stop');
      });
    }

    it('through files that pass it on', () => {
      const more = {
        'src/l.ts': `import B from 'bottleneck'; export const l = new B();`,
        'src/named.ts': `export { l as m } from './l';`,
        'src/star.ts': `export * from './named';`,
      };
      expect(usesIn('src/user.ts', `import { m } from './star'; m.stop();`, more)).to.deep.equal(['1 method stop']);
    });

    it('of files that import each other', () => {
      const more = {
        'b.ts': `export * from './a'; export * from './c';`,
        'c.ts': `export * from './b'; // bottleneck`,
      };
      expect(usesIn('a.ts', `import { x } from './b'; import B from 'bottleneck'; x.stop();`, more)).to.deep.equal([
        '1 import bottleneck',
      ]);
    });
  });

  describe('the files looked at', () => {
    it('are not those that Git ignores, nor dependencies, nor minified ones', () => {
      const code = `import B from 'bottleneck';`;
      const root = projects.write({
        '.gitignore': 'dist/\n/generated.ts\n',
        'packages/a/.gitignore': '*.gen.ts\n!keep.gen.ts',
        'src/a.ts': code,
        'dist/a.js': code,
        'generated.ts': code,
        'src/generated.ts': code,
        'packages/a/x.gen.ts': code,
        'packages/a/keep.gen.ts': code,
        'node_modules/x/index.js': code,
        '.cache/a.js': code,
        'src/a.min.js': code,
        'src/a.txt': code,
      });
      expect(check(root).places.map(({ file }) => relative(root, file))).to.deep.equal([
        'packages/a/keep.gen.ts',
        'src/a.ts',
        'src/generated.ts',
      ]);
    });

    it('that no parser can read are reported, if they name the package', () => {
      const root = projects.write({ 'a.ts': `import B from 'bottleneck'; const = ;`, 'b.ts': `const = ;` });
      const result = check(root);
      expect(result.unreadable.map(({ file }) => relative(root, file))).to.deep.equal(['a.ts']);
      expect(result.unreadable[0]?.reason).to.match(/Unexpected token/);
      expect(result.clean).to.equal(false);
    });
  });

  describe('installed packages', () => {
    const manifest = (name: string, more: object) => JSON.stringify({ name, version: '1.0.0', ...more });

    it('that depend on Bottleneck, in whatever way', () => {
      const root = projects.write({
        'node_modules/a/package.json': manifest('a', { dependencies: { bottleneck: '^2' } }),
        'node_modules/@s/b/package.json': manifest('@s/b', { optionalDependencies: { bottleneck: '2' } }),
        'node_modules/c/package.json': manifest('c', { dependencies: { x: 'npm:bottleneck@2.19.5' } }),
        'node_modules/c/node_modules/d/package.json': manifest('d', { peerDependencies: { bottleneck: '*' } }),
        'node_modules/e/package.json': manifest('e', {
          dependencies: { debug: '2' },
          devDependencies: { bottleneck: '2' },
        }),
        'node_modules/rebottle/package.json': manifest('rebottle', { devDependencies: { bottleneck: '2' } }),
        'node_modules/broken/package.json': '{',
        'packages/w/node_modules/f/package.json': manifest('f', { dependencies: { bottleneck: '^2' } }),
      });
      const { dependents, clean } = check(root);
      expect(dependents.map(({ name, range }) => `${name} ${range}`)).to.deep.equal([
        '@s/b 2',
        'a ^2',
        'c npm:bottleneck@2.19.5',
        'd *',
        'f ^2',
      ]);
      expect(clean).to.equal(false);
    });

    it('once, in a store with links', () => {
      const root = projects.write({
        'node_modules/.pnpm/a@1/node_modules/a/package.json': manifest('a', { dependencies: { bottleneck: '^2' } }),
        'node_modules/.pnpm/a@1/node_modules/bottleneck/package.json': manifest('bottleneck', {}),
      });
      projects.link(root, 'node_modules/a', 'node_modules/.pnpm/a@1/node_modules/a');
      const { dependents } = check(root);
      expect(dependents).to.have.length(1);
      expect(dependents[0]).to.include({ name: 'a', version: '1.0.0', replaced: false });
    });

    it('that get rebottle in its place', () => {
      const root = projects.write({
        'node_modules/a/package.json': manifest('a', { dependencies: { bottleneck: '^2' } }),
        'node_modules/bottleneck/package.json': manifest('rebottle', {}),
      });
      const { dependents, clean } = check(root);
      expect(dependents[0]).to.include({ name: 'a', replaced: true });
      expect(clean).to.equal(true);
    });

    it('are not looked at when that is not wanted', () => {
      const root = projects.write({
        'node_modules/a/package.json': manifest('a', { dependencies: { bottleneck: '^2' } }),
      });
      expect(check(root, { dependencies: false })).to.deep.include({ dependents: [], clean: true });
    });
  });

  describe('differences at a place', () => {
    const entry = (id: string, more: Partial<Difference>): Difference => ({
      id,
      title: '',
      upstream: '',
      ours: '',
      why: '',
      verdict: 'fixed',
      ...more,
    });
    const known = [
      entry('option', { options: ['minTime'] }),
      entry('method', { methods: ['stop'] }),
      entry('any-event', { methods: ['on'] }),
      entry('event', { methods: ['on:error'] }),
      entry('kept', { verdict: 'kept', options: ['minTime'], methods: ['stop'] }),
      entry('everywhere', {}),
    ];
    const rows: Array<[what: Use['what'], name: string, ids: string[]]> = [
      ['option', 'minTime', ['option']],
      ['option', 'stop', []],
      ['method', 'stop', ['method']],
      ['method', 'minTime', []],
      ['method', 'on:error', ['any-event', 'event']],
      ['method', 'on:done', ['any-event']],
      ['construction', 'Bottleneck', []],
      ['import', 'bottleneck', []],
      ['internal import', 'bottleneck/lib/Job', ['deep-imports']],
      ['private member', '_queues', ['private-members']],
    ];
    it('of the real list, an "error" listener meets none that is about other events', () => {
      const ids = differencesAt({ what: 'method', name: 'on:error', line: 1, column: 1 } as Use).map(({ id }) => id);
      expect(ids).to.deep.equal(['throwing-error-listener']);
    });

    for (const [what, name, ids] of rows) {
      it(`${what} ${name}: ${ids.join(', ') || 'none'}`, () => {
        expect(differencesAt({ what, name, line: 1, column: 1 }, known).map(({ id }) => id)).to.deep.equal(ids);
      });
    }

    it('can be ignored once they were read', () => {
      const root = projects.write({ 'a.js': `require('bottleneck/lib/Job');` });
      expect(check(root).clean).to.equal(false);
      expect(check(root, { ignore: ['deep-imports'] }).clean).to.equal(true);
    });

    it('have ids of their own', () => {
      const ids = allDifferences().map(({ id }) => id);
      expect(ids).to.deep.equal([...new Set(ids)]).and.not.empty;
    });
  });
});
