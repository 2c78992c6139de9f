import { transformSync as swc } from '@swc/core';
import { expect } from 'chai';
import { transformSync as esbuild } from 'esbuild';
import typescript from 'typescript5';
import { type Consumer, consumer } from './support/consumer';

const SOURCE = `
import Bottleneck from 'rebottle';
import { default as Renamed, Group } from 'rebottle';
import * as everything from 'rebottle';
import Light from 'rebottle/light';
export const facts = [
  typeof Bottleneck,
  Renamed === Bottleneck,
  everything.default === Bottleneck,
  Group === Bottleneck.Group,
  everything.Group === Group,
  new Light() instanceof Bottleneck,
];
(async () => {
  const lazy = await import('rebottle');
  console.log(JSON.stringify([...facts, lazy.default === Bottleneck]));
})();
`;

const { CommonJS } = typescript.ModuleKind;
const { ES2022 } = typescript.ScriptTarget;

/** What turns import statements into require, each with helpers of its own. */
const TRANSLATORS: Readonly<Record<string, () => string>> = {
  'TypeScript with esModuleInterop (__importDefault, __importStar)': () =>
    typescript.transpileModule(SOURCE, { compilerOptions: { module: CommonJS, target: ES2022, esModuleInterop: true } })
      .outputText,
  'TypeScript without esModuleInterop': () =>
    typescript.transpileModule(SOURCE, {
      compilerOptions: { module: CommonJS, target: ES2022, esModuleInterop: false },
    }).outputText,
  "swc, with Babel's helpers": () =>
    swc(SOURCE, { module: { type: 'commonjs' }, jsc: { target: 'es2022', parser: { syntax: 'ecmascript' } } }).code,
  "swc, with Babel's helpers, import() too": () =>
    swc(SOURCE, {
      module: { type: 'commonjs', ignoreDynamic: false },
      jsc: { target: 'es5', parser: { syntax: 'ecmascript' } },
    }).code,
  esbuild: () => esbuild(SOURCE, { format: 'cjs', target: 'es2022' }).code,
};

describe('helpers of translators', () => {
  let project: Consumer;
  before(() => {
    project = consumer();
  });
  after(() => project.remove());

  for (const [name, translate] of Object.entries(TRANSLATORS)) {
    it(name, () => {
      const code = translate();
      expect(code).to.contain('require(');
      project.write('translated.js', code);
      const facts = JSON.parse(project.node('translated.js'));
      expect(facts).to.deep.equal(['function', true, true, true, true, true, true]);
    });
  }
});
