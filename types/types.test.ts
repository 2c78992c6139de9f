/**
 * Compiles types/cases against the packed package, as projects of every kind would. A case is a file; a mode is a set of
 * compiler options and a way of reading files (as CommonJS or as ES modules).
 */
import { copyFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Consumer, consumer, ROOT } from '../test/package/support/consumer';

const TYPESCRIPT = { 7: 'typescript', 5: 'typescript5' } as const;

interface Mode {
  readonly name: string;
  readonly typescript: keyof typeof TYPESCRIPT;
  /** How the cases are named: .cts and .mts say what a file is, .ts leaves it to the mode. */
  readonly extension: 'ts' | 'cts' | 'mts';
  readonly options: Readonly<Record<string, unknown>>;
  readonly cases: readonly string[];
}

const BASE = {
  strict: true,
  skipLibCheck: false,
  target: 'es2022',
  // Neither the DOM nor Node's types: the declarations must not need them.
  lib: ['es2022'],
  types: [],
  noEmit: true,
};

const IMPORTS = ['usage', 'imports', 'untyped', 'structure', 'resident'];
const ALL = [...IMPORTS, 'require', 'augment'];
/** A user's own declaration of a module holds in the whole program, so it gets a program of its own. */
const AMBIENT = ['ambient'];

const MODES: readonly Mode[] = [
  {
    name: 'commonjs, node10, esModuleInterop',
    typescript: 5,
    extension: 'ts',
    options: { module: 'commonjs', moduleResolution: 'node10', esModuleInterop: true },
    cases: [...ALL, 'limiter-manager'],
  },
  {
    name: 'commonjs, node10, no esModuleInterop',
    typescript: 5,
    extension: 'ts',
    options: { module: 'commonjs', moduleResolution: 'node10', esModuleInterop: false },
    cases: ALL,
  },
  {
    name: 'node16 as ES modules',
    typescript: 5,
    extension: 'mts',
    options: { module: 'node16' },
    cases: [...IMPORTS, 'require', 'limiter-manager'],
  },
  {
    name: 'bundler',
    typescript: 5,
    extension: 'ts',
    options: { module: 'esnext', moduleResolution: 'bundler' },
    cases: IMPORTS,
  },
  {
    name: 'bundler',
    typescript: 7,
    extension: 'ts',
    options: { module: 'esnext', moduleResolution: 'bundler' },
    cases: IMPORTS,
  },
  { name: 'preserve', typescript: 7, extension: 'ts', options: { module: 'preserve' }, cases: [...IMPORTS, 'require'] },
  {
    name: 'commonjs',
    typescript: 7,
    extension: 'ts',
    options: { module: 'commonjs' },
    cases: [...ALL, 'limiter-manager'],
  },
  { name: 'node16 as CommonJS', typescript: 7, extension: 'cts', options: { module: 'node16' }, cases: ALL },
  { name: 'nodenext as CommonJS', typescript: 7, extension: 'cts', options: { module: 'nodenext' }, cases: ALL },
  {
    name: 'nodenext as ES modules',
    typescript: 7,
    extension: 'mts',
    options: { module: 'nodenext' },
    cases: [...IMPORTS, 'require'],
  },
  {
    name: 'verbatimModuleSyntax as ES modules',
    typescript: 7,
    extension: 'mts',
    options: { module: 'nodenext', verbatimModuleSyntax: true },
    cases: IMPORTS,
  },
  {
    name: 'verbatimModuleSyntax as CommonJS',
    typescript: 7,
    extension: 'cts',
    options: { module: 'nodenext', verbatimModuleSyntax: true },
    cases: ['require', 'augment'],
  },
  {
    name: 'exactOptionalPropertyTypes',
    typescript: 7,
    extension: 'mts',
    options: {
      module: 'nodenext',
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      noImplicitOverride: true,
    },
    cases: IMPORTS,
  },
  {
    name: 'commonjs, node10',
    typescript: 5,
    extension: 'ts',
    options: { module: 'commonjs', moduleResolution: 'node10' },
    cases: AMBIENT,
  },
  {
    name: 'bundler',
    typescript: 7,
    extension: 'ts',
    options: { module: 'esnext', moduleResolution: 'bundler' },
    cases: AMBIENT,
  },
  { name: 'nodenext as CommonJS', typescript: 7, extension: 'cts', options: { module: 'nodenext' }, cases: AMBIENT },
  { name: 'nodenext as ES modules', typescript: 7, extension: 'mts', options: { module: 'nodenext' }, cases: AMBIENT },
  {
    name: "Node's types loaded",
    typescript: 7,
    extension: 'mts',
    options: {
      module: 'nodenext',
      types: ['node'],
      typeRoots: [join(ROOT, 'node_modules/@types')],
      skipLibCheck: true,
    },
    cases: ['signal'],
  },
  {
    name: "the DOM's types loaded",
    typescript: 7,
    extension: 'mts',
    options: { module: 'nodenext', lib: ['es2022', 'dom'] },
    cases: ['signal'],
  },
];

