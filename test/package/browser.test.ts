/**
 * The packed package in a headless Chromium, on pages whose content security policy allows scripts of their own origin
 * and nothing else: no eval, no inline script, no connection. Where there is no Chromium there is no test, and a line
 * says so.
 */
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import * as esbuild from 'esbuild';
import { type Browser, chromium, type Page } from 'playwright-core';
import { findChromium } from './support/chromium';
import { type Consumer, consumer } from './support/consumer';

const POLICY = "default-src 'none'; script-src 'self'";

/** What is done with the class on each page. */
const CHECK = `
async function check(Bottleneck) {
  const limiter = new Bottleneck({ maxConcurrent: 1, minTime: 1 });
  const order = [];
  const job = (name) => async () => { order.push(name); return name; };
  let release;
  const held = new Promise((resolve) => { release = resolve; });
  const begun = new Promise((resolve) => limiter.once('executing', resolve));
  const first = limiter.schedule(() => held.then(job('first')));
  await begun;
  limiter.once('queued', () => setTimeout(release));
  const results = await Promise.all([
    first,
    limiter.schedule({ priority: 9 }, job('last')),
    limiter.schedule({ priority: 0 }, job('urgent')),
    limiter.schedule(async () => { throw new Error('thrown'); }).catch((error) => error.message),
    limiter.schedule({ expiration: 5 }, () => new Promise(() => {})).catch((error) => String(error)),
  ]);
  const group = new Bottleneck.Group({ maxConcurrent: 1 });
  const batcher = new Bottleneck.Batcher({ maxSize: 2 });
  const batch = new Promise((resolve) => batcher.on('batch', resolve));
  batcher.add('x');
  batcher.add('y');
  const keyed = await group.key('a').schedule(async () => 'keyed');
  await group.deleteKey('a');
  let evalWorks = true;
  try { (0, eval)('1'); } catch { evalWorks = false; }
  return { results, order, keyed, batch: await batch, isDefault: Bottleneck.default === Bottleneck, evalWorks };
}
`;

const EXPECTED = {
  results: ['first', 'last', 'urgent', 'thrown', 'Error: This job timed out after 5 ms.'],
  order: ['first', 'urgent', 'last'],
  keyed: 'keyed',
  batch: ['x', 'y'],
  isDefault: true,
  evalWorks: false,
};

/** Scripts of a page: the text of one, or a file of the package. */
type Script = { text: string; module?: boolean } | { file: string };
const MODULE = 'dist/light.browser.mjs';

const program = findChromium();
if (program === undefined) {
  console.log(
    '  in headless Chromium: not run, there is no Chromium on this machine (Debian: apt-get install chromium)',
  );
} else {
  describe('in headless Chromium, with no eval allowed', function () {
    this.timeout(60_000);
    let project: Consumer;
    let server: Server;
    let browser: Browser;
    let page: Page;
    let problems: string[] = [];
    /** What the server sends, by path. */
    const served = new Map<string, { type: string; body: string }>();

    before('serve pages and start the browser', async () => {
      project = consumer();
      served.set(`/${MODULE}`, { type: 'text/javascript', body: textOf(MODULE) });
      server = createServer((request, response) => {
        const { type, body } = served.get(request.url ?? '') ?? { type: 'text/plain', body: '' };
        response.writeHead(body === '' ? 404 : 200, { 'content-type': type, 'content-security-policy': POLICY });
        response.end(body);
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      browser = await chromium.launch({
        executablePath: program,
        // Nothing but the server above is to be reached, or looked up.
        args: ['--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1', '--disable-gpu', '--disable-quic'],
      });
      page = await browser.newPage();
      page.on('pageerror', (error) => problems.push(String(error)));
      page.on('console', (message) => problems.push(message.text()));
    });
    after('stop both', async () => {
      await browser?.close();
      await new Promise((resolve) => server.close(resolve));
      project.remove();
    });

    const textOf = (file: string): string => readFileSync(join(project.folder, 'node_modules/rebottle', file), 'utf8');

    /** Opens a page with these scripts. @returns what the last of them set as `report`, and what went wrong meanwhile */
    async function open(...scripts: Script[]): Promise<{ report: unknown; problems: string[] }> {
      const tags = scripts.map((script, index) => {
        const path = 'text' in script ? `/script-${index}.js` : `/${script.file}`;
        served.set(path, { type: 'text/javascript', body: 'text' in script ? script.text : textOf(script.file) });
        const type = 'module' in script && script.module ? ' type="module"' : '';
        return `<script${type} src="${path}"></script>`;
      });
      served.set('/', { type: 'text/html', body: `<!doctype html><link rel="icon" href="data:,">${tags.join('')}` });
      problems = [];
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      return { report: await page.evaluate('globalThis.report'), problems };
    }

    /** The policy's own words about the attempt of the check, and about the icon; nothing else may be said. */
    const onlyTheCheck = (problems: string[]): string[] => problems.filter((text) => !/unsafe-eval|data:,/.test(text));

    async function expectToWork(...scripts: Script[]): Promise<void> {
      const { report, problems } = await open(...scripts);
      expect(onlyTheCheck(problems)).to.deep.equal([]);
      expect(problems.filter((text) => text.includes('unsafe-eval')).length, problems.join('\n')).to.be.at.most(1);
      expect(report).to.deep.equal(EXPECTED);
    }

    for (const file of ['light.js', 'es5.js']) {
      it(`${file} in a script tag`, () =>
        expectToWork({ file }, { text: `${CHECK} globalThis.report = check(Bottleneck);` }));
    }

    it(`${MODULE}, imported by a module`, () =>
      expectToWork({ text: `import B from '/${MODULE}'; ${CHECK} globalThis.report = check(B);`, module: true }));

    for (const entry of ['rebottle', 'rebottle/light']) {
      it(`${entry}, bundled`, async () => {
        const { outputFiles } = await esbuild.build({
          stdin: {
            contents: `import B from '${entry}'; ${CHECK} globalThis.report = check(B);`,
            resolveDir: project.folder,
          },
          bundle: true,
          platform: 'browser',
          format: 'esm',
          write: false,
        });
        await expectToWork({ text: outputFiles[0]!.text, module: true });
      });
    }

    it('a limiter on Redis says that there is none to be had here', async () => {
      const { report, problems } = await open(
        { file: 'es5.js' },
        {
          text: `
          globalThis.report = (async () => {
            try {
              const limiter = new Bottleneck({ datastore: 'ioredis' });
              limiter.on('error', () => {});
              await limiter.ready();
              return 'ready';
            } catch (error) { return error.message; }
          })();`,
        },
      );
      expect(problems.filter((text) => !text.includes('data:,'))).to.deep.equal([]);
      expect(report).to.match(/ioredis/);
    });
  });
}
