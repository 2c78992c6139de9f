/** Groups of in-process limiters. */
import type Bottleneck from 'bottleneck';
import { expect } from 'chai';
import { scenario } from './scenario';

// biome-ignore lint/suspicious/noExplicitAny: calls that the types forbid
type Any = any;

export const groups = [
  scenario({
    id: 'group-makes-one-limiter-for-each-key',
    title: 'key() gives the limiter of that key, the same each time; the default key is empty',
    covers: ['Group', 'key()', 'keys()', 'limiters()', 'clusterKeys()'],
    async run(world) {
      const group = new world.Bottleneck.Group({ maxConcurrent: 1 });
      const [a, b, none] = [group.key('a'), group.key('b'), (group as Any).key()];
      return {
        same: [group.key('a') === a, a === b, none === group.key('')],
        limiter: a instanceof world.Bottleneck,
        ids: [a, b, none].map((limiter) => limiter.id),
        keys: group.keys(),
        limiters: group.limiters().map(({ key, limiter }) => [key, limiter === group.key(key)]),
        cluster: await world.waitFor(group.clusterKeys()),
      };
    },
    holds: (result) =>
      expect(result).to.deep.equal({
        same: [true, false, true],
        limiter: true,
        ids: ['group-key-a', 'group-key-b', 'group-key-'],
        keys: ['a', 'b', ''],
        limiters: [
          ['a', true],
          ['b', true],
          ['', true],
        ],
        cluster: ['a', 'b', ''],
      }),
  }),
  scenario({
    id: 'group-limiters-are-independent',
    title: 'each key has limits of its own, with the options of the Group',
    covers: ['Group', 'key()'],
    async run(world) {
      const group = new world.Bottleneck.Group({ id: 'mine', maxConcurrent: 1 });
      const outcomes = ['a', 'a', 'b'].map((key, index) => world.job(group.key(key), `${index}`, { takes: 100 }));
      await world.time.sleep(500);
      return { id: group.key('a').id, began: outcomes.map((outcome) => outcome.began[0]) };
    },
    holds: (result) => expect(result).to.deep.equal({ id: 'mine-a', began: [0, 100, 0] }),
  }),
  scenario({
    id: 'group-tells-of-new-limiters',
    title: '"created" comes with the limiter and its key before key() returns',
    covers: ['Group', 'on:created', 'key()'],
    run(world) {
      const group = new world.Bottleneck.Group();
      const created: unknown[] = [];
      group.on('created', (limiter: Bottleneck, key: string) => created.push(limiter, key));
      const limiter = group.key('a');
      group.key('a');
      return [created.length, created[0] === limiter, created[1]];
    },
    holds: (result) => expect(result).to.deep.equal([2, true, 'a']),
  }),
  scenario({
    id: 'group-lets-go-of-unused-limiters',
    title: 'a limiter that was idle for longer than timeout is let go of; its key then gets a new one',
    covers: ['Group', 'timeout', 'keys()'],
    async run(world) {
      const group = new world.Bottleneck.Group({ timeout: 1000 });
      const first = group.key('a');
      world.job(first, 'job');
      await world.time.until(700);
      const early = group.keys();
      await world.time.until(5000);
      return { early, late: group.keys(), anew: group.key('a') !== first };
    },
    holds: (result) => expect(result).to.deep.equal({ early: ['a'], late: [], anew: true }),
  }),
  scenario({
    id: 'group-timeout-is-five-minutes',
    title: 'the timeout of a Group defaults to five minutes',
    covers: ['Group', 'timeout'],
    async run(world) {
      const group = new world.Bottleneck.Group();
      group.key('a');
      await world.time.until(4.9 * 60_000);
      const early = group.keys();
      await world.time.until(8 * 60_000);
      return [early, group.keys()];
    },
    holds: (result) => expect(result).to.deep.equal([['a'], []]),
  }),
  scenario({
    id: 'group-update-settings-is-for-new-limiters',
    title: 'updateSettings() of a Group changes the limiters made from then on',
    covers: ['Group', 'updateSettings()'],
    async run(world) {
      const group = new world.Bottleneck.Group({ maxConcurrent: 1, minTime: 250 });
      const old = group.key('old');
      group.updateSettings({ minTime: 500 });
      const outcomes = [old, old, group.key('new'), group.key('new')].map((limiter, index) =>
        world.job(limiter, `${index}`),
      );
      await world.time.sleep(2000);
      return outcomes.map((outcome) => outcome.began[0]);
    },
    holds: (began) => expect(began).to.deep.equal([0, 250, 0, 500]),
  }),
  scenario({
    id: 'group-update-settings-changes-the-timeout',
    title: 'updateSettings({ timeout }) holds for the clean-up from then on',
    covers: ['Group', 'updateSettings()', 'timeout'],
    async run(world) {
      const group = new world.Bottleneck.Group({ timeout: 60_000 });
      group.updateSettings({ timeout: 500 });
      group.key('a');
      await world.time.until(3000);
      return [(group as Any).timeout, group.keys()];
    },
    holds: (result) => expect(result).to.deep.equal([500, []]),
  }),
  scenario({
    id: 'group-delete-key',
    title: 'deleteKey() lets go of a limiter and tells whether there was one',
    covers: ['Group', 'deleteKey()'],
    async run(world) {
      const group = new world.Bottleneck.Group();
      const first = group.key('a');
      const deleted = await world.waitFor(group.deleteKey('a'));
      const again = await world.waitFor(group.deleteKey('a'));
      return { deleted, again, keys: group.keys(), anew: group.key('a') !== first };
    },
    holds: (result) => expect(result).to.deep.equal({ deleted: true, again: false, keys: [], anew: true }),
  }),
  scenario({
    id: 'group-options-are-copied',
    title: 'Groups made from one options object do not influence each other, and the object stays as it was',
    covers: ['Group'],
    difference: 'group-options-are-copied',
    run(world) {
      const options = { maxConcurrent: 1 };
      const [first, second] = [new world.Bottleneck.Group(options), new world.Bottleneck.Group(options)];
      first.key('a');
      second.updateSettings({ maxConcurrent: 5 });
      return options;
    },
    holds: (options) => expect(options).to.deep.equal({ maxConcurrent: 1 }),
  }),
  scenario({
    id: 'group-methods-without-redis',
    title: 'disconnect() of a Group without Redis does nothing, and may be called',
    covers: ['Group', 'disconnect()'],
    async run(world) {
      const group = new world.Bottleneck.Group({ maxConcurrent: 1 });
      await world.waitFor((group as Any).disconnect() as Promise<void>);
      return world.waitFor(group.key('a').schedule(async () => 'still works'));
    },
    holds: (value) => expect(value).to.equal('still works'),
  }),
];
