import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { commands } from '../../scripts/entries.mjs';
import { type Consumer, consumer, pack, ROOT } from './support/consumer';

describe('contents of the packed package', () => {
  let project: Consumer;
  let files: string[];
  before(() => {
    project = consumer();
    const folder = join(project.folder, 'node_modules/rebottle');
    files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
  });
  after(() => project.remove());

  it('are the build, the declarations and the texts', () => {
    const odd = files.filter(
      (file) =>
        !/^(dist\/.*\.(js|mjs|d\.ts|d\.mts|licenses\.txt)|(light|es5)\.js|package\.json|[A-Z]+(\.md)?)$/.test(file),
    );
    expect(odd).to.deep.equal([]);
    expect(files).to.include.members([
      'package.json',
      'LICENSE',
      'light.js',
      'es5.js',
      'dist/index.js',
      'dist/index.mjs',
    ]);
  });

  it('name nothing of the machine they were built on, and use no eval', () => {
    for (const file of files.filter((name) => /\.m?js$/.test(name))) {
      const text = readFileSync(join(project.folder, 'node_modules/rebottle', file), 'utf8');
      expect(text, file).not.to.contain(ROOT);
      expect(text, file).not.to.match(/\beval\s*\(|new Function\b/);
    }
  });

  it('bring no dependency along', () => {
    expect(readdirSync(join(project.folder, 'node_modules')).filter((name) => !name.startsWith('.'))).to.deep.equal([
      'rebottle',
    ]);
  });

  it('are in the exports map as the table of entries says', () => {
    execFileSync(process.execPath, [join(ROOT, 'scripts/sync-exports.mjs'), '--check'], { stdio: 'pipe' });
  });

  for (const { name } of commands) {
    it(`have a command "${name}" that runs where it is installed`, () => {
      const output = execFileSync(join(project.folder, 'node_modules/.bin', name), ['--help'], { encoding: 'utf8' });
      expect(output).to.contain(name);
    });
  }

  it('please publint', () => {
    const { status, output } = project.bin('publint', join(project.folder, 'node_modules/rebottle'), '--strict');
    expect(output).to.contain('All good!');
    expect(status).to.equal(0);
  });

  it('please "are the types wrong"', () => {
    // Untyped on purpose, see scripts/entries.mjs.
    const { status, output } = project.bin(
      '@arethetypeswrong/cli',
      pack(),
      '--exclude-entrypoints',
      './light.js',
      '--no-color',
    );
    expect(output).to.contain('No problems found');
    expect(status).to.equal(0);
  });
});
