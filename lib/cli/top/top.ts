import { setTimeout as sleep } from 'node:timers/promises';
import { explain, queuedByPriority } from './format.js';
import { type LimiterView, viewOf } from './limiter-view.js';
import { StartRates } from './rates.js';
import { type Reading, RedisSource, type SourceOptions } from './redis-source.js';
import { renderTable, type Scene } from './screen.js';

export interface TopOptions extends SourceOptions {
  /** ms between readings. */
  readonly interval: number;
}

/** One picture of the limiters: two readings, so that starts per second are known. Rejects when Redis cannot be read. */
export async function readOnce(options: TopOptions): Promise<Scene> {
  const source = new RedisSource(options);
  try {
    await source.connect();
    const monitor = new Monitor(options.url, source);
    await monitor.update();
    while (!monitor.scene.complete) await monitor.update();
    await sleep(options.interval);
    await monitor.update();
    return monitor.scene;
  } finally {
    source.disconnect();
  }
}

/** The last reading, turned into views. */
export class Monitor {
  scene: Scene;
  private readonly rates = new StartRates();

  constructor(
    url: string,
    private readonly source: RedisSource,
  ) {
    this.scene = { url: withoutPassword(url), now: 0, views: [], found: 0, complete: false, failure: undefined };
  }

  /** @throws what the reading threw; the scene stays as it was. */
  async update(): Promise<void> {
    const reading = await this.source.read();
    this.scene = { ...this.scene, ...reading, views: this.views(reading), failure: undefined };
  }

  failed(error: unknown): void {
    this.scene = { ...this.scene, failure: failureText(this.scene.url, error) };
  }

  private views({ limiters, now }: Reading): LimiterView[] {
    const rates = this.rates.next(limiters, now);
    return limiters.map((state) => viewOf(state, now, rates.get(state.id) ?? null));
  }
}

export function renderPlain({ views, now, found }: Scene): string {
  if (views.length === 0) return 'No limiter found.\n';
  const more = views.length < found ? `\n${views.length} of ${found} limiters; see --limit and --match.` : '';
  return `${renderTable(views, now)}${more}\n`;
}

/** Moments are ms of the server's clock, `now` among them; spans are ms. */
export function renderTopJson({ url, now, views, found }: Scene): string {
  const limiters = views.map((view) => ({
    ...view,
    queuedByPriority: Object.fromEntries(queuedByPriority(view)),
    explanation: explain(view, now),
  }));
  return `${JSON.stringify({ url, now, found, limiters }, null, 2)}\n`;
}

export function failureText(url: string, error: unknown): string {
  const reasons = error instanceof AggregateError ? error.errors : [error];
  const texts = reasons.map((reason) => (reason instanceof Error ? reason.message : String(reason)));
  return `Cannot read ${withoutPassword(url)}: ${[...new Set(texts)].join('; ')}`;
}

function withoutPassword(url: string): string {
  try {
    const parsed = new URL(url);
    if (parsed.password !== '') parsed.password = '***';
    return parsed.href;
  } catch {
    return url;
  }
}
