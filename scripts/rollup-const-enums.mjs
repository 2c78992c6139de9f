import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const DECLARATION = /^export const enum (\w+) \{([^}]*)\}/gm;
const MEMBER = /^\s*(\w+) = (\d+),/gm;

/**
 * The members of every exported const enum in a folder, as they are written: `State.Done` and its number.
 * @param {string} folder
 */
function membersIn(folder) {
  /** @type {Map<string, string>} */
  const members = new Map();
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.ts')) continue;
    for (const [, type, body] of readFileSync(join(folder, name), 'utf8').matchAll(DECLARATION)) {
      for (const [, member, value] of /** @type {string} */ (body).matchAll(MEMBER)) {
        members.set(`${type}.${member}`, /** @type {string} */ (value));
      }
    }
  }
  return members;
}

/**
 * Puts the numbers of const enums where their names stand, as the compiler does for a whole program. esbuild sees one
 * file at a time, and would look each of them up when it is used: several for each job.
 * @param {string} folder
 * @returns {import('rollup').Plugin}
 */
export function constEnums(folder) {
  const members = membersIn(folder);
  const types = new Set([...members.keys()].map((name) => name.split('.')[0]));
  const use = new RegExp(`(?<![\\w.])(?:${[...types].join('|')})\\.\\w+\\b`, 'g');
  return {
    name: 'const-enums',
    transform: (code, id) =>
      id.endsWith('.ts') ? { code: code.replace(use, (name) => members.get(name) ?? name), map: null } : null,
  };
}
