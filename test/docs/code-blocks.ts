/** The code blocks of a Markdown page, and how they are to be run. */

export interface CodeBlock {
  /** First word after the fence; "" for none. */
  readonly language: string;
  /** Further words: `continued` for a block that goes on where the one before it on the page ended. */
  readonly flags: readonly string[];
  readonly code: string;
  /** Line of the fence, from 1. */
  readonly line: number;
}

export function codeBlocks(markdown: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let open: { fence: string; info: string; line: number; lines: string[] } | null = null;
  for (const [index, line] of markdown.split('\n').entries()) {
    const [, fence, info] = /^\s*(`{3,})\s*([^`]*)$/.exec(line) ?? [];
    if (open === null && fence !== undefined) open = { fence, info: info!.trim(), line: index + 1, lines: [] };
    else if (open !== null && fence !== undefined && fence.length >= open.fence.length && info === '') {
      const [language = '', ...flags] = open.info.split(/\s+/);
      blocks.push({ language, flags, code: `${open.lines.join('\n')}\n`, line: open.line });
      open = null;
    } else open?.lines.push(line);
  }
  if (open !== null) throw new Error(`the block in line ${open.line} does not end`);
  return blocks;
}

/** A program: one block, or several that continue each other. */
export interface Program {
  readonly code: string;
  readonly line: number;
  readonly extension: 'mjs' | 'cjs' | 'mts';
  /** Lines that it is to print, from its comments `// → text`; null when it says nothing of it. */
  readonly prints: string[] | null;
}

const LANGUAGES: Record<string, 'js' | 'ts'> = { js: 'js', mjs: 'js', javascript: 'js', ts: 'ts', typescript: 'ts' };

export function programs(blocks: readonly CodeBlock[]): Program[] {
  const found: Array<{ code: string; line: number; language: 'js' | 'ts' }> = [];
  for (const { language, flags, code, line } of blocks) {
    const kind = LANGUAGES[language];
    if (kind === undefined) continue;
    const last = found.at(-1);
    if (flags.includes('continued') && last !== undefined) last.code += code;
    else found.push({ code, line, language: kind });
  }
  return found.map(({ code, line, language }) => ({
    code,
    line,
    extension: extensionOf(code, language),
    prints: printsOf(code),
  }));
}

function extensionOf(code: string, language: 'js' | 'ts'): Program['extension'] {
  if (language === 'ts') return 'mts';
  return /\brequire\(/.test(code) && !/^import /m.test(code) ? 'cjs' : 'mjs';
}

function printsOf(code: string): string[] | null {
  const lines = [...code.matchAll(/\/\/ → (.*)$/gm)].map(([, text]) => text!.trim());
  return lines.length > 0 ? lines : null;
}
