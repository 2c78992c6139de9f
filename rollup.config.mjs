import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { transform } from '@swc/core';
import esbuild from 'rollup-plugin-esbuild';
import { commands, entries, scripts } from './scripts/entries.mjs';

const { version, license } = JSON.parse(readFileSync('package.json', 'utf8'));
const banner = `/*! rebottle ${version} | ${license} */`;

/** @param {string} target */
const typescript = (target) => esbuild({ target, tsconfig: 'tsconfig.json', loaders: { '.json': 'json' } });

/** What a package brings is never bundled; sources are relative, or absolute once they are resolved. @param {string} id */
const isPackage = (id) => isBuiltin(id) || !/^[./]|^[A-Za-z]:[\\/]/.test(id);

/** @type {import('rollup').RollupOptions['onwarn']} */
const noWarnings = (warning) => {
  throw new Error(`rollup: ${warning.message}`);
};

const toEs5 = () => ({
  name: 'es5',
  /** @param {string} code */
  renderChunk: (code) =>
    transform(code, { sourceMaps: false, isModule: false, jsc: { target: 'es5', parser: { syntax: 'ecmascript' } } }),
});

/** Chunks hold what entries share, so that there is one class however many entries a program loads. */
const node = {
  input: Object.fromEntries([
    ...entries.map(({ name, source }) => [name, source]),
    ...commands.map(({ name, source }) => [`bin/${name}`, source]),
  ]),
  output: {
    dir: 'dist',
    format: 'cjs',
    exports: 'auto',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name].js',
    /** @param {{ facadeModuleId: string | null, name: string }} chunk */
    banner: (chunk) => (chunk.name.startsWith('bin/') ? `#!/usr/bin/env node\n${banner}` : banner),
  },
  external: isPackage,
  plugins: [typescript('node20')],
  onwarn: noWarnings,
};

/** @param {import('./scripts/entries.mjs').Script} script */
const browser = ({ source, file, format, es5 }) => ({
  input: source,
  output: { file, format, name: 'Bottleneck', exports: 'default', banner, plugins: es5 ? [toEs5()] : [] },
  // Nothing is external here: an import of a package or of a module of Node fails the build.
  plugins: [typescript('es2020')],
  onwarn: noWarnings,
});

export default [node, ...scripts.map(browser)];
