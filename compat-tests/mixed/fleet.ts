import path from 'node:path';
import { eventually } from '../../test/support/eventually';
import { type WorkerMessage, WorkerProcess } from '../../test/support/worker-process';
import { Log } from './log';
import type { Kind, WorkerCommand, WorkerSetup } from './protocol';

const WORKER = path.join(__dirname, 'worker.ts');

/** Where the fleet's Redis is. */
export type Address = Pick<WorkerSetup, 'port' | 'clusterNodes'>;

export interface MemberOptions {
  /** ms by which its clock is ahead. */
  clockAhead?: number;
  driver?: string;
}

/** One process of the fleet. */
export class Member {
  readonly errors: string[] = [];
  readonly failures: string[] = [];
  readonly heard: string[] = [];
  readonly debug: string[] = [];
  private readonly process: WorkerProcess;
  private commands = 0;
  private runs = 0;
  private ran = 0;

  constructor(
    readonly name: string,
    readonly kind: Kind,
    private readonly log: Log,
    address: Address,
    { clockAhead = 0, driver = process.env.MIXED_DRIVER ?? 'ioredis5' }: MemberOptions,
  ) {
    this.process = new WorkerProcess(WORKER, { args: [JSON.stringify({ kind, driver, clockAhead, ...address })] });
    this.process.onMessage((message) => this.receive(message));
  }

  get pid(): number {
    return this.process.pid;
  }

  ready(): Promise<WorkerMessage> {
    return this.process.waitFor('listening', 30_000);
  }

  async do(command: WorkerCommand): Promise<unknown> {
    const id = ++this.commands;
    this.process.send({ type: 'command', id, command });
    const reply = await this.process.waitFor(`reply-${id}`, 30_000);
    if (reply.error !== undefined) throw new Error(`${this.name}: ${String(reply.error)}`);
    return reply.result;
  }

  /** ms by which a timer of it was late at most, since it was given jobs. */
  async lateness(): Promise<number> {
    return Number(await this.do({ do: 'lateness' }));
  }

  call(method: string, ...args: unknown[]): Promise<unknown> {
    return this.do({ do: 'call', method, args });
  }

  /** Schedules jobs; resolves when they are scheduled. */
  async run(
    count: number,
    ms: number,
    more: { weights?: number[]; options?: object; key?: string } = {},
  ): Promise<void> {
    this.runs++;
    await this.do({ do: 'run', count, ms, ...more });
  }

  /** Resolves when all that was scheduled has settled. */
  async finished(within = 30_000): Promise<void> {
    await eventually(() => this.ran === this.runs, { within, every: 10, that: `${this.name}: all jobs settled` });
  }

  async kill(): Promise<void> {
    await this.process.kill('SIGKILL');
    this.log.gone(this.name, Date.now());
  }

  pause(): void {
    this.process.pause();
  }

  resume(): void {
    this.process.resume();
  }

  async end(): Promise<void> {
    if (!this.process.running) return;
    await this.do({ do: 'disconnect' }).catch(() => {});
    await this.process.kill();
  }

  private receive(message: WorkerMessage): void {
    const at = Number(message.at);
    if (message.type === 'start') this.log.start(this.name, this.kind, String(message.job), Number(message.weight), at);
    else if (message.type === 'end') this.log.end(String(message.job), at);
    else if (message.type === 'error') this.errors.push(String(message.message));
    else if (message.type === 'failed') this.failures.push(String(message.message));
    else if (message.type === 'message') this.heard.push(String(message.message));
    else if (message.type === 'debug') this.debug.push(String(message.message));
    else if (message.type === 'ran') this.ran++;
  }
}

/** Processes of both kinds on one limiter id, and the log of what their jobs did. */
export class Fleet {
  readonly log = new Log();
  readonly members: Member[] = [];

  constructor(
    private readonly address: Address,
    private readonly id: string,
  ) {}

  get real(): Member[] {
    return this.members.filter((member) => member.kind === 'real');
  }

  get ours(): Member[] {
    return this.members.filter((member) => member.kind === 'ours');
  }

  /** Starts a process with a limiter. */
  async join(kind: Kind, options: object, more: MemberOptions = {}): Promise<Member> {
    const member = await this.start(kind, more);
    await this.enter(member, options);
    return member;
  }

  /** Gives a process its limiter. */
  async enter(member: Member, options: object): Promise<void> {
    await member.do({ do: 'create', options: { id: this.id, ...options } });
  }

  /** Starts a process with a Group. */
  async joinGroup(kind: Kind, options: object, more: MemberOptions = {}): Promise<Member> {
    const member = await this.start(kind, more);
    await member.do({ do: 'createGroup', options: { id: this.id, ...options } });
    return member;
  }

  /** `RRO`: two real processes, then one of ours, in this order. */
  async compose(composition: string, options: object): Promise<void> {
    const kinds = [...composition].map((letter): Kind => (letter === 'R' ? 'real' : 'ours'));
    const members = await Promise.all(kinds.map((kind) => this.start(kind)));
    for (const member of members) await this.enter(member, options);
  }

  /** Every member schedules the same. */
  async runEverywhere(count: number, ms: number, more: { weights?: number[]; options?: object } = {}): Promise<void> {
    await Promise.all(this.members.map((member) => member.run(count, ms, more)));
  }

  async finished(within?: number): Promise<void> {
    await Promise.all(this.members.map((member) => member.finished(within)));
  }

  async end(): Promise<void> {
    await Promise.all(this.members.map((member) => member.end()));
  }

  /** Starts a process without a limiter. */
  async start(kind: Kind, more: MemberOptions = {}): Promise<Member> {
    const member = new Member(`${kind}${this.members.length + 1}`, kind, this.log, this.address, more);
    this.members.push(member);
    await member.ready();
    return member;
  }
}
