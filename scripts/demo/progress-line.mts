/** How often the line is repeated where there is no terminal, in ms. */
const QUIET_TIME = 5000;

/** One line that is written over on a terminal, and repeated every few seconds where there is none. */
export class ProgressLine {
  private shownAt = -Infinity;

  constructor(private readonly stream: NodeJS.WriteStream = process.stdout) {}

  show(text: string): void {
    if (this.stream.isTTY) {
      this.stream.write(`\r\x1b[2K${text}`);
    } else if (Date.now() - this.shownAt >= QUIET_TIME) {
      this.shownAt = Date.now();
      this.stream.write(`${text}\n`);
    }
  }

  end(text: string): void {
    this.stream.write(this.stream.isTTY ? `\r\x1b[2K${text}\n` : `${text}\n`);
  }
}
