import { expect } from 'chai';
import { RedisCallError } from '../../../lib/store/redis/clients/call-error';
import type { RedisLink } from '../../../lib/store/redis/link';
import { poolOf } from '../../../lib/store/redis/pool';
import { RedisStore } from '../../../lib/store/redis/redis-store';
import { StoppedError } from '../../../lib/store/redis/retrying';
import { inWords, StoreDriver, TestTicket, UNLIMITED } from '../../store/store-driver';
import { FakeConnection } from './fake-connection';

const STARTED = 5; // queued and started
const NO_WAKE_UP = -1;

/** A reply of advance.lua. */
function advanced(
  running: number,
  effects: unknown[] = [],
  { notices = 0, first = 0, queuedHere = 0, runningHere = running } = {},
) {
  return [0, '1', NO_WAKE_UP, notices, first, String(running), effects, queuedHere, String(runningHere), 0];
}

async function turns(): Promise<void> {
  for (let i = 0; i < 3; i++) await new Promise((resolve) => setImmediate(resolve));
}

describe('RedisStore', () => {
  let connection: FakeConnection;
  let store: RedisStore;
  let driver: StoreDriver;

  beforeEach(async () => {
    connection = new FakeConnection();
    const options = {
      timeout: null,
      heartbeatInterval: 5000,
      clientTimeout: 10_000,
      clear: false,
      heartbeatThread: null,
    };
    store = new RedisStore({
      id: 'x',
      connection: connection.asConnection(),
      release: async () => {},
      settings: UNLIMITED,
      ...options,
    });
    driver = new StoreDriver(store);
    (await connection.next('init')).answer(['1', []]);
    await store.ready;
  });

  afterEach(async () => {
    const ended = driver.end();
    await turns();
    for (const call of connection.calls) call.answer('0');
    await ended;
  });

  it('tells the weight that ran after each completion, and not after the last one alone', async () => {
    const [a, b] = [new TestTicket('a'), new TestTicket('b', { weight: 3 })];
    const submitted = driver.submit(a, b);
    (await connection.next('advance')).answer(
      advanced(0, [STARTED, 1, 1, 0, '', STARTED, 2, 1, 0, ''], { notices: 2, first: 1, runningHere: 4 }),
    );
    await submitted;
    const completed = driver.complete(a, b);
    (await connection.next('advance')).answer(advanced(5, [], { notices: 2, runningHere: 0 }));
    expect((await completed).effects.map(inWords)).to.deep.equal(['completed a 8', 'completed b 5']);
  });

  it('tells Redis nothing of tickets that a step in flight is about to tell', async () => {
    const submitted = driver.submit(new TestTicket('a'));
    const step = await connection.next('advance');
    connection.reconnect();
    await turns();
    expect(connection.calls).to.have.length(0);
    step.answer(advanced(0, [STARTED, 1, 1, 0, ''], { notices: 1, first: 1, runningHere: 1 }));
    await submitted;
    const { args, answer } = await connection.next('reconcile');
    expect([args[4], ...args.slice(10, 12)]).to.deep.equal(['', 1, 0]);
    answer([0, '1', 1, []]);
  });

  it('takes no step while it tells Redis what it has', async () => {
    const submitted = driver.submit(new TestTicket('a'));
    (await connection.next('advance')).answer(
      advanced(0, [STARTED, 1, 1, 0, ''], { notices: 1, first: 1, runningHere: 1 }),
    );
    await submitted;
    connection.reconnect();
    const reconciliation = await connection.next('reconcile');
    const next = driver.submit(new TestTicket('b'));
    await turns();
    expect(connection.calls).to.have.length(0);
    reconciliation.answer([0, '1', 1, []]);
    (await connection.next('advance')).answer(
      advanced(0, [STARTED, 2, 1, 0, ''], { notices: 2, first: 2, runningHere: 2 }),
    );
    expect((await next).effects.map(inWords)).to.deep.equal(['queued b', 'started b']);
  });

  it('gives up the step in flight when it is disconnected, and sends none for a client that has left', async () => {
    const errors: unknown[] = [];
    const inFlight = driver.submit(new TestTicket('a')).catch((error) => errors.push(error));
    const step = await connection.next('advance');
    const left = store.disconnect(false);
    await inFlight;
    (await connection.next('leave')).answer('0');
    await left;
    await driver.submit(new TestTicket('b')).catch((error) => errors.push(error));
    step.answer(advanced(0, [STARTED, 1, 1, 0, ''], { notices: 1, first: 1, runningHere: 1 }));
    await turns();
    expect(errors.map((error) => error instanceof StoppedError)).to.deep.equal([true, true]);
    expect(driver.words).to.deep.equal([]);
    expect(connection.calls).to.have.length(0);
  });

  it('tells of the failure of a first attempt, and tries again', async () => {
    const submitted = driver.submit(new TestTicket('a'));
    const { args, fail } = await connection.next('advance');
    const cause = new Error('lost');
    fail(new RedisCallError('connection', 'ECONNRESET', cause));
    const again = await connection.next('advance');
    expect(again.args).to.deep.equal(args);
    expect(driver.errors).to.deep.equal([cause]);
    again.answer(advanced(0, [STARTED, 1, 1, 0, ''], { notices: 1, first: 1, runningHere: 1 }));
    expect((await submitted).effects.map(inWords)).to.deep.equal(['queued a', 'started a']);
  });

  /** Submits tickets, which all end up in the queue. */
  async function enqueue(...queued: TestTicket[]): Promise<void> {
    const submitted = driver.submit(...queued);
    const effects = queued.flatMap((_, i) => [1, i + 1, 1, 0, String(100 + i)]);
    (await connection.next('advance')).answer(advanced(0, effects, { queuedHere: queued.length }));
    await submitted;
  }

  function hear(client: string, firstNotice: number, effects: unknown[]): void {
    const message = { c: client, n: firstNotice, e: effects };
    connection.hear(`b_rebottle:${client.split('.')[0]}`, JSON.stringify(message));
  }

  it('is not misled by a message that was faster than the reply before it', async () => {
    await enqueue(new TestTicket('a'), new TestTicket('b'));
    const step = driver.step();
    const { answer } = await connection.next('advance');
    hear(store.clientId, 1, [2, 1, 1, 0, '']);
    answer(advanced(0, [], { queuedHere: 2 }));
    await step;
    expect(driver.has('started a')).to.equal(true);
    expect(connection.calls).to.have.length(0);
  });

  it('forgets what was told to the client that it was before it was given up', async () => {
    await enqueue(new TestTicket('a'), new TestTicket('b'));
    const old = store.clientId;
    hear(old, 2, [2, 2, 1, 0, '']); // the message before it is missing
    const step = driver.step();
    (await connection.next('advance')).answer([2, '1']);
    const reconciliation = await connection.next('reconcile');
    expect(store.clientId).not.to.equal(old);
    hear(old, 3, [2, 1, 1, 0, '']);
    reconciliation.answer([0, '1', 0, []]);
    (await connection.next('advance')).answer(
      advanced(0, [2, 1, 1, 0, ''], { notices: 1, first: 1, queuedHere: 1, runningHere: 1 }),
    );
    await step;
    await turns();
    expect(driver.words).to.deep.equal(['queued a', 'queued b', 'started a']);
  });

  it('asks for a step when a change of settings may have brought capacity', async () => {
    const changed = store.updateSettings({ maxConcurrent: 5 });
    (await connection.next('update')).answer([0, '']);
    await changed;
    (await connection.next('advance')).answer(advanced(0));
  });
});

describe('Pool', () => {
  it('asks for its channel again when it was refused', async () => {
    const connection = new FakeConnection();
    connection.refusals = 1;
    const pool = poolOf(connection.link as unknown as RedisLink);
    const client = {
      clientId: pool.nextClientId(),
      channel: 'b_x',
      heartbeatEvery: 1000,
      isBusy: false,
      heartbeat() {},
      onClientMessage() {},
      onBroadcast() {},
      onReconnect() {},
    };
    const refused = await pool.add(client).catch((error: Error) => error);
    expect(refused).to.be.instanceOf(Error);
    await pool.add(client);
    expect(connection.subscribed).to.have.members([pool.channel, 'b_x']);
    await pool.remove(client);
    expect(connection.subscribed).to.deep.equal([pool.channel]);
  });
});
