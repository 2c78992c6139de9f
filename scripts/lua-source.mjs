/**
 * Turns Lua source files into the text that is sent to Redis: expands includes, reads the header, strips comments.
 * Everything here works on strings; reading and writing files is the business of build-lua.mjs.
 */

import { createHash } from 'node:crypto';

/** @typedef {{ source: string, sha: string, keys: string[], args: string[] }} LuaScript */

const INCLUDE = /^--- @include "([^"]+)"\s*$/;
const INLINE = /^([ \t]*)--- @inline "([^"]+)"\s*$/;
const ANY_INCLUDE = /^\s*--+\s*@include\b/;
const NAME = /^(?:[A-Za-z_]\w*|\.\.\.)$/;

/**
 * Expands `--- @include "name"` directives. A file is put where it is first asked for, after what it asks for itself,
 * and only once; each is a block of its own, see {@link inBlock}. What an include asks for with `--- @inline "name"` is
 * put in that very place: code within a function is only made when the function is called.
 *
 * @param {string} name of the script, for messages
 * @param {string} text of the script
 * @param {ReadonlyMap<string, string>} includes text by name
 * @returns {string}
 * @throws {Error} for an include that is missing, malformed or part of a cycle
 */
export function expandIncludes(name, text, includes) {
  /** @param {string} file @param {string} body @returns {string} the body with its inline files, indented as they are asked for */
  const inlined = (file, body) =>
    body.replace(new RegExp(INLINE, 'gm'), (_, indent, wanted) => {
      const text = includes.get(wanted);
      if (text === undefined) throw new Error(`${file}: no such file to put inline: ${wanted}`);
      return text.trimEnd().replace(/^(?=.)/gm, indent);
    });

  /** Includes in the order in which they are to stand. @type {Map<string, string>} */
  const bodies = new Map();

  /** @param {string} file @param {string} body @param {string[]} path @returns {string} the body without directives */
  const collect = (file, body, path) =>
    body
      .split('\n')
      .filter((line, index) => {
        const wanted = INCLUDE.exec(line)?.[1];
        if (wanted === undefined) {
          if (ANY_INCLUDE.test(line)) {
            throw new Error(
              `${file}:${index + 1}: expected  --- @include "name"  at the start of the line, got: ${line}`,
            );
          }
          return true;
        }
        if (path.includes(wanted)) throw new Error(`${file}: include cycle: ${[...path, wanted].join(' -> ')}`);
        if (bodies.has(wanted)) return false;
        const included = includes.get(wanted);
        if (included === undefined) throw new Error(`${file}:${index + 1}: no such include: ${wanted}`);
        const own = collect(`include/${wanted}`, inlined(`include/${wanted}`, included), [...path, wanted]);
        bodies.set(wanted, own);
        return false;
      })
      .join('\n');

  const [header, main] = splitHeader(collect(name, text, []));
  bodies.set('', main);
  const code = inlineConstants(new Map([...bodies].map(([file, body]) => [file, stripLua(body, true)])));
  const rest = /** @type {string} */ (code.get(''));
  code.delete('');
  const blocks = [...code].map(([file, body]) => {
    const others = [...code].filter(([other]) => other !== file).map(([, other]) => other);
    return inBlock(body, [...others, rest].join('\n'));
  });
  return [header, sharing(blocks, rest)].join('\n');
}

/** The comment lines that open a script, and what follows. @param {string} text @returns {[string, string]} */
function splitHeader(text) {
  const lines = text.split('\n');
  const end = lines.findIndex((line) => !line.startsWith('--'));
  return end < 0 ? [text, ''] : [lines.slice(0, end).join('\n'), lines.slice(end).join('\n')];
}

/** Lua lets a function take hold of no more than 60 variables. */
const MOST_TAKEN = 60;

/**
 * Declares what includes share, and puts the script within a function that takes hold of most of it. For each variable
 * of the script that a function takes hold of, Lua looks through all that are held already; what the function around
 * holds, it only copies. That search was most of a script's running time. What is held once is looked for, too: from
 * the last declared one on, so they are declared in the order in which they come up.
 *
 * @param {{ text: string, shared: string[] }[]} blocks
 * @param {string} main
 * @returns {string}
 */
