import { connect } from 'node:net';

export interface CommandCounts {
  /** Commands that clients sent: each of them a round trip, unless a client pipelines. */
  sent: number;
  /** Commands that scripts called. */
  inScripts: number;
}

/**
 * Counts what Redis executes from now on, with MONITOR: its lines tell a client's command from a script's, which no
 * counter of INFO does.
 *
 * @param port of the Redis server
 */
export async function startCommandCounter(port: number): Promise<{ counts: CommandCounts; stop(): void }> {
  const socket = connect(port, '127.0.0.1');
  const counts: CommandCounts = { sent: 0, inScripts: 0 };
  let rest = '';
  socket.setEncoding('latin1');

  await new Promise<void>((started, failed) => {
    socket.on('error', failed);
    socket.on('data', (chunk) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (line.startsWith('+OK')) started();
        else countLine(counts, line);
      }
    });
    socket.write('MONITOR\r\n');
  });
  return { counts, stop: () => socket.destroy() };
}

/** A line says `+1700000000.123456 [0 127.0.0.1:50000] "evalsha" …`, or `[0 lua]` for a call made by a script. */
function countLine(counts: CommandCounts, line: string): void {
  const source = /^\+\d+\.\d+ \[\d+ (lua)?/.exec(line);
  if (!source) return;
  if (source[1]) counts.inScripts++;
  else counts.sent++;
}
