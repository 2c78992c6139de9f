import { execFile } from 'node:child_process';
import { availableParallelism, cpus } from 'node:os';
import { promisify } from 'node:util';
import findRedis from '../../scripts/support/find-redis.cjs';

/** What a reader must know of the machine: the figures themselves mean nothing without it. */
export async function describeMachine() {
  const { stdout } = await promisify(execFile)(await findRedis.findRedis(), ['--version']);
  const redis = /v=([\d.]+)/.exec(stdout)?.[1] ?? stdout.trim();
  const cores = availableParallelism();
  const cpu = cpus()[0].model.trim();
  return {
    node: process.version,
    redis,
    cores,
    cpu,
    text: `Node ${process.version}, Redis ${redis}, ${cores} cores (${cpu})`,
  };
}
