import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { type Command, toolEnv } from './gpiod-tools.js';

/**
 * A tool that runs as long as the gateway does. The kernel kills it when the gateway dies, however that happens
 * (PR_SET_PDEATHSIG, by setpriv): gpiomon would go on until the next edge, and an interactive gpioset for ever.
 */
export class GpiodChild {
  /** Resolves with why, once it has ended. */
  readonly ended: Promise<string>;
  #child: ChildProcessWithoutNullStreams;
  #complaint = '';
  #end: string | undefined;

  constructor([tool, ...args]: Command, onLine: (line: string) => void = () => undefined) {
    const child = spawn('setpriv', ['--pdeathsig', 'KILL', tool, ...args], { env: toolEnv() });
    this.#child = child;
    // A pipe that breaks is told by the end of the tool.
    child.stdin.on('error', () => undefined);
    createInterface({ input: child.stdout }).on('line', onLine);
    createInterface({ input: child.stderr }).on('line', (line) => (this.#complaint = line));
    this.ended = new Promise((resolve) => {
      const end = (why: string): void => {
        this.#end ??= why;
        resolve(this.#end);
      };
      child.on('error', ({ message }) => end(`${tool} cannot be run by setpriv (of util-linux): ${message}`));
      child.on('close', (code, signal) => end(this.#complaint || `${tool} ended (${signal ?? code})`));
    });
  }

  /** Why it has ended; undefined while it runs. */
  get end(): string | undefined {
    return this.#end;
  }

  /** Hands a line to its standard input, at once. */
  write(line: string): void {
    this.#child.stdin.write(`${line}\n`);
  }

  /** Ends it at once, before this returns; its lines are free when `ended` resolves. */
  kill(): void {
    this.#child.kill('SIGKILL');
  }
}
