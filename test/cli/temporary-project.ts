import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface TemporaryProject {
  /** Writes these files into a new folder. Returns the folder. */
  write(files: Readonly<Record<string, string>>): string;
  /** Makes a folder of the project visible in another place of it, as pnpm does. */
  link(root: string, from: string, to: string): void;
}

/** In a `describe`: folders with files, removed after each test. */
export function temporaryProjects(): TemporaryProject {
  const folders: string[] = [];

  afterEach('remove the projects', () => {
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
  });

  return {
    write(files) {
      const root = mkdtempSync(join(tmpdir(), 'rebottle-check-'));
      folders.push(root);
      for (const [name, text] of Object.entries(files)) {
        mkdirSync(dirname(join(root, name)), { recursive: true });
        writeFileSync(join(root, name), text);
      }
      return root;
    },
    link(root, from, to) {
      mkdirSync(dirname(join(root, from)), { recursive: true });
      symlinkSync(join(root, to), join(root, from), 'dir');
    },
  };
}
