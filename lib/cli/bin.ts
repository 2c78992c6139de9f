import pc from 'picocolors';
import { main } from './main.js';

const { stdin, stdout } = process;

main(process.argv.slice(2), {
  out: (text) => void stdout.write(text),
  err: (text) => void process.stderr.write(text),
  color: pc.isColorSupported,
  screen: stdin.isTTY && stdout.isTTY ? { input: stdin, output: stdout } : undefined,
}).then(
  (exitCode) => {
    process.exitCode = exitCode;
  },
  (error: unknown) => {
    console.error(error);
    process.exitCode = 70;
  },
);
