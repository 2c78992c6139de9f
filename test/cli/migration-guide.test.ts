import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { allDifferences } from '../../lib/cli/check/differences';

const root = join(__dirname, '../..');
const guide = readFileSync(join(root, 'MIGRATION.md'), 'utf8');

/** What a link within the document can lead to: explicit anchors, and headings as GitHub names them. */
function anchors(): Set<string> {
  const explicit = [...guide.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id ?? '');
  const headings = [...guide.matchAll(/^#+ (.*)$/gm)].map(([, text = '']) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N} -]/gu, '')
      .replaceAll(' ', '-'),
  );
  return new Set([...explicit, ...headings]);
}

function codeBlocks(language: string): string[] {
  return [...guide.matchAll(/^```(\w*)\n(.*?)^```$/gms)]
    .filter((match) => match[1] === language)
    .map((match) => match[2] ?? '');
}

describe('MIGRATION.md', () => {
  it('has an entry for every difference that the check names', () => {
    const missing = allDifferences().filter(({ id }) => !anchors().has(id));
    expect(missing.map(({ id }) => id)).to.deep.equal([]);
  });

  it('links to places that are there', () => {
    const links = [...guide.matchAll(/\]\(#([^)]+)\)/g)].map(([, target]) => target);
    expect(links).to.not.be.empty;
    for (const link of links) expect(anchors()).to.include(link);
  });

  it('shows how to migrate limiter by limiter', async () => {
    const [code = ''] = codeBlocks('js');
    const modules: Record<string, unknown> = {
      bottleneck: require('bottleneck'),
      rebottle: require('../../lib/index').default,
      'rebottle/migrate': require('../../lib/migrate'),
    };
    const run = new Function('require', `${code}\nreturn { limiter, Bottleneck };`);
    process.env.REBOTTLE_LIMITERS = 'mail,search-*';
    try {
      const { limiter, Bottleneck } = run((name: string) => modules[name]);
      expect(limiter).to.be.instanceOf(modules.rebottle);
      expect(new Bottleneck({ id: 'other' })).to.be.instanceOf(modules.bottleneck);
      expect(await limiter.schedule(async () => 'sent')).to.equal('sent');
    } finally {
      delete process.env.REBOTTLE_LIMITERS;
    }
  });

  it('shows JSON that can be read', () => {
    const blocks = codeBlocks('json');
    expect(blocks).to.not.be.empty;
    for (const block of blocks) expect(JSON.parse(block)).to.be.an('object');
  });
});
