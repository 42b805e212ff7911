import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Snapshot } from '../../src/simulator/controller/controller.js';

export class SimulatorProcess {
  #child: ChildProcess;
  #lines: ({ event: string } & Partial<Snapshot>)[] = [];
  #wake = new Set<() => void>();

  constructor(path: string, dialect = 'cgw1') {
    const main = join(import.meta.dirname, '../../src/cli/simulate-controller.js');
    this.#child = spawn(process.execPath, [main, '--path', path, '--dialect', dialect], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    if (this.#child.stdout) {
      createInterface({ input: this.#child.stdout }).on('line', (line) => {
        this.#lines.push(JSON.parse(line));
        for (const wake of this.#wake) wake();
        this.#wake.clear();
      });
    }
  }

  send(line: string): void {
    this.#child.stdin?.write(`${line}\n`);
  }

  async until(
    matches: (line: { event: string } & Partial<Snapshot>) => boolean,
  ): Promise<{ event: string } & Partial<Snapshot>> {
    for (;;) {
      const at = this.#lines.findIndex(matches);
      const found = this.#lines[at];
      this.#lines.splice(0, at < 0 ? this.#lines.length : at + 1);
      if (found) return found;
      await new Promise<void>((resolve) => this.#wake.add(resolve));
    }
  }

  snapshot(): Promise<{ event: string } & Partial<Snapshot>> {
    this.#lines.length = 0;
    this.send('state');
    return this.until(({ event }) => event === 'console.answered');
  }

  async close(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const exit = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await exit;
  }
}
