import { statSync } from 'node:fs';
import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { version } from '../version.js';
import { check } from './check/check.js';
import { allDifferences } from './check/differences.js';
import { renderJson, renderText } from './check/report.js';
import { runLive, type Screen } from './top/live.js';
import { failureText, readOnce, renderPlain, renderTopJson, type TopOptions } from './top/top.js';

/** Where the program writes, and what it knows of the terminal. */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  readonly color: boolean;
  /** Where a person sits before it: a place for a live view. */
  readonly screen?: Screen | undefined;
}

const SUCCESS = 0;
const DIFFERENCES_FOUND = 1;
const UNREADABLE = 1;
const USAGE_ERROR = 2;

const DEFAULT_URL = 'redis://127.0.0.1:6379';

/** Runs the command line. Resolves to the exit code. */
export async function main(args: readonly string[], terminal: Terminal): Promise<number> {
  let exitCode = SUCCESS;
  const program = new Command('rebottle')
    .version(version)
    .description('Tools for rebottle, the drop-in replacement for bottleneck.')
    .exitOverride()
    .configureOutput({ writeOut: (text) => terminal.out(text), writeErr: (text) => terminal.err(text) });

  program
    .command('check')
    .description('find the uses of Bottleneck in a code base, and what behaves differently on rebottle')
    .argument('[dir]', 'the folder to look in', directory, '.')
    .option('--json', 'write JSON')
    .option(
      '--ignore <ids>',
      'differences that you have read and that do not matter, separated by commas',
      differenceIds,
    )
    .option('--no-dependencies', 'do not look into node_modules')
    .addHelpText('after', '\nExit codes: 0 nothing to do, 1 differences found, 2 wrong usage.')
    .action((dir: string, options: { json?: boolean; ignore?: string[]; dependencies: boolean }) => {
      const result = check(dir, options);
      terminal.out(options.json ? renderJson(result) : renderText(result, terminal.color));
      exitCode = result.clean ? SUCCESS : DIFFERENCES_FOUND;
    });

  program
    .command('top')
    .description('watch the limiters on a Redis, whether Bottleneck or rebottle uses them')
    .option('--url <url>', 'redis:// or rediss://, with user and password where needed', redisUrl, DEFAULT_URL)
    .option('--match <glob>', 'only limiters whose id matches', '*')
    .option('--key-prefix <prefix>', 'of a client that prefixes its keys', '')
    .option('--limit <number>', 'most limiters that are read', wholeNumber(1), 500)
    .option('--interval <ms>', 'between readings', wholeNumber(100), 1000)
    .option('--json', 'write JSON, once')
    .option('--once', 'write a table, once; so it is where the output is no terminal')
    .addHelpText('after', '\nExit codes: 0, 1 the server cannot be read, 2 wrong usage.')
    .action(async (options: TopOptions & { json?: boolean; once?: boolean }) => {
      try {
        if (terminal.screen !== undefined && !options.json && !options.once) await runLive(options, terminal.screen);
        else {
          const scene = await readOnce(options);
          terminal.out(options.json ? renderTopJson(scene) : renderPlain(scene));
        }
      } catch (error) {
        terminal.err(`${failureText(options.url, error)}\n`);
        exitCode = UNREADABLE;
      }
    });

  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    // Commander has printed it already; help and version end the same way, with code 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? SUCCESS : USAGE_ERROR;
    throw error;
  }
}

function directory(path: string): string {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new InvalidArgumentError('No such folder.');
  return path;
}

function redisUrl(text: string): string {
  if (!/^rediss?:$/.test(URL.canParse(text) ? new URL(text).protocol : '')) {
    throw new InvalidArgumentError('It must begin with redis:// or rediss://.');
  }
  return text;
}

function wholeNumber(least: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (!Number.isInteger(number) || number < least) throw new InvalidArgumentError(`A whole number from ${least} on.`);
    return number;
  };
}

function differenceIds(list: string): string[] {
  const ids = list.split(',').map((id) => id.trim());
  const known = new Set(allDifferences().map(({ id }) => id));
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length > 0) throw new InvalidArgumentError(`MIGRATION.md has no ${unknown.join(', ')}.`);
  return ids;
}
