import { emitKeypressEvents } from 'node:readline';
import type { ReadStream, WriteStream } from 'node:tty';
import { enterAlternativeScreen, exitAlternativeScreen } from 'ansi-escapes';
import { createLogUpdate } from 'log-update';
import { type Controls, INITIAL_CONTROLS, type Key, press } from './controls.js';
import { RedisSource } from './redis-source.js';
import { renderScreen } from './screen.js';
import { Monitor, type TopOptions } from './top.js';

export interface Screen {
  readonly input: ReadStream;
  readonly output: WriteStream;
}

/** Shows the limiters until the user quits. Rejects only when the server cannot be read at the start. */
export async function runLive(options: TopOptions, screen: Screen): Promise<void> {
  const source = new RedisSource(options);
  try {
    await source.connect();
    const monitor = new Monitor(options.url, source);
    await monitor.update();
    await new Live(monitor, options.interval, screen).run();
  } finally {
    source.disconnect();
  }
}

class Live {
  private controls: Controls = INITIAL_CONTROLS;
  private readonly log: ReturnType<typeof createLogUpdate>;
  private timer: NodeJS.Timeout | undefined;
  private left = false;

  constructor(
    private readonly monitor: Monitor,
    private readonly interval: number,
    private readonly screen: Screen,
  ) {
    this.log = createLogUpdate(screen.output);
  }

  async run(): Promise<void> {
    const { input, output } = this.screen;
    const draw = () => this.draw();
    output.write(enterAlternativeScreen);
    output.on('resize', draw);
    emitKeypressEvents(input);
    input.setRawMode(true);
    input.resume();
    this.draw();
    this.updateLater();
    try {
      await this.untilQuit();
    } finally {
      this.left = true;
      clearTimeout(this.timer);
      output.off('resize', draw);
      input.setRawMode(false);
      input.pause();
      this.log.done();
      output.write(exitAlternativeScreen);
    }
  }

  private untilQuit(): Promise<void> {
    const { input } = this.screen;
    return new Promise((resolve) => {
      const onKey = (_text: string | undefined, key: Key) => {
        if (!this.press(key)) return;
        input.off('keypress', onKey);
        resolve();
      };
      input.on('keypress', onKey);
    });
  }

  private updateLater(): void {
    this.timer = setTimeout(async () => {
      await this.monitor.update().catch((error: unknown) => this.monitor.failed(error));
      // The user may have left meanwhile.
      if (this.left) return;
      this.draw();
      this.updateLater();
    }, this.interval);
  }

  /** Whether the user wants to leave. */
  private press(key: Key): boolean {
    const next = press(this.controls, key, this.monitor.scene.views);
    if (next === 'quit') return true;
    this.controls = next;
    this.draw();
    return false;
  }

  private draw(): void {
    const { columns, rows } = this.screen.output;
    // A terminal that does not know its size says 0.
    this.log(renderScreen(this.monitor.scene, this.controls, { columns: columns || 80, rows: rows || 24 }));
  }
}
