import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';

const SETPRIV = '/usr/bin/setpriv';

export interface WorkerMessage {
  type: string;
  [field: string]: unknown;
}

export interface WorkerOptions {
  args?: string[];
  env?: Record<string, string | undefined>;
  /** Load TypeScript. Default: for scripts that end in .ts. */
  typescript?: boolean;
  /** File that takes what the worker prints. Default: this process's own output. */
  logFile?: string;
}

export interface WorkerExit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A child process that runs a script and talks JSON over Node's own channel. */
export class WorkerProcess {
  readonly messages: WorkerMessage[] = [];
  readonly exited: Promise<WorkerExit>;
  exit: WorkerExit | undefined;
  private readonly child: ChildProcess;
  private readonly listeners = new Set<(message: WorkerMessage) => void>();

  constructor(
    script: string,
    { args = [], env = {}, typescript = script.endsWith('.ts'), logFile }: WorkerOptions = {},
  ) {
    const command = [process.execPath, ...(typescript ? ['--require', 'tsx/cjs'] : []), script, ...args];
    // A parent that is killed outright cannot end its children, least of all paused ones: the kernel can, on Linux.
    const guarded = process.platform === 'linux' && fs.existsSync(SETPRIV);
    const [file, ...rest] = guarded ? [SETPRIV, '--pdeathsig', 'KILL', ...command] : command;
    const output = logFile === undefined ? 'inherit' : fs.openSync(logFile, 'a');
    this.child = spawn(file!, rest, { stdio: ['ignore', output, output, 'ipc'], env: { ...process.env, ...env } });
    if (typeof output === 'number') fs.closeSync(output);
    this.child.on('message', (message) => this.receive(message as WorkerMessage));
    this.child.on('error', () => {});
    this.exited = new Promise((resolve) => {
      this.child.once('exit', (code, signal) => {
        this.exit = { code, signal };
        resolve(this.exit);
      });
    });
  }

  get pid(): number {
    return this.child.pid!;
  }

  get running(): boolean {
    return this.exit === undefined;
  }

  /** What was sent to a worker that has just ended is lost, as it would be a moment later. */
  send(message: WorkerMessage): void {
    if (this.child.connected) this.child.send(message, () => {});
  }

  /** Gives back what takes the listener off. */
  onMessage(listener: (message: WorkerMessage) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** The first message of this type, earlier ones included; rejects when the worker ends or stays silent. */
  waitFor(type: string, within = 15_000): Promise<WorkerMessage> {
    const earlier = this.messages.find((message) => message.type === type);
    if (earlier) return Promise.resolve(earlier);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => finish(() => reject(new Error(`no message "${type}" within ${within} ms`))),
        within,
      );
      const listener = (message: WorkerMessage) => {
        if (message.type === type) finish(() => resolve(message));
      };
      const finish = (settle: () => void) => {
        clearTimeout(timer);
        this.listeners.delete(listener);
        settle();
      };
      this.listeners.add(listener);
      void this.exited.then((exit) => {
        finish(() => reject(new Error(`the worker ended before "${type}": ${JSON.stringify(exit)}`)));
      });
    });
  }

  kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<WorkerExit> {
    this.child.kill(signal);
    return this.exited;
  }

  /** Sends a signal and does not wait. */
  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** SIGSTOP: no code runs, connections stay open. */
  pause(): void {
    this.child.kill('SIGSTOP');
  }

  /** SIGCONT. */
  resume(): void {
    this.child.kill('SIGCONT');
  }

  private receive(message: WorkerMessage): void {
    // A long run asks for its figures again and again: the last of a kind is enough.
    const known = this.messages.findIndex(({ type }) => type === message.type);
    if (known < 0) this.messages.push(message);
    else this.messages[known] = message;
    for (const listener of this.listeners) listener(message);
  }
}

/** The next message of this type, whatever came before. */
export function nextMessage(worker: WorkerProcess, type: string): Promise<WorkerMessage> {
  return new Promise((resolve, reject) => {
    const off = worker.onMessage((message) => {
      if (message.type !== type) return;
      off();
      resolve(message);
    });
    void worker.exited.then((exit) => reject(new Error(`the worker ended: ${JSON.stringify(exit)}`)));
  });
}
