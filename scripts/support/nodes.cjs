/** The versions of Node on this machine. */
const { execFileSync } = require('node:child_process');
const { existsSync, readdirSync } = require('node:fs');
const { homedir } = require('node:os');
const { join } = require('node:path');

const FETCHED = join(__dirname, '../../.tmp/nodes');

/** The program in a folder that Node was unpacked to. @param {string} folder */
const nodeIn = (folder) => join(folder, ...(process.platform === 'win32' ? ['bin', 'node.exe'] : ['bin', 'node']));

/** @param {string} folder */
const foldersIn = (folder) => (existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []);

/**
 * One of each major version: the one that runs this, those of scripts/fetch-nodes.mjs, and those of nvm, fnm and n.
 *
 * @returns {{ version: string, program: string }[]} in the order of their versions
 */
function findNodes() {
  const home = homedir();
  const candidates = [
    process.execPath,
    ...foldersIn(FETCHED)
      .flatMap((folder) => foldersIn(join(folder, 'node_modules')))
      .map(nodeIn),
    ...foldersIn(join(process.env.NVM_DIR ?? join(home, '.nvm'), 'versions/node')).map(nodeIn),
    ...foldersIn(join(process.env.FNM_DIR ?? join(home, '.local/share/fnm'), 'node-versions')).map((folder) =>
      nodeIn(join(folder, 'installation')),
    ),
    ...foldersIn(join(process.env.N_PREFIX ?? '/usr/local', 'n/versions/node')).map(nodeIn),
  ];
  /** @type {Map<string, { version: string, program: string }>} */
  const found = new Map();
  for (const program of candidates.filter((file) => existsSync(file))) {
    const version = execFileSync(program, ['--version'], { encoding: 'utf8' }).trim().slice(1);
    const major = String(version.split('.')[0]);
    if (Number(major) >= 20 && !found.has(major)) found.set(major, { version, program });
  }
  return [...found.values()].sort((a, b) => Number.parseInt(a.version, 10) - Number.parseInt(b.version, 10));
}

module.exports = { findNodes, nodeIn };
