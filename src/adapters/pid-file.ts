import { readFileSync, rmSync } from 'node:fs';
import type { Clock } from '../shared/ports/clock.js';

const POLL_MS = 20;
const KILL_TIMEOUT_MS = 5000;

/** A recorded child process: the process ID and an argument unique to the process. */
export class PidFile {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** Returns the process ID if the process is running and has `token`, if given, as an argument. */
  alive(token?: string): number | undefined {
    const [pid = 0, recorded = ''] = this.#read();
    if (!(pid > 1) || recorded === '' || (token !== undefined && recorded !== token)) return undefined;
    // The arguments are compared, because another process may have reused the process ID.
    return argumentsOf(pid).includes(recorded) ? pid : undefined;
  }

  signal(name: 'SIGTERM' | 'SIGKILL', token?: string): void {
    const pid = this.alive(token);
    if (pid === undefined) return;
    try {
      process.kill(pid, name);
    } catch {}
  }

  /** Kills a running process and waits for it to exit. Resolves with false if the process was not running. */
  async clear(clock: Clock): Promise<boolean> {
    const found = this.alive();
    const endMs = clock.now() + KILL_TIMEOUT_MS;
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

function argumentsOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return [];
  }
}
