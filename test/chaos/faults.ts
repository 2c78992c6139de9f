import { setTimeout as sleep } from 'node:timers/promises';
import type { Fleet, Member } from './fleet';
import type { Random } from './random';

/** What a fault has at hand. */
export interface Scene {
  fleet: Fleet;
  random: Random;
  clientTimeout: number;
  /** Adds a worker in place of one that is gone. */
  replace(): Promise<void>;
}

export interface FaultKind {
  /** As the judge knows it. */
  name: string;
  /** How often, against the others. */
  weight: number;
  /** Only where Redis keeps its data so. */
  needs?: 'aof' | 'rdb';
  /** Hits one worker, or all. */
  run(scene: Scene): Promise<void>;
}

type OnWorker = (scene: Scene, member: Member) => Promise<unknown>;

function onWorker(name: string, weight: number, work: OnWorker): FaultKind {
  return {
    name,
    weight,
    run: async (scene) => {
      const members = scene.fleet.living;
      if (members.length === 0) return;
      const member = scene.random.pick(members);
      await scene.fleet.noted(name, member, () => work(scene, member));
    },
  };
}

function onFleet(
  name: string,
  weight: number,
  work: (scene: Scene) => Promise<unknown>,
  needs?: 'aof' | 'rdb',
): FaultKind {
  return {
    name,
    weight,
    ...(needs ? { needs } : {}),
    run: (scene) => scene.fleet.noted(name, undefined, () => work(scene)),
  };
}

async function withClient(
  scene: Scene,
  work: (client: ReturnType<NonNullable<Fleet['server']>['client']>) => Promise<unknown>,
) {
  const client = scene.fleet.server!.client();
  try {
    await work(client);
  } finally {
    client.disconnect();
  }
}

/** Shorter or longer than what makes others take a silent process for dead. */
function silence({ random, clientTimeout }: Scene): number {
  return random.chance(0.5)
    ? random.between(50, clientTimeout / 2)
    : random.between(clientTimeout * 1.2, clientTimeout * 2.5);
}

export const FAULTS: FaultKind[] = [
  {
    name: 'kill',
    weight: 3,
    run: async (scene) => {
      if (scene.fleet.living.length < 2) return;
      await scene.fleet.kill(scene.random.pick(scene.fleet.living));
      await scene.replace();
    },
  },
  onWorker('pause', 3, async (scene, { process }) => {
    process.pause();
    await sleep(silence(scene));
    process.resume();
  }),
  onWorker('block', 2, async (scene, { process }) => {
    const ms = silence(scene);
    process.send({ type: 'block', ms });
    await sleep(ms);
  }),
  onWorker('cut', 2, async ({ random }, { proxy }) => {
    proxy!.cut({ reset: random.chance(0.5) });
  }),
  onWorker('refuse', 2, async (scene, { proxy }) => {
    proxy!.refuse();
    await sleep(silence(scene));
    proxy!.accept();
  }),
  onWorker('freeze', 2, async (scene, { proxy }) => {
    proxy!.freeze();
    await sleep(silence(scene));
    proxy!.thaw();
  }),
  onWorker('half-close', 1, async ({ random }, { proxy }) => {
    proxy!.halfClose(random.pick(['client', 'server'] as const));
  }),
  onWorker('delay', 2, async ({ random }, { proxy }) => {
    proxy!.delay({ request: random.between(0, 40), reply: random.between(0, 40) });
    await sleep(random.between(300, 1500));
    proxy!.delay({});
  }),
  onWorker('throttle', 1, async ({ random }, { proxy }) => {
    proxy!.throttle(random.between(20_000, 200_000));
    await sleep(random.between(300, 1000));
    proxy!.throttle(Number.POSITIVE_INFINITY);
  }),
  onWorker('drop-reply', 3, async ({ random }, { proxy }) => {
    for (let i = random.between(1, 3); i > 0; i--) {
      await Promise.race([proxy!.dropReplyTo(/evalsha|eval\b/i), sleep(500)]);
      proxy!.clearTraps();
    }
  }),
  onFleet('flushall', 2, (scene) => withClient(scene, (client) => client.flushall())),
  onFleet('script-flush', 2, (scene) => withClient(scene, (client) => client.script('FLUSH'))),
  onFleet('delete-keys', 2, (scene) =>
    withClient(scene, async (client) => {
      const keys = await client.keys('*');
      const chosen = keys.filter(() => scene.random.chance(0.5));
      if (chosen.length > 0) await client.del(...chosen);
    }),
  ),
  onFleet('kill-connections', 2, (scene) =>
    withClient(scene, (client) =>
      client.call('CLIENT', 'KILL', 'TYPE', scene.random.pick(['normal', 'pubsub']), 'SKIPME', 'yes'),
    ),
  ),
  onFleet('pause-redis', 2, async ({ fleet, random }) => {
    fleet.server!.pause();
    await sleep(random.between(100, 2000));
    fleet.server!.resume();
  }),
  onFleet('restart-empty', 1, ({ fleet, random }) =>
    fleet.server!.restart({ graceful: false, empty: true, downFor: random.between(0, 800) }),
  ),
  onFleet(
    'restart-aof',
    3,
    ({ fleet, random }) => fleet.server!.restart({ graceful: random.chance(0.5), downFor: random.between(0, 800) }),
    'aof',
  ),
  onFleet(
    'restart-past',
    3,
    async (scene) => {
      await withClient(scene, (client) => client.save());
      await sleep(scene.random.between(100, 1500));
      await scene.fleet.server!.restart({ graceful: false, downFor: scene.random.between(0, 500) });
    },
    'rdb',
  ),
  {
    name: 'scale-down',
    weight: 2,
    run: async (scene) => {
      const { fleet, random } = scene;
      if (fleet.living.length < 2) return;
      const member = random.pick(fleet.living);
      await fleet.noted('scale-down', member, async () => {
        if (!(await fleet.dismiss(member)))
          fleet.log.write({ k: 'crash', message: `${member.name} did not end by itself` });
      });
      await scene.replace();
    },
  },
  { name: 'scale-up', weight: 1, run: (scene) => scene.fleet.noted('scale-up', undefined, () => scene.replace()) },
];
