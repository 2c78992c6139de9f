import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import commonjs from '@rollup/plugin-commonjs';
import nodeResolve from '@rollup/plugin-node-resolve';
import { expect } from 'chai';
import * as esbuild from 'esbuild';
import { rollup } from 'rollup';
import { build as vite } from 'vite';
import webpack from 'webpack';
import { type Consumer, consumer } from './support/consumer';

/** Imports every way at once: whatever a bundler makes of it, there must be one class. */
const ROOT_ENTRY = `
import Bottleneck, { Group } from 'rebottle';
import Light from 'rebottle/light';
import Es5 from 'rebottle/es5';
import { required, requiredLight } from './required.cjs';
const all = [Bottleneck, Light, Es5, required, requiredLight];
globalThis.report = new Bottleneck({ maxConcurrent: 1 })
  .schedule(async (n) => n + 1, 1)
  .then((ran) => JSON.stringify({ ran, classes: new Set(all).size, group: new Group().key('a') instanceof required }));
`;

const REQUIRED = `
exports.required = require('rebottle');
exports.requiredLight = require('rebottle/light');
`;

const LIGHT_ENTRY = `
import Bottleneck from 'rebottle/light';
globalThis.report = new Bottleneck({ minTime: 1 }).schedule(async () => 'ran');
`;

interface Bundle {
  code: string;
  warnings: string[];
}

type Bundler = (folder: string, entry: string) => Promise<Bundle>;

const BUNDLERS: Readonly<Record<string, Bundler>> = {
  async esbuild(folder, entry) {
    const { outputFiles, warnings } = await esbuild.build({
      entryPoints: [join(folder, entry)],
      absWorkingDir: folder,
      bundle: true,
      platform: 'browser',
      format: 'iife',
      write: false,
      logLevel: 'silent',
    });
    return { code: outputFiles[0]?.text ?? '', warnings: warnings.map(({ text }) => text) };
  },

  async rollup(folder, entry) {
    const warnings: string[] = [];
    const bundle = await rollup({
      input: join(folder, entry),
      plugins: [nodeResolve({ browser: true }), commonjs()],
      onwarn: ({ message }) => void warnings.push(message),
    });
    const { output } = await bundle.generate({ format: 'iife', name: 'app' });
    await bundle.close();
    return { code: output[0].code, warnings };
  },

  async webpack(folder, entry) {
    const compiler = webpack({
      mode: 'production',
      target: 'web',
      context: folder,
      entry: join(folder, entry),
      output: { path: join(folder, 'webpack'), filename: `${entry}.js` },
      performance: { hints: false },
      optimization: { minimize: false },
    });
    if (!compiler) throw new Error('webpack made no compiler');
    const stats = await new Promise<webpack.Stats>((resolve, reject) =>
      compiler.run((error, result) => {
        const failure = error ?? (result ? undefined : new Error('webpack gave no result'));
        compiler.close(() => (failure ? reject(failure) : resolve(result as webpack.Stats)));
      }),
    );
    const { errors = [], warnings = [] } = stats.toJson({ errors: true, warnings: true });
    return {
      code: readFileSync(join(folder, 'webpack', `${entry}.js`), 'utf8'),
      warnings: [...errors, ...warnings].map(({ message }) => message),
    };
  },

  async vite(folder, entry) {
    const warnings: string[] = [];
    const result = await vite({
      root: folder,
      configFile: false,
      logLevel: 'silent',
      build: {
        write: false,
        minify: false,
        // Mixed modules are vite's to translate only when it is told so; see its documentation on dependencies.
        commonjsOptions: { include: [/\.cjs$/, /node_modules/], transformMixedEsModules: true },
        rollupOptions: { onwarn: ({ message }) => void warnings.push(message) },
        lib: { entry: join(folder, entry), formats: ['iife'], name: 'app', fileName: 'app' },
      },
    });
    const [output] = Array.isArray(result) ? result : [result];
    if (!output || !('output' in output)) throw new Error('vite gave no output');
    return { code: output.output[0].code, warnings };
  },
};

/** Runs a bundle as a page does, with no `require`, `module` or `process`, and under a policy that forbids eval. */
async function run(code: string): Promise<unknown> {
  const context = createContext(
    { setTimeout, clearTimeout, setInterval, clearInterval, queueMicrotask, console },
    { codeGeneration: { strings: false, wasm: false } },
  );
  runInContext(code, context);
  return runInContext('globalThis.report', context);
}

describe('bundlers', () => {
  let project: Consumer;
  before(() => {
    project = consumer();
    // Libraries that are there to be pulled in by mistake.
    for (const name of ['ioredis', 'redis']) {
      mkdirSync(join(project.folder, 'node_modules', name), { recursive: true });
      project.write(`node_modules/${name}/package.json`, JSON.stringify({ name, version: '9.9.9', main: 'index.js' }));
      project.write(`node_modules/${name}/index.js`, `module.exports = 'a Redis client was bundled';`);
    }
    project.write('root.mjs', ROOT_ENTRY);
    project.write('required.cjs', REQUIRED);
    project.write('light.mjs', LIGHT_ENTRY);
  });
  after(() => project.remove());

  for (const [name, bundle] of Object.entries(BUNDLERS)) {
    it(`${name}: one class, no warning, no Redis client`, async () => {
      const { code, warnings } = await bundle(project.folder, 'root.mjs');
      expect(warnings).to.deep.equal([]);
      expect(code).not.to.contain('a Redis client was bundled');
      expect(JSON.parse((await run(code)) as string)).to.deep.equal({ ran: 2, classes: 1, group: true });
    });

    it(`${name}: light alone has no Redis code in it`, async () => {
      const { code, warnings } = await bundle(project.folder, 'light.mjs');
      expect(warnings).to.deep.equal([]);
      expect(code).not.to.match(/redis\.call|evalsha/i);
      expect(await run(code)).to.equal('ran');
    });
  }
});
