import { readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { ValueKind } from './kinds.js';
import { parseSource, type SyntaxTree } from './syntax.js';
import { findUses, type Use } from './uses.js';
import { Values } from './values.js';

export interface FileUses {
  readonly file: string;
  readonly uses: readonly Use[];
}

export interface Unreadable {
  readonly file: string;
  readonly reason: string;
}

interface Module {
  readonly tree: SyntaxTree;
  readonly values: Values;
}

const EXTENSIONS = ['', '.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs'];
/** TypeScript sources are imported under the name of the file that they are compiled to. */
const COMPILED = /\.([cm]?)jsx?$/;

/** The source files of a code base that have to do with Bottleneck, and what they get from each other. */
export class Project {
  readonly unreadable: Unreadable[] = [];
  private readonly modules = new Map<string, Module | undefined>();
  private readonly answers = new Map<string, ValueKind>();
  /** What the present question has looked at, against modules that import each other. */
  private readonly asked = new Set<string>();
  private readonly texts = new Map<string, string>();

  /** @param names the names under which Bottleneck is installed. */
  constructor(
    private readonly files: readonly string[],
    private readonly names: ReadonlySet<string>,
  ) {
    for (const file of files) this.texts.set(file, readFileSync(file, 'utf8'));
  }

  uses(): FileUses[] {
    const found: FileUses[] = [];
    for (const file of this.concerned()) {
      const module = this.module(file);
      const uses = module === undefined ? [] : findUses(module.tree, module.values, this.names);
      if (uses.length > 0) found.push({ file, uses });
    }
    return found.sort((a, b) => (a.file < b.file ? -1 : 1));
  }

  /**
   * The files that name the package, those that may import from them something of it, and so on. Looking for a name in
   * the text only spares the parsing of all others.
   */
  private concerned(): Set<string> {
    const concerned = new Set(this.files.filter((file) => this.mentions(file, this.names)));
    for (const file of concerned) {
      if (!this.module(file)?.values.hasExports) continue;
      const importedAs = new Set([moduleName(file)]);
      for (const other of this.files) if (this.mentions(other, importedAs)) concerned.add(other);
    }
    return concerned;
  }

  private mentions(file: string, words: ReadonlySet<string>): boolean {
    const text = this.texts.get(file) ?? '';
    return [...words].some((word) => text.includes(word));
  }

  private module(file: string): Module | undefined {
    if (!this.modules.has(file)) this.modules.set(file, this.read(file));
    return this.modules.get(file);
  }

  private read(file: string): Module | undefined {
    try {
      const tree = parseSource(this.texts.get(file) ?? '', file);
      return { tree, values: new Values(tree, this.names, (...of) => this.exported(file, ...of)) };
    } catch (error) {
      this.unreadable.push({ file, reason: error instanceof Error ? error.message : String(error) });
      return undefined;
    }
  }

  private exported(importer: string, specifier: string, name: string, called: boolean): ValueKind | undefined {
    const file = this.resolve(importer, specifier);
    if (file === undefined) return undefined;
    const question = JSON.stringify([file, name, called]);
    const known = this.answers.get(question);
    if (known !== undefined || this.asked.has(question)) return known;
    const outermost = this.asked.size === 0;
    this.asked.add(question);
    try {
      const kind = this.module(file)?.values.exported(name, called);
      if (kind !== undefined) this.answers.set(question, kind);
      return kind;
    } finally {
      if (outermost) this.asked.clear();
    }
  }

  private resolve(importer: string, specifier: string): string | undefined {
    if (!specifier.startsWith('.')) return undefined;
    const path = resolve(dirname(importer), specifier);
    const bases = [path, path.replace(COMPILED, '.$1ts'), path.replace(COMPILED, '.$1tsx'), join(path, 'index')];
    return bases
      .flatMap((base) => EXTENSIONS.map((extension) => base + extension))
      .find((name) => this.texts.has(name));
  }
}

/** How other files name this one at the end of an import: a folder for its index file. */
function moduleName(file: string): string {
  const name = basename(file).replace(/\.[^.]+$/, '');
  return name === 'index' ? basename(dirname(file)) : name;
}
