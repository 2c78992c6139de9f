import { expect } from 'chai';
import { main } from '../../lib/cli/main';
import { version } from '../../lib/version';
import { temporaryProjects } from './temporary-project';

describe('the command line', () => {
  const projects = temporaryProjects();

  async function run(...args: string[]): Promise<{ code: number; out: string; err: string }> {
    const written = { out: '', err: '' };
    const code = await main(args, {
      out: (text) => {
        written.out += text;
      },
      err: (text) => {
        written.err += text;
      },
      color: false,
    });
    return { code, ...written };
  }

  it('check: 0 and a line where there is nothing to do', async () => {
    const root = projects.write({ 'a.js': `const B = require('bottleneck'); new B().check();` });
    expect(await run('check', root)).to.deep.equal({
      code: 0,
      out: 'Nothing to do. 3 places in 1 file, 0 with a difference; 0 installed packages.\n',
      err: '',
    });
    expect(await run('check', projects.write({}))).to.include({ code: 0, out: 'No use of Bottleneck found.\n' });
  });

  it('check: 1 with the place, the difference, its entry in MIGRATION.md and what to do', async () => {
    const root = projects.write({
      'src/a.ts': `import B from 'bottleneck';\nnew B({ highWater: 5 });\nimport 'bottleneck/lib/Job';`,
      'node_modules/dep/package.json': '{"name":"dep","version":"1.2.3","dependencies":{"bottleneck":"^2.1"}}',
    });
    const { code, out, err } = await run('check', root);
    expect({ code, err }).to.deep.equal({ code: 1, err: '' });
    expect(out).to.match(/^src\/a\.ts:2:9 +option highWater +.*queue-above-high-water/m);
    expect(out).to.match(/^src\/a\.ts:3:8 +internal import bottleneck\/lib\/Job +deep-imports$/m);
    expect(out).to.contain('queue-above-high-water (fixed): ').and.contain('MIGRATION.md#deep-imports');
    expect(out).to.contain('To do:      Import the package itself and use its statics.');
    expect(out).to.contain('dep@1.2.3  gets Bottleneck ^2.1  node_modules/dep').and.contain('npm:rebottle');
  });

  it('check --json: the same for programs', async () => {
    const root = projects.write({ 'a.js': `require('bottleneck/lib/Job');` });
    const { code, out } = await run('check', '--json', root);
    const parsed = JSON.parse(out);
    expect(code).to.equal(1);
    expect(parsed).to.deep.include({ directory: root, clean: false, dependents: [], unreadable: [] });
    expect(parsed.places).to.deep.equal([
      {
        file: 'a.js',
        what: 'internal import',
        name: 'bottleneck/lib/Job',
        line: 1,
        column: 9,
        differences: ['deep-imports'],
      },
    ]);
    expect(parsed.differences[0]).to.include({
      id: 'deep-imports',
      verdict: 'by design',
      see: 'MIGRATION.md#deep-imports',
    });
    expect(parsed.differences[0].toDo).to.be.a('string').and.not.empty;
  });

  it('check --ignore: 0 once all that is left was read', async () => {
    const root = projects.write({ 'a.js': `require('bottleneck/lib/Job');` });
    expect(await run('check', '--ignore', 'deep-imports', root)).to.include({ code: 0 });
  });

  it('check --no-dependencies: node_modules does not count', async () => {
    const root = projects.write({
      'node_modules/dep/package.json': '{"name":"dep","dependencies":{"bottleneck":"2"}}',
    });
    expect(await run('check', root)).to.include({ code: 1 });
    expect(await run('check', '--no-dependencies', root)).to.include({ code: 0 });
  });

  for (const args of [['nope'], ['check', '/no/such/folder'], ['check', '--nope'], ['check', '--ignore', 'nope'], []]) {
    it(`wrong usage is 2: ${args.join(' ') || 'no command'}`, async () => {
      const { code, out, err } = await run(...args);
      expect({ code, out }).to.deep.equal({ code: 2, out: '' });
      expect(err).to.match(/error|Usage/);
    });
  }

  it('help and version are 0', async () => {
    expect(await run('--version')).to.deep.equal({ code: 0, out: `${version}\n`, err: '' });
    expect(await run('check', '--help'))
      .to.include({ code: 0 })
      .with.property('out')
      .that.contains('Exit codes');
  });
});
