import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import commonjs from '@rollup/plugin-commonjs';
import json from '@rollup/plugin-json';
import nodeResolve from '@rollup/plugin-node-resolve';
import { transform } from '@swc/core';
import esbuild, { minify } from 'rollup-plugin-esbuild';
import { commands, entries, scripts, threads } from './scripts/entries.mjs';
import { constEnums } from './scripts/rollup-const-enums.mjs';
import { licenses } from './scripts/rollup-licenses.mjs';

/** Where dist/ is made, see scripts/build.mjs. */
const folder = process.env.BUILD_FOLDER ?? '.';
const { version, license } = JSON.parse(readFileSync('package.json', 'utf8'));
const banner = `/*! rebottle ${version} | ${license} */`;

/** The declarations of these plugins describe their CommonJS build. @param {any} plugin */
const untyped = (plugin) => plugin;

/** @param {string} target */
const typescript = (target) => [
  constEnums('lib'),
  esbuild({ target, tsconfig: 'tsconfig.json', loaders: { '.json': 'json' } }),
];

/** What a package brings is never bundled; sources are relative, or absolute once they are resolved. @param {string} id */
const isPackage = (id) => isBuiltin(id) || !/^[./]|^[A-Za-z]:[\\/]/.test(id);

/** @type {NonNullable<import('rollup').RollupOptions['onwarn']>} */
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
  input: Object.fromEntries([...entries, ...threads].map(({ name, source }) => [name, source])),
  output: {
    dir: `${folder}/dist`,
    format: 'cjs',
    exports: 'auto',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name].js',
    banner,
  },
  external: isPackage,
  plugins: [typescript('node20')],
  onwarn: noWarnings,
};

/**
 * Packages that a command uses are bundled into it, a Redis client too: the package has no dependencies, and a command
 * has to run where nothing else is installed.
 * @param {import('./scripts/entries.mjs').Command} command
 * @returns {import('rollup').RollupOptions}
 */
const command = ({ name, source }) => ({
  input: source,
  output: {
    file: `${folder}/dist/bin/${name}.js`,
    format: 'cjs',
    inlineDynamicImports: true,
    banner: `#!/usr/bin/env node\n${banner}`,
  },
  external: isBuiltin,
  plugins: [
    untyped(nodeResolve)({ exportConditions: ['node'], preferBuiltins: true }),
    untyped(json)(),
    untyped(commonjs)(),
    typescript('node20'),
    // Most of it is a parser.
    minify({ target: 'node20' }),
    licenses(`${name}.licenses.txt`),
  ],
  onwarn(warning, log) {
    // What packages do among themselves is not ours to change.
    const ids = warning.ids ?? (warning.id ? [warning.id] : []);
    if (ids.length === 0 || !ids.every((id) => id.includes('/node_modules/'))) noWarnings(warning, log);
  },
});

/** @param {import('./scripts/entries.mjs').Script} script */
const browser = ({ source, file, format, es5 }) => ({
  input: source,
  output: {
    file: `${folder}/${file}`,
    format,
    name: 'Bottleneck',
    exports: 'default',
    banner,
    plugins: es5 ? [toEs5()] : [],
  },
  // Nothing is external here: an import of a package or of a module of Node fails the build.
  plugins: [typescript('es2020')],
  onwarn: noWarnings,
});

export default [node, ...scripts.map(browser), ...commands.map(command)];
