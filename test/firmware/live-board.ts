import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { type Bench, type BenchEvent, parseEvent, type RunOptions } from './bench.js';

/** A simulated board that runs in real time on a pseudo-terminal and is reset whenever its port is opened. */
export class LiveBoard {
  readonly events: BenchEvent[] = [];
  readonly #child: ChildProcess;
  readonly #exit: Promise<unknown>;
  #waiting = new Set<() => void>();

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.#exit = once(child, 'exit').then(() => this.#wake());
    if (!child.stdout) throw new Error('the board has no output');
    createInterface({ input: child.stdout }).on('line', (line) => {
      this.events.push(parseEvent(line));
      this.#wake();
    });
  }

  /** @param link path of the symbolic link to the terminal */
  static async start(bench: Bench, setup: RunOptions, link: string): Promise<LiveBoard> {
    const args = [...bench.args(setup), '--link', link, '--reset-on-open'];
    const board = new LiveBoard(spawn(bench.program, args, { stdio: ['pipe', 'pipe', 'inherit'] }));
    await board.until(({ event }) => event === 'ready');
    return board;
  }

  /** Resolves with the first event that matches, at or after the position `from`. */
  async until(matches: (event: BenchEvent) => boolean, from = 0): Promise<BenchEvent> {
    for (let at = from; ; at++) {
      while (at >= this.events.length) await this.#next();
      const event = this.events[at];
      if (event && matches(event)) return event;
    }
  }

  get wasReset(): boolean {
    return this.events.some((one) => one.event === 'reset' && one.cause === 'external');
  }

  async close(): Promise<void> {
    this.#child.stdin?.end();
    await this.#exit;
  }

  #next(): Promise<void> {
    if (this.#child.exitCode !== null) throw new Error('the board has ended');
    return new Promise((resolve) => this.#waiting.add(resolve));
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }
}
