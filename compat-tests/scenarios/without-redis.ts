/** The methods made for Redis, on in-process limiters: code written for the one must work on the other. */
import { expect } from 'chai';
import { scenario } from './scenario';

export const withoutRedis = [
  scenario({
    id: 'ready-without-redis',
    title: 'ready() resolves at once, and there are no clients',
    covers: ['ready()', 'clients()'],
    async run(world) {
      const limiter = world.limiter();
      await world.waitFor(limiter.ready());
      return limiter.clients();
    },
    holds: (clients) => expect(clients).to.deep.equal({}),
  }),
  scenario({
    id: 'publish-without-redis',
    title: 'publish() sends text to the listeners of the limiter itself',
    covers: ['publish()', 'on:message'],
    async run(world) {
      const limiter = world.limiter();
      const messages: string[] = [];
      limiter.on('message', (message) => messages.push(message));
      await world.waitFor(limiter.publish('this is a text'));
      await world.waitFor(limiter.publish(JSON.stringify({ hello: 'world' })));
      await world.waitFor(limiter.publish(5 as never));
      return messages;
    },
    holds: (messages) => expect(messages).to.deep.equal(['this is a text', '{"hello":"world"}', '5']),
  }),
  scenario({
    id: 'channels-are-named-after-the-id',
    title: 'channel() is named after the id of the limiter',
    covers: ['channel()'],
    run: (world) => world.limiter({ id: 'some-id' }).channel(),
    holds: (channel) => expect(channel).to.equal('b_some-id'),
  }),
  scenario({
    id: 'disconnect-without-redis',
    title: 'disconnect() resolves, whatever waits or runs, and the limiter goes on working',
    covers: ['disconnect()'],
    async run(world) {
      const limiter = world.limiter({ maxConcurrent: 1 });
      const outcomes = ['a', 'b'].map((label) => world.job(limiter, label, { takes: 50 }));
      await world.waitFor(limiter.disconnect());
      await world.time.sleep(500);
      outcomes.push(world.job(limiter, 'late'));
      await world.time.sleep(500);
      return outcomes.map((outcome) => outcome.value);
    },
    holds: (values) => expect(values).to.deep.equal(['a done', 'b done', 'late done']),
  }),
  scenario({
    id: 'disconnect-lets-go-of-timers',
    title: 'after disconnect() no timer of an idle limiter with a reservoir interval is left',
    covers: ['disconnect()', 'reservoirRefreshInterval'],
    async run(world) {
      const limiter = world.limiter({ reservoir: 1, reservoirRefreshInterval: 250, reservoirRefreshAmount: 1 });
      await world.waitFor(limiter.schedule(async () => 1));
      await world.waitFor(limiter.disconnect());
      return world.time.timers;
    },
    holds: (timers) => expect(timers).to.equal(0),
  }),
  scenario({
    id: 'idle-limiter-holds-no-timer',
    title: 'an idle limiter with a reservoir interval has no timer that keeps it in memory',
    covers: ['reservoirRefreshInterval', 'reservoirIncreaseInterval'],
    difference: 'idle-limiter-holds-no-timer',
    async run(world) {
      const limiter = world.limiter({ reservoir: 1, reservoirRefreshInterval: 250, reservoirRefreshAmount: 1 });
      await world.waitFor(limiter.schedule(async () => 1));
      return world.time.timers;
    },
    holds: (timers) => expect(timers).to.equal(0),
  }),
];
