import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { WorkerPlan } from './workload.mjs';

const WORKER = fileURLToPath(new URL('worker.cjs', import.meta.url));
const PACKAGE_MAP = fileURLToPath(new URL('map-package.cjs', import.meta.url));

/** How long a worker may take to end by itself once its jobs have settled, in ms. */
const EXIT_TIME = 1000;

type WorkerMessage = { type: 'ready' } | { type: 'settled'; failures: string[] } | { type: 'error'; message: string };

export interface WorkerSetting {
  packagePath: string;
  limiterId: string;
  redisPort: number;
  serverPort: number;
}

/** One process of the fleet. */
export class WorkerProcess {
  readonly name: string;
  readonly child: ChildProcess;
  /** Resolves when the limiter is connected; rejects if the process ends before. */
  readonly ready: Promise<void>;
  /** Resolves when every job has settled, or the process has ended. */
  readonly settled: Promise<void>;

  constructor(plan: WorkerPlan, setting: WorkerSetting, onError: (text: string) => void) {
    this.name = plan.name;
    this.child = fork(WORKER, {
      execArgv: ['--require', PACKAGE_MAP],
      env: {
        ...process.env,
        DEMO_PACKAGE: setting.packagePath,
        DEMO_WORKER: JSON.stringify({ ...plan, ...setting }),
      },
    });
    this.ready = new Promise((resolve, reject) => {
      this.child.once('exit', (code) => reject(new Error(`${plan.name} ended before it was ready (${code})`)));
      this.child.on('message', (message: WorkerMessage) => message.type === 'ready' && resolve());
    });
    this.settled = new Promise((resolve) => {
      this.child.on('message', (message: WorkerMessage) => {
        if (message.type === 'error') onError(message.message);
        if (message.type !== 'settled') return;
        for (const failure of message.failures) onError(failure);
        resolve();
      });
      this.child.once('exit', () => resolve());
    });
  }

  start(): void {
    this.child.send('go');
  }

  kill(): void {
    this.child.kill('SIGKILL');
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const timer = setTimeout(() => this.kill(), EXIT_TIME);
    await once(this.child, 'exit');
    clearTimeout(timer);
  }
}
