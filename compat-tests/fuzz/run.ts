/**
 * npm run fuzz -- --scenarios N --seed S [--tolerate N] [--self]
 *
 * `--self` compares Bottleneck with itself, which must find nothing: a check of the fuzz, not of rebottle.
 */
import { parseArgs } from 'node:util';
import { ours, upstream } from '../harness/subjects';
import { compare } from './compare';
import { fuzz, report } from './fuzz';
import { keep, keptScenarios } from './kept';

const { values } = parseArgs({
  options: {
    scenarios: { type: 'string', default: '1500' },
    seed: { type: 'string', default: '1' },
    tolerate: { type: 'string', default: '0' },
    self: { type: 'boolean', default: false },
  },
});

async function main(): Promise<void> {
  const subjects = { upstream: upstream(), ours: values.self ? upstream() : ours() };
  for (const scenario of keptScenarios()) {
    const comparison = await compare(scenario, subjects.upstream, subjects.ours);
    if (comparison.outcome !== 'diverges') continue;
    console.log('A kept scenario diverges:', JSON.stringify(scenario), comparison.differences.slice(0, 3));
    process.exitCode = 1;
  }
  const tally = await fuzz({
    ...subjects,
    scenarios: Number(values.scenarios),
    seed: Number(values.seed),
    tolerate: Number(values.tolerate),
    onProgress: (compared) => {
      if (compared % 1000 === 0) console.log(`${compared} compared`);
    },
  });
  console.log(report(tally));
  for (const { scenario } of tally.divergences) keep(scenario);
  if (tally.divergences.length > 0) process.exitCode = 1;
}

void main();
