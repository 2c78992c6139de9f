import { expect } from 'chai';
import { startRedis } from '../../../test/support/redis-server';
import { captureUnhandled } from '../../harness/unhandled';
import { verdictOf } from '../verdicts';
import { redisScenarios } from './all';
import { type Ending, type Endings, performAll } from './perform';

/** A failure of Bottleneck's own scripts and timers may reach nobody; ours must not. */
const OF_BOTTLENECK = /node_modules[\\/]bottleneck[\\/]/;

describe('Scenarios on Redis, on Bottleneck and on ours', () => {
  let endings = new Map<string, Endings>();
  const unhandled: string[] = [];

  before('perform them', async function () {
    this.timeout(120_000);
    const restore = captureUnhandled((error) => {
      const text = String((error as Error)?.stack ?? error);
      if (!OF_BOTTLENECK.test(text)) unhandled.push(text);
    });
    const server = await startRedis();
    try {
      endings = await performAll(redisScenarios, { port: server.port, admin: server.client() });
    } finally {
      await server.stop();
      restore();
    }
  });

  for (const scenario of redisScenarios) {
    it(`${scenario.id}: ${scenario.title}`, () => {
      const { ours, upstream } = endings.get(scenario.id) as Endings;
      scenario.holds(resultOf(ours));
      const verdict = verdictOf(scenario.difference);
      if (verdict === 'fixed' || verdict === 'by design') {
        expect(() => scenario.holds(resultOf(upstream)), 'Bottleneck was expected to break this promise').to.throw();
      } else scenario.holds(resultOf(upstream));
    });
  }

  it('leaves no rejection unhandled', () => {
    expect(unhandled).to.deep.equal([]);
  });
});

function resultOf(ending: Ending): unknown {
  if ('failure' in ending) throw ending.failure;
  return ending.result;
}