function sharing(blocks, main) {
  const names = blocks.flatMap(({ shared }) => shared);
  const body = [...blocks.map(({ text }) => text), main].join('\n');
  if (names.length === 0) return body;
  /** @param {string} text */
  const wordsOf = (text) => stripLua(text).match(/[A-Za-z_]\w*/g) ?? [];
  const uses = new Map(names.map((one) => [one, 0]));
  for (const word of wordsOf(blocks.map(({ text }) => text).join('\n'))) {
    if (uses.has(word)) uses.set(word, /** @type {number} */ (uses.get(word)) + 1);
  }
  const count = (/** @type {string} */ one) => /** @type {number} */ (uses.get(one));
  const byUse = [...names].sort((a, b) => count(a) - count(b) || (a < b ? -1 : 1));
  const rare = byUse.slice(0, -MOST_TAKEN);
  const taken = new Set(byUse.slice(-MOST_TAKEN));
  const inOrder = [...new Set(wordsOf(body))].filter((word) => taken.has(word));
  return [
    `local ${inOrder.join(', ')}`,
    'return (function()',
    ...(rare.length > 0 ? [`local ${rare.join(', ')}`] : []),
    body,
    'end)()',
  ].join('\n');
}

const CONSTANTS = /^local ([A-Za-z_]\w*(?:, [A-Za-z_]\w*)*) = (.+)$/;
const CONSTANT_NAMES = /^(?:[A-Z][A-Z_]*(?:, )?)+$|^\w+_key$/;
const LITERAL = /^(?:-?\d[\w.]*|'[^'\\]*'|KEYS\[\d+\])$/;

/**
 * Writes constants and the names of KEYS out where they are used. Every variable that a function takes hold of costs
 * time whenever the script is run, and most of those were constants.
 *
 * @param {ReadonlyMap<string, string>} files stripped code by name
 * @returns {Map<string, string>}
 */
export function inlineConstants(files) {
  /** @type {Map<string, string>} */
  const values = new Map();
  const isConstant = (/** @type {string} */ line) => {
    const [, names, list] = CONSTANTS.exec(line) ?? [];
    const parts = list?.split(', ') ?? [];
    if (names === undefined || !CONSTANT_NAMES.test(names) || !parts.every((one) => LITERAL.test(one))) return false;
    names.split(', ').forEach((name, index) => {
      values.set(name, /** @type {string} */ (parts[index]));
    });
    return true;
  };
  const rest = [...files].map(([file, code]) => [
    file,
    code
      .split('\n')
      .filter((line) => !isConstant(line))
      .join('\n'),
  ]);
  return new Map(
    rest.map(([file, code]) => [/** @type {string} */ (file), replaceWords(/** @type {string} */ (code), values)]),
  );
}

/** @param {string} code @param {ReadonlyMap<string, string>} values */
function replaceWords(code, values) {
  let result = '';
  let at = 0;
  while (at < code.length) {
    const quoted = quotedAt(code, at);
    const length = quoted?.length ?? /^(?:[\w.]+|[^\w])/.exec(code.slice(at))?.[0].length ?? 1;
    const token = code.slice(at, at + length);
    // `record.KEY` is one token here, and no name of ours.
    result += quoted === undefined ? (values.get(token) ?? token) : token;
    at += length;
  }
  return result;
}

const LOCAL_FUNCTION = /^local function (\w+)/;
const LOCAL_NAMES = /^local ([A-Za-z_]\w*(?:\s*,\s*[A-Za-z_]\w*)*)\s*(=.*)?$/;

/**
 * An include as a block: what only the include itself uses ends with it, and only the names that others use stay. Lua
 * allows no more than 200 locals at a time, and a script with all its includes has more.
 *
 * @param {string} body
 * @param {string} others code of the rest of the script
 * @returns {{ text: string, shared: string[] }} the block, and the names that it gives to others
 */
function inBlock(body, others) {
  const used = new Set(others.match(/[A-Za-z_]\w*/g));
  /** @type {string[]} */
  const shared = [];
  const lines = body.split('\n').map((line) => {
    const [, fn] = LOCAL_FUNCTION.exec(line) ?? [];
    if (fn !== undefined) {
      if (!used.has(fn)) return line;
      shared.push(fn);
      return line.slice('local '.length);
    }
    const [, list, init] = LOCAL_NAMES.exec(line.replace(/\s+--.*$/, '')) ?? [];
    if (list === undefined) return line;
    const names = list.split(',').map((one) => one.trim());
    if (!names.some((one) => used.has(one))) return line;
    shared.push(...names);
    return init === undefined ? '' : line.slice('local '.length);
  });
  return { text: ['do', ...lines, 'end'].join('\n'), shared };
}

