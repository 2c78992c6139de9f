import { parseArgs } from 'node:util';
import { benchmarks, findBenchmark } from '../benchmarks/index.mjs';

const HELP = `npm run bench -- [options]

  --quick           small sizes, one round: proves that everything runs and that no ratio is absurd
  --only NAMES      benchmarks whose name contains one of these, separated by commas
  --library NAMES   these libraries only, separated by commas
  --rounds N        rounds of each benchmark (default 5, or what a long one asks for)
  --json FILE       writes every round's figures, the summary and the machine to FILE
  --profile NAME    runs one benchmark of rebottle once (or of the --library), and tells where its time goes
  --list            names the benchmarks
`;

const OPTIONS = {
  quick: { type: 'boolean', default: false },
  only: { type: 'string' },
  library: { type: 'string' },
  rounds: { type: 'string' },
  json: { type: 'string' },
  profile: { type: 'string' },
  list: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
};

/** Reads the command line; `text` is set when there is only something to print. */
export function readOptions(args) {
  const { values } = parseArgs({ args, options: OPTIONS });
  if (values.help) return { text: HELP };
  if (values.list) return { text: benchmarks.map(({ name, title }) => `${name.padEnd(24)}${title}`).join('\n') };
  const libraries = values.library?.split(',');
  if (values.profile) return { profiled: findBenchmark(values.profile), library: libraries?.[0], quick: values.quick };
  const parts = values.only?.split(',');
  const chosen = benchmarks.filter(({ name }) => !parts || parts.some((part) => name.includes(part)));
  if (chosen.length === 0) throw new Error(`no benchmark's name contains "${values.only}": see --list`);
  const rounds = values.rounds === undefined ? undefined : Number(values.rounds);
  if (rounds !== undefined && !(Number.isInteger(rounds) && rounds > 0)) {
    throw new Error(`--rounds must be a whole number above 0, got ${values.rounds}`);
  }
  return { chosen, libraries, rounds, quick: values.quick, json: values.json };
}
