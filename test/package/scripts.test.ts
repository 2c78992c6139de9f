import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { parse } from 'acorn';
import { expect } from 'chai';
import { type Consumer, consumer } from './support/consumer';

describe('files for script tags', () => {
  let project: Consumer;
  before(() => {
    project = consumer();
  });
  after(() => project.remove());

  const file = (name: string): string => join(project.folder, 'node_modules/rebottle', name);
  const text = (name: string): string => readFileSync(file(name), 'utf8');

  /** Loads a file as a plain script: no module, no exports, no require, no process. */
  function loadAsScript(name: string) {
    const context = createContext(
      { setTimeout, clearTimeout, setInterval, clearInterval, queueMicrotask, console },
      { codeGeneration: { strings: false, wasm: false } },
    );
    runInContext(text(name), context);
    return (expression: string): unknown => runInContext(expression, context);
  }

  for (const name of ['light.js', 'es5.js']) {
    it(`${name} sets a global Bottleneck, and jobs run`, async () => {
      const run = loadAsScript(name);
      expect(run('typeof Bottleneck')).to.equal('function');
      expect(run('Bottleneck.default === Bottleneck')).to.equal(true);
      const result = run(`
        var limiter = new Bottleneck({ maxConcurrent: 1, minTime: 1 });
        var group = new Bottleneck.Group({ maxConcurrent: 1 });
        Promise.all([
          limiter.schedule(function (n) { return Promise.resolve(n + 1); }, 1),
          group.key('a').schedule(function () { return Promise.resolve('b'); }),
          limiter.schedule({ priority: 1 }, function () { return Promise.reject(new Error('c')); })
            .then(null, function (error) { return error.message; }),
        ]).then(function (all) { return group.deleteKey('a').then(function () { return all.join(); }); });`);
      expect(await result).to.equal('2,b,c');
      expect(run('new Bottleneck.BottleneckError("text") instanceof Error')).to.equal(true);
      expect(run('String(new Bottleneck.BottleneckError("text"))')).to.equal('Error: text');
    });

    it(`${name} is a CommonJS module too, for resolvers without exports maps`, () => {
      const path = JSON.stringify(file(name));
      expect(project.node('-e', `const B = require(${path}); console.log(typeof B, B.default === B)`)).to.equal(
        'function true',
      );
    });
  }

  it('es5.js is written in ES5', () => {
    parse(text('es5.js'), { ecmaVersion: 5, sourceType: 'script' });
    expect(() => parse(text('light.js'), { ecmaVersion: 5, sourceType: 'script' })).to.throw(SyntaxError);
  });

  it('light.js has no Redis code in it', () => {
    expect(text('light.js')).not.to.match(/redis\.call|evalsha/i);
  });

  it('dist/light.browser.mjs is a module without imports', async () => {
    const url = pathToFileURL(file('dist/light.browser.mjs')).href;
    const run = `import(${JSON.stringify(url)}).then(({ default: B }) => new B().schedule(async () => 'ran')).then(console.log)`;
    expect(project.node('--input-type=module', '-e', run)).to.equal('ran');
    const { body } = parse(text('dist/light.browser.mjs'), { ecmaVersion: 2022, sourceType: 'module' });
    expect(body.filter(({ type }) => type === 'ImportDeclaration')).to.deep.equal([]);
  });
});
