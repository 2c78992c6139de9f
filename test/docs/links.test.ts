/** Every relative link of the repository's pages leads to a file, and every anchor to a heading. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect } from 'chai';

const ROOT = join(__dirname, '../..');
const OTHERS = new Set(['node_modules', 'dist', 'coverage', '.git', '.tmp', 'api']);

function pagesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return OTHERS.has(entry.name) ? [] : pagesIn(join(folder, entry.name));
    return entry.name.endsWith('.md') ? [join(folder, entry.name)] : [];
  });
}

/** Without blocks of code, and without code within lines. */
const prose = (markdown: string): string =>
  markdown.replace(/^\s*(`{3,})[\s\S]*?^\s*\1`*\s*$/gm, '').replace(/`[^`\n]*`/g, 'code');

function linksIn(markdown: string): string[] {
  const text = prose(markdown);
  const inline = [...text.matchAll(/\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g)];
  const references = [...text.matchAll(/^\s*\[[^\]]+\]:\s+(\S+)/gm)];
  const html = [...text.matchAll(/\b(?:href|src)="([^"]+)"/g)];
  return [...inline, ...references, ...html].map(([, target]) => target!);
}

/** As GitHub makes them of headings. */
function anchorsIn(markdown: string): string[] {
  const seen = new Map<string, number>();
  const withoutBlocks = markdown.replace(/^\s*(`{3,})[\s\S]*?^\s*\1`*\s*$/gm, '');
  const headings = [...withoutBlocks.matchAll(/^#{1,6}\s+(.*?)\s*#*$/gm)].map(([, text]) => {
    const words = text!.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const slug = words.replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-');
    const times = seen.get(slug) ?? 0;
    seen.set(slug, times + 1);
    return times === 0 ? slug : `${slug}-${times}`;
  });
  const explicit = [...withoutBlocks.matchAll(/<a\s+(?:id|name)="([^"]+)"/g)].map(([, name]) => name!);
  return [...headings, ...explicit];
}

/** What is wrong with a link on a page; undefined when it leads somewhere. */
function fault(page: string, link: string): string | undefined {
  if (/^[a-z][a-z+.-]*:/i.test(link)) return undefined;
  const [path = '', anchor] = decodeURI(link).split('#');
  const file = path === '' ? page : normalize(join(dirname(page), path));
  if (file.startsWith('..') || path.startsWith('/')) return `${link} leads out of the repository`;
  if (!existsSync(join(ROOT, file))) return `${link}: no such file`;
  if (anchor === undefined) return undefined;
  if (!file.endsWith('.md') || !statSync(join(ROOT, file)).isFile()) return `${link}: only pages have anchors`;
  return anchorsIn(readFileSync(join(ROOT, file), 'utf8')).includes(anchor) ? undefined : `${link}: no such heading`;
}

describe('links', () => {
  for (const page of pagesIn('.')) {
    it(`of ${page} lead somewhere`, () => {
      const links = linksIn(readFileSync(join(ROOT, page), 'utf8'));
      expect(links.map((link) => fault(page, link)).filter(Boolean)).to.deep.equal([]);
    });
  }

  it('are found, and those that lead nowhere too', () => {
    const page = [
      '# A *heading*, `code` & more',
      '[a](b.md) ![c](<d.svg> "title") [ref]: not `[e](f.md)`',
      ...['```md', '[g](h.md)', '```', '[ref]: i.md#j', '<img src="k.png">'],
    ].join('\n');
    expect(linksIn(page)).to.deep.equal(['b.md', 'd.svg', 'i.md#j', 'k.png']);
    expect(anchorsIn(page)).to.deep.equal(['a-heading-code--more']);
    expect(fault('README.md', 'nowhere.md')).to.contain('no such file');
    expect(fault('docs/README.md', '../README.md#nothing')).to.contain('no such heading');
    expect(fault('docs/README.md', '../README.md#quick-start')).to.equal(undefined);
    expect(fault('README.md', '../x.md')).to.contain('leads out');
    expect(fault('README.md', 'https://example.com/#x')).to.equal(undefined);
  });

  it('of README to pages of docs cover them all, directly or through docs/README.md', () => {
    const linked = [
      ...linksIn(readFileSync(join(ROOT, 'README.md'), 'utf8')).map((link) => normalize(link)),
      ...linksIn(readFileSync(join(ROOT, 'docs/README.md'), 'utf8')).map((link) => normalize(join('docs', link))),
    ].map((link) => link.replace(/#.*/, ''));
    const pages = pagesIn('docs').filter((page) => page !== join('docs', 'README.md'));
    expect(pages.filter((page) => !linked.includes(page))).to.deep.equal([]);
  });
});
