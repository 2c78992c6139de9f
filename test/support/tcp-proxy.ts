import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface ProxyTarget {
  host: string;
  port: number;
}

type Direction = 'request' | 'reply';

interface Trap {
  match: RegExp;
  sprung: () => void;
}

/** One proxied connection. Chunks of one direction stay in order whatever delays them. */
class Link {
  private readonly upstream: net.Socket;
  private readonly queues: Record<Direction, Promise<void>> = { request: Promise.resolve(), reply: Promise.resolve() };
  private readonly queued: Record<Direction, number> = { request: 0, reply: 0 };
  private trap: Trap | undefined;

  constructor(
    private readonly proxy: TcpProxy,
    private readonly client: net.Socket,
    target: ProxyTarget,
  ) {
    this.upstream = net.connect({ ...target, allowHalfOpen: true });
    this.upstream.setNoDelay(true);
    client.setNoDelay(true);
    client.on('data', (chunk) => this.onRequest(chunk));
    this.upstream.on('data', (chunk) => this.onReply(chunk));
    client.on('end', () => this.inOrder('request', () => this.upstream.end()));
    this.upstream.on('end', () => this.inOrder('reply', () => client.end()));
    for (const socket of [client, this.upstream]) {
      // Every error of a socket is followed by its close.
      socket.on('error', () => {});
      socket.on('close', () => this.cut());
    }
  }

  cut(): void {
    this.client.destroy();
    this.upstream.destroy();
    this.proxy.forget(this);
  }

  /** RST instead of FIN. */
  reset(): void {
    this.client.resetAndDestroy();
    this.cut();
  }

  /** The one side sees the other's end of writing; the connection itself stays. */
  halfClose(seenBy: 'client' | 'server'): void {
    if (seenBy === 'client') this.client.end();
    else this.upstream.end();
  }

  private onRequest(chunk: Buffer): void {
    this.trap ??= this.proxy.takeTrap(chunk);
    this.forward('request', chunk, this.upstream);
  }

  private onReply(chunk: Buffer): void {
    if (this.trap) {
      this.trap.sprung();
      this.cut();
      return;
    }
    this.forward('reply', chunk, this.client);
  }

  private forward(direction: Direction, chunk: Buffer, to: net.Socket): void {
    const due = performance.now() + this.proxy.latency(direction);
    this.inOrder(direction, async () => {
      const wait = Math.max(0, due - performance.now()) + this.proxy.transferTime(chunk.length);
      if (wait > 0) await sleep(wait);
      await this.proxy.thawed();
      if (to.writable) to.write(chunk);
    });
  }

  private inOrder(direction: Direction, step: () => unknown): void {
    if (this.queued[direction] === 0 && this.proxy.transparent) {
      step();
      return;
    }
    this.queued[direction] += 1;
    this.queues[direction] = this.queues[direction].then(step).then(() => {
      this.queued[direction] -= 1;
    });
  }
}

/** A TCP proxy on loopback that misbehaves when told to. */
export class TcpProxy {
  readonly host = '127.0.0.1';
  private readonly server = net.createServer({ allowHalfOpen: true, noDelay: true });
  private readonly links = new Set<Link>();
  private traps: Trap[] = [];
  private delays: Record<Direction, number> = { request: 0, reply: 0 };
  private bytesPerSecond = Number.POSITIVE_INFINITY;
  private refusing = false;
  private ice: { melted: Promise<void>; melt: () => void } | undefined;

  private constructor(private readonly target: ProxyTarget) {
    this.server.on('connection', (socket) => {
      if (this.refusing) socket.resetAndDestroy();
      else this.links.add(new Link(this, socket, this.target));
    });
  }

  static async start(target: ProxyTarget): Promise<TcpProxy> {
    const proxy = new TcpProxy({ host: target.host, port: target.port });
    proxy.server.listen(0, proxy.host);
    await once(proxy.server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.server.address() as net.AddressInfo).port;
  }

  get url(): string {
    return `redis://${this.host}:${this.port}`;
  }

  get connections(): number {
    return this.links.size;
  }

  /** Ends every connection there is; new ones are taken. */
  cut({ reset = false } = {}): void {
    for (const link of [...this.links]) {
      if (reset) link.reset();
      else link.cut();
    }
  }

  /** Ends every connection and takes no new one until `accept()`. */
  refuse(): void {
    this.refusing = true;
    this.cut({ reset: true });
  }

  accept(): void {
    this.refusing = false;
  }

  /** Nothing passes in either direction until `thaw()`, while connections stay up: a network that went silent. */
  freeze(): void {
    if (this.ice) return;
    let melt = () => {};
    const melted = new Promise<void>((resolve) => {
      melt = resolve;
    });
    this.ice = { melted, melt };
  }

  thaw(): void {
    this.ice?.melt();
    this.ice = undefined;
  }

  /** Latency in ms, added to every chunk of a direction; 0 ends it. */
  delay({ request = 0, reply = 0 }: Partial<Record<Direction, number>>): void {
    this.delays = { request, reply };
  }

  /** Bytes a second in each direction of each connection; Infinity ends it. */
  throttle(bytesPerSecond: number): void {
    this.bytesPerSecond = bytesPerSecond;
  }

  halfClose(seenBy: 'client' | 'server'): void {
    for (const link of this.links) link.halfClose(seenBy);
  }

  /**
   * The next request that matches reaches the server and is carried out; the connection breaks instead of bringing
   * the reply. Resolves when that has happened.
   */
  dropReplyTo(match: RegExp): Promise<void> {
    return new Promise((sprung) => {
      this.traps.push({ match, sprung });
    });
  }

  /** Traps that were set and not sprung are forgotten. */
  clearTraps(): void {
    this.traps = [];
  }

  async stop(): Promise<void> {
    this.thaw();
    this.cut();
    this.server.close();
    await once(this.server, 'close');
  }

  // What follows is for the links.

  get transparent(): boolean {
    const { request, reply } = this.delays;
    return request === 0 && reply === 0 && this.bytesPerSecond === Number.POSITIVE_INFINITY && !this.ice;
  }

  latency(direction: Direction): number {
    return this.delays[direction];
  }

  transferTime(bytes: number): number {
    return (bytes / this.bytesPerSecond) * 1000;
  }

  async thawed(): Promise<void> {
    while (this.ice) await this.ice.melted;
  }

  takeTrap(chunk: Buffer): Trap | undefined {
    if (this.traps.length === 0) return undefined;
    const text = chunk.toString('latin1');
    const index = this.traps.findIndex(({ match }) => match.test(text));
    return index < 0 ? undefined : this.traps.splice(index, 1)[0];
  }

  forget(link: Link): void {
    this.links.delete(link);
  }
}
