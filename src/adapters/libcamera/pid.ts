import { readFileSync, rmSync } from 'node:fs';
import type { Clock } from '../../shared/ports/ports.js';

const POLL_MS = 20;
/** A process that the kernel holds back longer than this is left to the kernel. */
const PATIENCE_MS = 5000;

/** The camera program's real process, as the shim noted it: its id, and an argument that no other process has. */
export class PidFile {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** The process, as long as it lives and is what was noted; with `token` only when that is its argument. */
  alive(token?: string): number | undefined {
    const [pid = 0, noted = ''] = this.#read();
    if (!(pid > 1) || noted === '' || (token !== undefined && noted !== token)) return undefined;
    // The number may be another process's by now.
    return argumentsOf(pid).includes(noted) ? pid : undefined;
  }

  signal(name: 'SIGTERM' | 'SIGKILL', token?: string): void {
    const pid = this.alive(token);
    if (pid === undefined) return;
    try {
      process.kill(pid, name);
    } catch {
      // It has just ended by itself.
    }
  }

  /** Kills what is left, and resolves when it is gone. Answers whether there was anything. */
  async clear(clock: Clock): Promise<boolean> {
    const found = this.alive();
    const endMs = clock.now() + PATIENCE_MS;
    while (this.alive() !== undefined && clock.now() < endMs) {
      this.signal('SIGKILL');
      await new Promise<void>((resolve) => clock.after(POLL_MS, resolve));
    }
    rmSync(this.path, { force: true });
    return found !== undefined;
  }

  #read(): [number, string] | [] {
    try {
      const [pid, token = ''] = readFileSync(this.path, 'utf8').split(' ');
      return [Number(pid), token];
    } catch {
      return [];
    }
  }
}

/** Empty when there is no such process, and when it has ended and nobody has asked for its status yet. */
function argumentsOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}