/**
 * Reads the names of KEYS and ARGV from the comment lines that open a script. Several lines of a kind are joined;
 * `-- KEYS:` with nothing after it means none; a last `...` stands for any number of further values.
 *
 * @param {string} name of the script, for messages
 * @param {string} text
 * @returns {{ keys: string[], args: string[] }}
 * @throws {Error} when a line is missing, or names are malformed or repeated
 */
export function parseHeader(name, text) {
  const lines = text.split('\n');
  const end = lines.findIndex((line) => !line.startsWith('--') || line.startsWith('--[') || INCLUDE.test(line));
  const header = end < 0 ? lines : lines.slice(0, end);

  /** @param {'KEYS' | 'ARGV'} kind */
  const names = (kind) => {
    const found = header.flatMap((line) => new RegExp(`^--\\s*${kind}:(.*)$`).exec(line)?.[1] ?? []);
    if (found.length === 0) throw new Error(`${name}: the header has no line "-- ${kind}: name name ..."`);
    const list = found.flatMap((line) => line.split(/[\s,]+/).filter(Boolean));
    list.forEach((item, index) => {
      if (!NAME.test(item)) throw new Error(`${name}: ${kind}: expected a name, got "${item}"`);
      if (item === '...' && index < list.length - 1) throw new Error(`${name}: ${kind}: "..." must be the last name`);
      if (list.indexOf(item) !== index) throw new Error(`${name}: ${kind}: "${item}" is named twice`);
    });
    return list;
  };

  return { keys: names('KEYS'), args: names('ARGV') };
}

/**
 * The length of the token at `at` if it is a string or a comment, and which.
 *
 * @param {string} text @param {number} at
 * @returns {{ kind: 'string' | 'comment', length: number } | undefined}
 */
function quotedAt(text, at) {
  const rest = text.slice(at);
  const comment = rest.startsWith('--');
  const long = /^\[(=*)\[/.exec(comment ? rest.slice(2) : rest);
  if (long) {
    const close = `]${long[1]}]`;
    const end = text.indexOf(close, at + (comment ? 2 : 0) + long[0].length);
    if (end < 0) throw new Error(`unfinished long ${comment ? 'comment' : 'string'}: ${rest.slice(0, 40)}`);
    return { kind: comment ? 'comment' : 'string', length: end + close.length - at };
  }
  if (comment) {
    const end = rest.indexOf('\n');
    return { kind: 'comment', length: end < 0 ? rest.length : end };
  }
  const short = /^"(?:\\[\s\S]|[^"\\\n])*"|^'(?:\\[\s\S]|[^'\\\n])*'/.exec(rest);
  if (short) return { kind: 'string', length: short[0].length };
  if (rest.startsWith('"') || rest.startsWith("'")) throw new Error(`unfinished string: ${rest.slice(0, 40)}`);
  return undefined;
}

/**
 * Removes comments, indentation and blank lines. Strings, long ones too, stay as they are.
 *
 * @param {string} text
 * @param {boolean} [indented] whether the indentation stays
 * @returns {string}
 */
export function stripLua(text, indented = false) {
  /** @type {string[]} */
  const strings = [];
  let code = '';
  let at = 0;
  while (at < text.length) {
    const quoted = /["'[-]/.test(text.charAt(at)) ? quotedAt(text, at) : undefined;
    if (quoted?.kind === 'string') {
      // The placeholder keeps a string of several lines out of reach of the line-wise clean-up below.
      code += `\0${strings.push(text.slice(at, at + quoted.length)) - 1}\0`;
    } else {
      code += quoted ? ' ' : text.charAt(at);
    }
    at += quoted?.length ?? 1;
  }
  const lines = code.split('\n').map((line) => (indented ? line.trimEnd() : line.trim()));
  const kept = lines.filter((line) => line !== '').join('\n');
  // NUL cannot occur in Lua source, so it is a safe marker.
  return `${kept.replace(/\0(\d+)\0/g, (_, index) => /** @type {string} */ (strings[Number(index)]))}\n`;
}

/**
 * @param {string} name @param {string} source @param {{ keys: string[], args: string[] }} header
 * @throws {Error} when the script indexes a key or an argument that its header does not name
 */
function checkIndexes(name, source, header) {
  for (const [, kind, index] of source.matchAll(/\b(KEYS|ARGV)\[\s*(\d+)\s*\]/g)) {
    const list = kind === 'KEYS' ? header.keys : header.args;
    if (!list.includes('...') && Number(index) > list.length) {
      throw new Error(`${name}: uses ${kind}[${index}], but its header names ${list.length}`);
    }
  }
}

/**
 * @param {string} name @param {string} text @param {ReadonlyMap<string, string>} includes
 * @returns {LuaScript}
 */
export function buildScript(name, text, includes) {
  const header = parseHeader(name, text);
  const source = stripLua(expandIncludes(name, text, includes));
  checkIndexes(name, source, header);
  return { source, sha: createHash('sha1').update(source).digest('hex'), ...header };
}

/** @param {string} text @returns {string} */
const templateLiteral = (text) => `\`${text.replace(/[\\`]|\$(?=\{)/g, '\\$&')}\``;

