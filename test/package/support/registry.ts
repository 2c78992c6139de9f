/**
 * A registry of npm on loopback, with this package and some of the repository's own node_modules in it, so that a real
 * `npm install` resolves names, ranges, aliases and overrides without any other machine.
 */
import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { pack, ROOT } from './consumer';

const run = promisify(execFile);

interface Manifest {
  name: string;
  version: string;
  dependencies?: Record<string, string>;
  [field: string]: unknown;
}

interface Packed {
  filename: string;
  integrity: string;
}

export class Registry {
  private constructor(
    private readonly server: Server,
    private readonly folder: string,
  ) {}

  /** Serves these packages of the repository, all that they depend on, and the packed package. */
  static async start(names: readonly string[]): Promise<Registry> {
    const folder = mkdtempSync(join(tmpdir(), 'rebottle-registry-'));
    const packed = packAll([...closure(names)], folder);
    const own = pack();
    const files = new Map([[basename(own), own]]);
    for (const { filename } of packed) files.set(filename, join(folder, filename));
    const manifests = [...files.values()].map((file) => ({ file: basename(file), manifest: manifestIn(file) }));

    const server = createServer((request, response) => {
      const path = decodeURIComponent((request.url ?? '').slice(1));
      const file = files.get(path.replace(/^-\//, ''));
      const versions = manifests.filter(({ manifest }) => manifest.name === path);
      if (file !== undefined) response.end(readFileSync(file));
      else if (versions.length === 0) response.writeHead(404).end('{}');
      else {
        const origin = `http://${request.headers.host}`;
        response.setHeader('content-type', 'application/json');
        response.end(
          JSON.stringify({
            name: path,
            'dist-tags': { latest: versions.at(-1)!.manifest.version },
            versions: Object.fromEntries(
              versions.map(({ file: tarball, manifest }) => [
                manifest.version,
                { ...manifest, dist: { tarball: `${origin}/-/${tarball}` } },
              ]),
            ),
          }),
        );
      }
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new Registry(server, folder);
  }

  /** Makes a project with these files and installs what its package.json asks for. @returns its folder */
  async install(files: Readonly<Record<string, string>>): Promise<string> {
    const folder = mkdtempSync(join(this.folder, 'project-'));
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    const { port } = this.server.address() as AddressInfo;
    const args = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
    const from = [`--registry=http://127.0.0.1:${port}/`, `--cache=${join(this.folder, 'cache')}`];
    await run('npm', ['install', ...args, ...from], { cwd: folder });
    return folder;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Folders of these packages and of all that they depend on, as Node would find them. */
function closure(names: readonly string[]): Set<string> {
  const found = new Set<string>();
  const open = names.map((name) => ({ name, from: ROOT }));
  for (const { name, from } of open) {
    const folder = folderOf(name, from);
    if (found.has(folder)) continue;
    found.add(folder);
    const { dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
    for (const dependency of Object.keys(dependencies)) open.push({ name: dependency, from: folder });
  }
  return found;
}

function folderOf(name: string, from: string): string {
  for (let at = from; ; at = dirname(at)) {
    const folder = join(at, 'node_modules', name);
    if (existsSync(join(folder, 'package.json'))) return folder;
    if (at === dirname(at)) throw new Error(`${name} is not installed`);
  }
}

function packAll(folders: readonly string[], to: string): Packed[] {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', to, ...folders];
  const output = execFileSync('npm', args, { cwd: to, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const parsed: Packed[] | Record<string, Packed> = JSON.parse(output);
  return Object.values(parsed);
}

/** The package.json in a tarball. */
function manifestIn(file: string): Manifest {
  return JSON.parse(execFileSync('tar', ['-xzOf', file, 'package/package.json'], { encoding: 'utf8' }));
}
