import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { useRedis } from '../support/redis-fixture';
import { codeBlocks, type Program, programs } from './code-blocks';

const ROOT = join(__dirname, '../..');
/** Below the repository, so that the package finds itself by its name. */
const FOLDER = '.tmp/docs-blocks';
const run = promisify(execFile);

const PAGES = [
  ...['README.md', 'MIGRATION.md', 'CONTRIBUTING.md', 'examples/README.md'],
  ...readdirSync(join(ROOT, 'docs'))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
];

/** Languages of blocks that are not run. `text` and none at all are for pictures. */
const CHECKED_OTHERWISE = ['json', 'sh', 'diff', 'text', ''];

const SCRIPTS: Record<string, string> = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts;

describe('code blocks of the documentation', function () {
  this.timeout(30_000);
  const redis = useRedis();

  before(() => mkdirSync(join(ROOT, FOLDER), { recursive: true }));
  after(() => rmSync(join(ROOT, FOLDER), { recursive: true, force: true }));

  function write(page: string, { code, line, extension }: Program, port: number): string {
    const file = `${FOLDER}/${page.replace(/\W/g, '-')}-${line}.${extension}`;
    writeFileSync(join(ROOT, file), code.replace(/\b6379\b/g, String(port)));
    return file;
  }

  async function outputOf(file: string): Promise<string> {
    const imports = file.endsWith('.mts') ? ['--import', 'tsx'] : [];
    const args = ['--import', './test/docs/preload.mjs', ...imports, file];
    const env = { ...process.env, REDIS_URL: `redis://127.0.0.1:${redis.server.port}` };
    const { stdout } = await run(process.execPath, args, { cwd: ROOT, env, timeout: 25_000 });
    return stdout;
  }

  for (const page of PAGES.filter((file) => existsSync(join(ROOT, file)))) {
    const blocks = codeBlocks(readFileSync(join(ROOT, page), 'utf8'));

    for (const program of programs(blocks)) {
      it(`${page}:${program.line} runs, prints what it says, and ends`, async () => {
        redis.allowKeys(/^b_/);
        const output = await outputOf(write(page, program, redis.server.port));
        if (program.prints !== null) expect(output.trimEnd().split('\n')).to.deep.equal(program.prints);
      });
    }

    for (const { language, code, line } of blocks.filter((block) => CHECKED_OTHERWISE.includes(block.language))) {
      if (language === 'json') it(`${page}:${line} is JSON`, () => void JSON.parse(code));
      if (language === 'sh') it(`${page}:${line} names commands that exist`, () => checkCommands(code));
      if (language === 'diff') {
        it(`${page}:${line} leads to a program that runs`, async () => {
          const added = code.split('\n').filter((text) => text.startsWith('+'));
          const result = added.map((text) => text.slice(1)).join('\n');
          await outputOf(write(page, { code: result, line, extension: 'mjs', prints: null }, redis.server.port));
        });
      }
    }

    it(`${page} has no block in a language that nobody checks`, () => {
      const known = [...CHECKED_OTHERWISE, 'js', 'mjs', 'javascript', 'ts', 'typescript'];
      for (const { language, line } of blocks) expect(known, `line ${line}`).to.include(language);
    });
  }

  it('compiles those in TypeScript', () => {
    const typescript = PAGES.filter((file) => existsSync(join(ROOT, file))).flatMap((page) =>
      programs(codeBlocks(readFileSync(join(ROOT, page), 'utf8')))
        .filter(({ extension }) => extension === 'mts')
        .map((program) => write(page, program, 6379)),
    );
    if (typescript.length === 0) return;
    const options = [
      '--noEmit',
      '--strict',
      '--skipLibCheck',
      '--module',
      'nodenext',
      '--target',
      'es2022',
      '--types',
      'node',
    ];
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    execFileSync(process.execPath, [tsc, '--ignoreConfig', ...options, ...typescript], { cwd: ROOT, stdio: 'pipe' });
  });
});

/** Programs that a reader has, or gets by a line above. */
const PROGRAMS = ['npm', 'npx', 'node', 'redis-cli', 'REDIS_URL', 'curl'];

function checkCommands(code: string): void {
  for (const line of code.split('\n').map((text) => text.replace(/#.*/, '').trim())) {
    for (const command of line
      .split('&&')
      .map((part) => part.trim())
      .filter(Boolean)) {
      const [program, verb, name] = command.replace(/^[A-Z_]+=\S+ /, '').split(/\s+/);
      expect(PROGRAMS, command).to.include(program);
      if (program === 'npm' && verb === 'run') expect(SCRIPTS, command).to.have.property(name!);
      if (program === 'npm' && verb === 'test') expect(SCRIPTS).to.have.property('test');
      if (program === 'npx' && verb === 'rebottle') expect(['check', 'top'], command).to.include(name);
      const file =
        program === 'node' ? command.split(/\s+/).find((word) => /\.(mjs|cjs|js|ts)$/.test(word)) : undefined;
      if (file !== undefined) expect(existsSync(join(ROOT, file)), file).to.equal(true);
    }
  }
}