/** @param {string[]} names @returns {string} */
const arrayLiteral = (names) => `[${names.map((name) => `'${name}'`).join(', ')}]`;

/** Of fewer lines that scripts share, telling where they stand would take as much room. */
const SHORTEST_RUN = 4;

/**
 * Takes the scripts apart into the lines that they have in common: most of every script is the same includes, and all
 * of them in full would be most of the package.
 *
 * @param {Iterable<string>} sources
 * @returns {{ lines: string[], runs: [number, number][][] }} `runs` of each source: first line and how many
 */
export function packLines(sources) {
  /** @type {string[]} */
  const lines = [];
  /** @type {Map<string, number[]>} */
  const places = new Map();

  /** @param {string[]} wanted @param {number} at @returns {[number, number]} the longest stretch of `lines` that stands there */
  const longest = (wanted, at) => {
    /** @type {[number, number]} */
    let best = [0, 0];
    for (const place of places.get(/** @type {string} */ (wanted[at])) ?? []) {
      let length = 1;
      while (at + length < wanted.length && lines[place + length] === wanted[at + length]) length++;
      if (length > best[1]) best = [place, length];
    }
    return best;
  };

  /** @param {string} line @returns {[number, number]} */
  const append = (line) => {
    const place = lines.push(line) - 1;
    places.set(line, [...(places.get(line) ?? []), place]);
    return [place, 1];
  };

  /** @param {string} source */
  const pack = (source) => {
    const wanted = source.split('\n');
    /** @type {[number, number][]} */
    const runs = [];
    for (let at = 0; at < wanted.length; ) {
      const found = longest(wanted, at);
      const [start, length] = found[1] >= SHORTEST_RUN ? found : append(/** @type {string} */ (wanted[at]));
      const last = runs.at(-1);
      if (last !== undefined && last[0] + last[1] === start) last[1] += length;
      else runs.push([start, length]);
      at += length;
    }
    return runs;
  };
  const runs = [...sources].map(pack);
  return { lines, runs };
}

/**
 * The text of the generated TypeScript module.
 *
 * @param {ReadonlyMap<string, LuaScript>} scripts
 * @returns {string}
 */
export function renderModule(scripts) {
  const { lines, runs } = packLines([...scripts.values()].map(({ source }) => source));
  const entries = [...scripts].map(
    ([name, { sha, keys, args }], index) => `  ${/^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`}: {
    keys: ${arrayLiteral(keys)},
    args: ${arrayLiteral(args)},
    sha: '${sha}',
    runs: '${/** @type {[number, number][]} */ (runs[index]).map((run) => run.join('+')).join(' ')}',
  },`,
  );
  return `// Generated from lua/ by scripts/build-lua.mjs: run "npm run lua:build" after a change there.

export interface PackedScript {
  /** What the script calls KEYS[1], KEYS[2] and so on; a last \`...\` means any number more. */
  readonly keys: readonly string[];
  /** The same for ARGV. */
  readonly args: readonly string[];
  /** SHA1 of the source: what EVALSHA takes. */
  readonly sha: string;
  /** What it consists of: \`first+count\` of the lines below, one after another. */
  readonly runs: string;
}

/** The lines of all scripts; what several share stands here once. */
const LINES = ${templateLiteral(lines.join('\n'))};

/** The script itself, includes expanded, comments removed. */
export function unpack({ runs }: PackedScript): string {
  const lines = LINES.split('\\n');
  const parts = runs.split(' ').map((run) => run.split('+').map(Number) as [number, number]);
  return parts.flatMap(([first, count]) => lines.slice(first, first + count)).join('\\n');
}

export const scripts = {
${entries.join('\n')}
} satisfies Record<string, PackedScript>;

export type ScriptName = keyof typeof scripts;
`;
}