/** Every name the package may be installed under; code and declarations must not know it. */
const INSTALLED_AS = ['rebottle', 'bottleneck'];

describe('types', () => {
  let project: Consumer;
  let folders = 0;

  before(() => {
    project = consumer(INSTALLED_AS);
    mkdirSync(join(project.folder, 'real'));
    copyFileSync(join(ROOT, 'node_modules/bottleneck/bottleneck.d.ts'), join(project.folder, 'real/bottleneck.d.ts'));
  });
  after(() => project.remove());

  /** @returns what the compiler had to say, and the folder where the files were */
  function compile(mode: Omit<Mode, 'name' | 'cases'>, files: Readonly<Record<string, string>>) {
    const folder = `run-${++folders}`;
    for (const [name, text] of Object.entries(files)) project.write(`${folder}/${name}`, text);
    const compilerOptions = { ...BASE, ...mode.options };
    project.write(`${folder}/tsconfig.json`, JSON.stringify({ compilerOptions, include: ['*'] }));
    const { status, output } = project.bin(TYPESCRIPT[mode.typescript], '-p', folder);
    return { folder, status, output };
  }

  const source = (name: string): string => readFileSync(join(ROOT, 'types/cases', name), 'utf8');

  function caseFiles(mode: Mode): Record<string, string> {
    const files: Record<string, string> = {};
    for (const name of mode.cases) files[`${name}.${mode.extension}`] = source(`${name}.ts`);
    if (mode.cases.includes('ambient')) files['users-own.d.ts'] = source('users-own.d.ts');
    return files;
  }

  for (const mode of MODES) {
    it(`TypeScript ${mode.typescript}: ${mode.name}: ${mode.cases.join(', ')}`, () => {
      const { output, status } = compile(mode, caseFiles(mode));
      expect(output).to.equal('');
      expect(status).to.equal(0);
    });
  }

  describe("Bottleneck's own test.ts, unchanged", () => {
    const test = () => readFileSync(join(ROOT, 'node_modules/bottleneck/test.ts'), 'utf8');
    const options = { lib: ['es2022', 'dom'], strict: false, strictNullChecks: true };
    const modes: readonly [string, Omit<Mode, 'name' | 'cases'>][] = [
      [
        'as it is run there',
        { typescript: 5, extension: 'ts', options: { module: 'commonjs', moduleResolution: 'node10', ...options } },
      ],
      [
        'strict, as an ES module',
        { typescript: 7, extension: 'mts', options: { module: 'nodenext', ...options, strict: true } },
      ],
    ];
    for (const [name, mode] of modes) {
      it(name, () => {
        // The file refers to the declarations beside it, which here say nothing: those of the package are what counts.
        const { output } = compile(mode, { [`test.${mode.extension}`]: test(), 'bottleneck.d.ts': '' });
        expect(output).to.equal('');
      });
    }
  });

  it('declarations made of code that uses it compile again', () => {
    const nodenext = {
      module: 'nodenext',
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      outDir: 'out',
    };
    const files = {
      'usage.mts': source('usage.ts'),
      'imports.cts': source('imports.ts'),
    };
    const emitted = compile({ typescript: 7, extension: 'mts', options: nodenext }, files);
    expect(emitted.output).to.equal('');
    const declarations = Object.fromEntries(
      ['usage.d.mts', 'imports.d.cts'].map((name) => [
        name,
        readFileSync(join(project.folder, emitted.folder, 'out', name), 'utf8'),
      ]),
    );
    expect(declarations['usage.d.mts']).to.contain('class Limited extends Bottleneck');
    rmSync(join(project.folder, emitted.folder), { recursive: true });
    expect(compile({ typescript: 7, extension: 'mts', options: { module: 'nodenext' } }, declarations).output).to.equal(
      '',
    );
  });

  it('no public class has a private or protected member', () => {
    expect(source('../bottleneck.d.ts')).not.to.match(/^\s*(private|protected|#)/m);
  });

  it('the cases themselves can fail', () => {
    const broken = source('usage.ts').replace('limiter.schedule(one, 1)', 'limiter.schedule(one, "1")');
    const { output, status } = compile(
      { typescript: 7, extension: 'mts', options: { module: 'nodenext' } },
      { 'usage.mts': broken },
    );
    expect(status).not.to.equal(0);
    expect(output).to.contain('TS2769');
  });
});
