/**
 * One process of a mixed fleet: runs a limiter of one of the two packages and tells its parent what its jobs do.
 *
 * Arguments: a JSON object, see {@link WorkerSetup}.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { WorkerCommand, WorkerSetup } from './protocol';

const setup = JSON.parse(process.argv[2]!) as WorkerSetup;

// The server runs on this machine: its time is the machine's, whatever this process believes.
const serverTime = Date.now.bind(Date);
if (setup.clockAhead !== 0) shiftClock(setup.clockAhead);

function shiftClock(ahead: number): void {
  const RealDate = Date;
  class ShiftedDate extends RealDate {
    constructor(...args: unknown[]) {
      if (args.length === 0) super(RealDate.now() + ahead);
      else super(...(args as [number]));
    }
    static override now(): number {
      return RealDate.now() + ahead;
    }
  }
  globalThis.Date = ShiftedDate as DateConstructor;
}

// biome-ignore lint/suspicious/noExplicitAny: both packages have the same interface, and untyped calls come by message
type Any = any;

const Bottleneck: Any = setup.kind === 'real' ? require('bottleneck') : require('../../lib/index').default;
const Redis: Any = require(setup.driver);

/** How late timers of this process are, while it runs jobs. */
const lateness = monitorEventLoopDelay({ resolution: 2 });
let limiter: Any;
let group: Any;
let jobs = 0;

function tell(type: string, fields: object): void {
  process.send?.({ type, at: serverTime(), ...fields });
}

function listen(emitter: Any): void {
  emitter.on('error', (error: Error) => tell('error', { message: String(error?.message ?? error) }));
  emitter.on('message', (message: string) => tell('message', { message }));
  emitter.on('debug', (message: string) => message.startsWith('The clock') && tell('debug', { message }));
}

function connected(options: object): object {
  const datastore = setup.driver.startsWith('redis') ? 'redis' : 'ioredis';
  if (setup.clusterNodes !== null) return { datastore, Redis, clusterNodes: setup.clusterNodes, ...options };
  const address = { port: setup.port, host: '127.0.0.1' };
  // Node-redis takes the address in an option of its own since version 4, which Bottleneck cannot use.
  const clientOptions = /^redis(?![23]$)/.test(setup.driver) ? { socket: address } : address;
  return { datastore, Redis, clientOptions, ...options };
}

async function runJob(target: Any, options: { weight?: number }, ms: number): Promise<void> {
  const job = `${process.pid}-${++jobs}`;
  const weight = options.weight ?? 1;
  try {
    await target.schedule({ ...options, id: job }, async () => {
      tell('start', { job, weight });
      await new Promise((resolve) => setTimeout(resolve, ms));
      tell('end', { job });
    });
  } catch (error) {
    tell('failed', { job, message: (error as Error).message });
  }
}

async function runJobs(command: Extract<WorkerCommand, { do: 'run' }>): Promise<void> {
  const target = command.key === undefined ? limiter : group.key(command.key);
  const weights = command.weights ?? [1];
  const running = Array.from({ length: command.count }, (_, i) =>
    runJob(target, { ...command.options, weight: weights[i % weights.length]! }, command.ms),
  );
  await Promise.all(running);
}

async function obey(command: WorkerCommand): Promise<unknown> {
  switch (command.do) {
    case 'create':
      limiter = new Bottleneck(connected(command.options));
      listen(limiter);
      await limiter.ready();
      return null;
    case 'createGroup':
      group = new Bottleneck.Group(connected(command.options));
      group.on('created', (member: Any) => listen(member));
      return null;
    case 'run':
      lateness.enable();
      void runJobs(command).then(() => tell('ran', {}));
      return null;
    case 'call': {
      const result = await limiter[command.method](...command.args);
      return typeof result === 'object' ? null : result;
    }
    case 'callGroup':
      return group[command.method](...command.args);
    case 'callKey': {
      const result = await group.key(command.key)[command.method](...command.args);
      return typeof result === 'object' ? null : result;
    }
    case 'block': {
      const end = performance.now() + command.ms;
      while (performance.now() < end); // a process that does not react
      return null;
    }
    case 'lateness':
      return lateness.max / 1e6;
    case 'disconnect':
      await (limiter ?? group).disconnect();
      return null;
  }
}

process.on('message', (message: { id: number; command: WorkerCommand }) => {
  obey(message.command).then(
    (result) => tell(`reply-${message.id}`, { result }),
    (error) => tell(`reply-${message.id}`, { error: String(error?.message ?? error) }),
  );
});
process.on('disconnect', () => process.exit());
process.on('unhandledRejection', (reason) => tell('error', { message: `unhandled: ${String(reason)}` }));
tell('listening', {});
