/** Retries, asked for by what a `failed` listener returns. */
import { expect } from 'chai';
import { scenario } from './scenario';

export const retries = [
  scenario({
    id: 'retry-after-the-returned-time',
    title: 'a "failed" listener that returns a number has the job retried so many ms later, with a "retry" event',
    covers: ['on:failed', 'on:retry'],
    async run(world) {
      const limiter = world.limiter({}, (_label, count) => (count === 0 ? 25 : null));
      const messages: unknown[] = [];
      limiter.on('retry', (message, { options, retryCount }) => messages.push([message, options.id, retryCount]));
      const outcome = world.job(limiter, 'ABC123', { failures: 1 });
      await world.time.sleep(500);
      return { began: outcome.began, value: outcome.value, messages };
    },
    holds: (result) =>
      expect(result).to.deep.equal({
        began: [0, 35],
        value: 'ABC123 done',
        messages: [['Retrying ABC123 after 25 ms', 'ABC123', 0]],
      }),
  }),
  scenario({
    id: 'retry-at-once',
    title: '0 asks for a retry at once',
    covers: ['on:failed'],
    async run(world) {
      const limiter = world.limiter({}, () => 0);
      const outcome = world.job(limiter, 'job', { failures: 3 });
      await world.time.sleep(500);
      return { began: outcome.began, value: outcome.value };
    },
    holds: (result) => expect(result).to.deep.equal({ began: [0, 10, 20, 30], value: 'job done' }),
  }),
  scenario({
    id: 'retry-counts-up',
    title: 'retryCount tells how often the job was retried, and the last error counts in the end',
    covers: ['on:failed', 'on:executing', 'on:done'],
    async run(world) {
      const limiter = world.limiter({}, (_label, count) => (count < 2 ? 5 : null));
      const counts: Array<number | undefined> = [];
      limiter.on('executing', ({ retryCount }) => counts.push(retryCount));
      limiter.on('done', ({ retryCount }) => counts.push(retryCount));
      const outcome = world.job(limiter, 'job', { failures: 9 });
      await world.time.sleep(500);
      return { counts, error: outcome.error, attempts: outcome.began.length };
    },
    holds: (result) => expect(result).to.deep.equal({ counts: [0, 1, 2, 2], error: 'Error(job failed)', attempts: 3 }),
  }),
  scenario({
    id: 'retry-keeps-its-slot',
    title: 'a job that waits for its retry is EXECUTING and counts for maxConcurrent',
    covers: ['on:failed', 'maxConcurrent', 'jobStatus()', 'running()'],
    async run(world) {
      const limiter = world.limiter({ maxConcurrent: 1 }, (_label, count) => (count === 0 ? 200 : null));
      world.job(limiter, 'job', { failures: 1 });
      const next = world.job(limiter, 'next');
      await world.time.sleep(100);
      await world.look();
      const during = [limiter.jobStatus('job'), await world.waitFor(limiter.running())];
      await world.time.sleep(500);
      return { during, next: next.began };
    },
    holds: (result) => expect(result).to.deep.equal({ during: ['EXECUTING', 1], next: [220] }),
  }),
  scenario({
    id: 'retry-asked-for-by-a-promise',
    title: 'the "failed" listener may be asynchronous',
    covers: ['on:failed'],
    async run(world) {
      const limiter = world.limiter();
      limiter.on('failed', async (_error, { retryCount }) => {
        await world.pause(30);
        return retryCount === 0 ? 20 : undefined;
      });
      const outcome = world.job(limiter, 'job', { failures: 1 });
      await world.time.sleep(500);
      return outcome.began;
    },
    holds: (began) => expect(began).to.deep.equal([0, 60]),
  }),
  scenario({
    id: 'retry-asked-for-by-the-first-listener-with-an-answer',
    title: 'of several "failed" listeners the first one that returns something decides',
    covers: ['on:failed'],
    async run(world) {
      const limiter = world.limiter();
      limiter.on('failed', () => undefined);
      limiter.on('failed', () => null);
      limiter.on('failed', (_error, { retryCount }) => (retryCount === 0 ? 50 : null));
      limiter.on('failed', (_error, { retryCount }) => (retryCount === 0 ? 5 : null));
      const outcome = world.job(limiter, 'job', { failures: 1 });
      await world.time.sleep(500);
      return outcome.began;
    },
    holds: (began) => expect(began).to.deep.equal([0, 60]),
  }),
  scenario({
    id: 'retry-after-an-expiration',
    title: 'an expired attempt can be retried too; each attempt has the whole expiration',
    covers: ['on:failed', 'expiration'],
    async run(world) {
      const limiter = world.limiter({}, (_label, count) => (count === 0 ? 10 : null));
      const outcome = world.outcome('job');
      const task = async (): Promise<string> => {
        outcome.began.push(world.time.now);
        // The first attempt never ends, so that it cannot end late.
        await (outcome.began.length === 1 ? new Promise(() => {}) : world.pause(40));
        return 'second attempt';
      };
      world.follow(outcome, limiter.schedule({ id: 'job', expiration: 50 }, task));
      await world.time.sleep(500);
      return { began: outcome.began, value: outcome.value };
    },
    holds: (result) => expect(result).to.deep.equal({ began: [0, 60], value: 'second attempt' }),
  }),
  scenario({
    id: 'retry-example-of-the-documentation',
    title: 'a job whose listener answers its first failure with 25 is run once more, 25 ms later',
    covers: ['on:failed', 'on:retry'],
    async run(world) {
      const said: string[] = [];
      const limiter = new world.Bottleneck();
      limiter.on('failed', async (error, { options, retryCount }) => {
        said.push(`${options.id} failed: ${error}`);
        if (retryCount > 0) return;
        said.push(`retrying ${options.id} in 25ms`);
        return 25;
      });
      limiter.on('retry', (message, { options }) => said.push(`retrying ${options.id} now: ${message}`));
      let executions = 0;
      const result = await world.waitFor(
        limiter.schedule({ id: 'ABC123' }, async () => {
          if (++executions === 1) throw new Error('Boom!');
          return `Success at ${world.time.now}`;
        }),
      );
      return [...said, result];
    },
    holds: (said) =>
      expect(said).to.deep.equal([
        'ABC123 failed: Error: Boom!',
        'retrying ABC123 in 25ms',
        'retrying ABC123 now: Retrying ABC123 after 25 ms',
        'Success at 25',
      ]),
  }),
  scenario({
    id: 'fault-22-retries-that-obey-the-limits',
    title: "retryMode: 'requeue' gives the slot back, and has the next attempt wait for its turn and obey the limits",
    covers: ['on:failed', 'retryMode'],
    difference: 'retry-mode-requeue',
    async run(world) {
      const options = { maxConcurrent: 1, minTime: 100, retryMode: 'requeue' } as object;
      const limiter = world.limiter(options, (_label, count) => (count === 0 ? 5 : null));
      const job = world.job(limiter, 'job', { failures: 1 });
      const next = world.job(limiter, 'next');
      await world.time.sleep(1000);
      return { job: job.began, next: next.began };
    },
    holds: (result) => expect(result).to.deep.equal({ job: [0, 200], next: [100] }),
  }),
];
