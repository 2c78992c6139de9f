/** Projects that have the packed package installed, as a user's project has. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export const ROOT = join(__dirname, '../../..');

export interface Consumer {
  readonly folder: string;
  /** Writes a file, making its folder. */
  write(file: string, text: string): void;
  /** Makes a package of the repository's node_modules one of the project's. */
  link(name: string): void;
  /** Runs Node in the project. Throws with the output when it fails. @returns what was printed, without the last newline */
  node(...args: string[]): string;
  /** Runs a program of the repository's own node_modules/.bin, in the project. */
  bin(name: string, ...args: string[]): { status: number | null; output: string };
  remove(): void;
}

let tarball: string | undefined;

/** Packs what `npm publish` would send, once per process. The build must be there. */
export function pack(): string {
  if (tarball) return tarball;
  if (!existsSync(join(ROOT, 'dist/index.js'))) throw new Error('dist/ is missing: run "npm run build" first');
  const folder = mkdtempSync(join(tmpdir(), 'rebottle-pack-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const output = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  tarball = join(folder, packed(output).filename);
  return tarball;
}

/** npm 10 and 11 print a list, npm 12 an object by name. */
function packed(json: string): { filename: string } {
  const parsed: { filename: string }[] | Record<string, { filename: string }> = JSON.parse(json);
  return (Array.isArray(parsed) ? parsed : Object.values(parsed))[0] as { filename: string };
}

const installed = new Map<string, string>();

/** A project that has the package under each of these names, installed once per process. */
function template(names: readonly string[]): string {
  const known = installed.get(names.join());
  if (known !== undefined) return known;
  const folder = mkdtempSync(join(tmpdir(), 'rebottle-template-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const file = pack();
  const project = {
    name: 'consumer',
    private: true,
    dependencies: Object.fromEntries(names.map((name) => [name, `file:${file}`])),
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(project, null, 2));
  execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  installed.set(names.join(), folder);
  return folder;
}

/** A new project that has the package under each of these names. */
export function consumer(names: readonly string[] = ['rebottle']): Consumer {
  const folder = mkdtempSync(join(tmpdir(), 'rebottle-consumer-'));
  cpSync(template(names), folder, { recursive: true, verbatimSymlinks: true });
  return {
    folder,
    write(name, text) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    },
    link(name) {
      mkdirSync(dirname(join(folder, 'node_modules', name)), { recursive: true });
      symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
    },
    node(...args) {
      const { status, stdout, stderr, error } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
      if (error) throw error;
      if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}\n${stdout}${stderr}`);
      return stdout.trimEnd();
    },
    bin(name, ...args) {
      const program = binOf(name);
      const { status, stdout, stderr, error } = spawnSync(process.execPath, [program, ...args], {
        cwd: folder,
        encoding: 'utf8',
      });
      if (error) throw error;
      return { status, output: stdout + stderr };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** By package rather than through .bin: two versions of TypeScript want the name "tsc" there. */
function binOf(packageName: string): string {
  const folder = join(ROOT, 'node_modules', packageName);
  const { bin }: { bin: string | Record<string, string> } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  );
  return join(folder, typeof bin === 'string' ? bin : (Object.values(bin)[0] as string));
}
