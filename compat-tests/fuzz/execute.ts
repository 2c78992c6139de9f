/** Runs a scenario on one of the packages, in virtual time, and gives the trace. */
import type Bottleneck from 'bottleneck';
import { Recorder } from '../harness/recorder';
import type { Subject } from '../harness/subjects';
import type { Trace } from '../harness/trace';
import { captureUnhandled } from '../harness/unhandled';
import { VirtualTime } from '../harness/virtual-time';
import type { Action, JobPlan, LimiterPlan, Scenario } from './scenario';

export async function execute(scenario: Scenario, subject: Subject): Promise<Trace> {
  const time = new VirtualTime();
  const run = new Run(scenario, subject, time);
  const restore = captureUnhandled((error) => run.recorder.note('unhandled', run.recorder.show(error)));
  try {
    await run.perform();
  } finally {
    time.uninstall();
    restore();
  }
  return run.recorder.trace;
}

class Run {
  readonly recorder: Recorder;
  private readonly limiters = new Map<string, Bottleneck>();
  private readonly plans = new Map<string, JobPlan>();
  private readonly called = new Map<string, number>();
  private group: Bottleneck.Group | undefined;

  constructor(
    private readonly scenario: Scenario,
    private readonly subject: Subject,
    private readonly time: VirtualTime,
  ) {
    this.recorder = new Recorder(subject, time);
  }

  async perform(): Promise<void> {
    this.build();
    for (const action of this.scenario.actions) {
      await this.time.until(action.at);
      this.act(action);
      await this.time.settle();
      if (action.kind !== 'look') await this.look();
    }
    await this.time.until(this.scenario.end);
    await this.look();
  }

  private build(): void {
    const { Bottleneck } = this.subject;
    if (this.scenario.group) {
      this.group = new Bottleneck.Group({ ...this.scenario.group });
      this.group.on('created', (limiter, key) => this.adopt(key, limiter));
    }
    for (const plan of this.scenario.limiters) {
      if (!plan.inGroup) this.adopt(plan.name, new Bottleneck({ id: plan.name, ...plan.settings }));
    }
  }

  private adopt(name: string, limiter: Bottleneck): void {
    this.limiters.set(name, limiter);
    this.recorder.note(`limiter ${name}`, 'created');
    this.recorder.watch(name, limiter, (label, retryCount) => this.plans.get(label)?.retries[retryCount] ?? null);
    if (this.scenario.debug) this.recorder.watchDebug(name, limiter);
  }

  private limiter(name: string): Bottleneck {
    if (this.isGrouped(name)) return (this.group as Bottleneck.Group).key(name);
    return this.limiters.get(name) as Bottleneck;
  }

  private isGrouped(name: string): boolean {
    return this.scenario.limiters.some((plan: LimiterPlan) => plan.name === name && plan.inGroup);
  }

  private act(action: Action): void {
    const { recorder } = this;
    switch (action.kind) {
      case 'jobs':
        for (const job of action.jobs) this.submit(this.limiter(action.limiter), job);
        return;
      case 'update':
        recorder.call('updateSettings', () =>
          this.limiter(action.limiter).updateSettings({ ...action.settings } as never),
        );
        return;
      case 'increment':
        recorder.call('incrementReservoir', () => this.limiter(action.limiter).incrementReservoir(action.by));
        return;
      case 'stop':
        recorder.call('stop', () => this.limiter(action.limiter).stop({ ...action.options } as never));
        return;
      case 'publish':
        recorder.call('publish', () => this.limiter(action.limiter).publish(action.message));
        return;
      case 'disconnect':
        recorder.call('disconnect', () => this.limiter(action.limiter).disconnect());
        return;
      case 'deleteKey':
        recorder.call('deleteKey', () => (this.group as Bottleneck.Group).deleteKey(action.limiter));
        return;
      case 'chain': {
        const target = action.to === null ? null : this.limiter(action.to);
        this.limiter(action.limiter).chain(target as Bottleneck);
        return;
      }
      case 'look':
        void this.look();
    }
  }

  private submit(limiter: Bottleneck, plan: JobPlan): void {
    this.plans.set(plan.label, plan);
    const { label, id, priority, weight, expiration } = plan;
    const options = Object.fromEntries(
      Object.entries({ id, priority, weight, expiration }).filter(([, value]) => value !== undefined),
    );
    const stream = `job ${label}`;
    const work = (given: string): Promise<string> => this.work(given);
    if (plan.via === 'schedule') this.recorder.settles(stream, limiter.schedule(options, work, label));
    else if (plan.via === 'wrap') this.recorder.settles(stream, limiter.wrap(work).withOptions(options, label));
    else {
      const withCallback = (given: string, done: (error: unknown, value?: string) => void): void => {
        this.work(given).then(
          (value) => done(null, value),
          (error) => done(error),
        );
      };
      const called = (...args: unknown[]): void =>
        this.recorder.note(stream, `called back ${args.map((arg) => this.recorder.show(arg)).join(', ')}`);
      limiter.submit(options, withCallback as never, label as never, called as never);
    }
  }

  private async work(label: string): Promise<string> {
    const { attempts } = this.plans.get(label) as JobPlan;
    const count = this.called.get(label) ?? 0;
    this.called.set(label, count + 1);
    const { takes, fails } = attempts[Math.min(count, attempts.length - 1)] as JobPlan['attempts'][number];
    this.recorder.note(`job ${label}`, `began attempt ${count}`);
    if (takes > 0) await new Promise<void>((resolve) => setTimeout(resolve, takes));
    this.recorder.note(`job ${label}`, `ended attempt ${count}`);
    if (fails) throw new Error(`${label} failed in attempt ${count}`);
    return `${label} done in attempt ${count}`;
  }

  private async look(): Promise<void> {
    const ids = [...this.plans.values()].flatMap((plan) => plan.id ?? []);
    this.recorder.look(this.limiters, ids);
    if (this.group) this.recorder.note('group', this.group.keys().join(' '));
    await this.time.settle();
  }
}
