import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { freePort } from '../../scripts/support/free-port.cjs';
import { type RedisServer, startRedis } from './redis-server';

const FOLDER = join(__dirname, 'tls');
/**
 * Signed by itself, for 127.0.0.1 and localhost, until 2126:
 * openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout key.pem -out cert.pem -days 36500
 *   -subj "/CN=rebottle test" -addext "subjectAltName=IP:127.0.0.1,DNS:localhost"
 */
export const CERTIFICATE_FILE = join(FOLDER, 'cert.pem');
const KEY_FILE = join(FOLDER, 'key.pem');
export const CERTIFICATE = readFileSync(CERTIFICATE_FILE, 'utf8');

export interface TlsRedis {
  /** Takes TLS alone; the port of `server` takes none. */
  readonly port: number;
  readonly server: RedisServer;
  /** Whether the server speaks TLS itself. Otherwise what is in front of it does. */
  readonly itself: boolean;
  stop(): Promise<void>;
}

/** A private Redis that is reached over TLS. */
export async function startTlsRedis(): Promise<TlsRedis> {
  const port = await freePort();
  const config = {
    'tls-port': port,
    'tls-cert-file': CERTIFICATE_FILE,
    'tls-key-file': KEY_FILE,
    'tls-ca-cert-file': CERTIFICATE_FILE,
    'tls-auth-clients': 'no',
  };
  try {
    const server = await startRedis({ config });
    return { port, server, itself: true, stop: () => server.stop() };
  } catch (error) {
    // Built without TLS, it does not know the first of these directives.
    if (!/tls-/.test(String(error))) throw error;
    return inFront(await startRedis());
  }
}

async function inFront(server: RedisServer): Promise<TlsRedis> {
  const front = createServer({ cert: CERTIFICATE, key: readFileSync(KEY_FILE) }, (client) => {
    const upstream = connect(server.port, server.host);
    client.pipe(upstream).pipe(client);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      socket.on('error', () => {}); // its close follows
      socket.on('close', () => other.destroy());
    }
  });
  front.on('tlsClientError', () => {}); // whoever does not trust the certificate
  const port = await freePort();
  await new Promise<void>((resolve) => front.listen(port, server.host, resolve));
  return {
    port,
    server,
    itself: false,
    async stop() {
      await server.stop(); // ends the connections
      await new Promise((resolve) => front.close(resolve));
    },
  };
}
