import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileErrorReason } from '../../shared/files.js';
import { textOf } from '../../shared/messages/message.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';

const STOP_ONLY_AFTER = 3;
/** A run that lasts this long resets the crash count. */
export const HEALTHY_MS = 300_000;
const FIRST_DELAY_MS = 2000;
const MAX_DELAY_MS = 30_000;

interface Counts {
  /** Number of consecutive runs that ended within `HEALTHY_MS` without a stop request. */
  uncleanEnds: number;
  /** Number of consecutive starts that failed with a reported error. */
  failedStarts: number;
  /** Stays true if the run ends without a stop request. */
  running: boolean;
}

const NONE: Counts = { uncleanEnds: 0, failedStarts: 0, running: false };

/** Counts crashes in an in-memory file, which survives a kill but not a reboot. */
export class RunRecord {
  readonly uncleanEnds: number;
  /** Why crashes cannot be counted, or an empty string. */
  readonly fault: string;
  readonly #file: string | undefined;
  readonly #failedStarts: number;
  #isOver = false;

  /** @param directory survives service restarts but not reboots; if undefined, crashes are not counted. */
  constructor(directory: string | undefined) {
    this.#file = directory === undefined ? undefined : join(directory, 'run.json');
    const before = this.#read();
    this.uncleanEnds = before.uncleanEnds + (before.running ? 1 : 0);
    this.#failedStarts = before.failedStarts;
    this.fault = this.#write({
      uncleanEnds: this.uncleanEnds,
      failedStarts: this.#failedStarts,
      running: true,
    });
  }

  get isStopOnly(): boolean {
    return this.uncleanEnds >= STOP_ONLY_AFTER;
  }

  /**
   * Delay before the next start: none after up to three consecutive failures, then 2 s, doubling up to 30 s.
   * systemd before version 254 supports only a constant delay.
   */
  get delayMs(): number {
    const further = this.uncleanEnds + this.#failedStarts - STOP_ONLY_AFTER - 1;
    return further < 0 ? 0 : Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** further);
  }

  /** Resets the counts after `HEALTHY_MS`. Call this when the gateway starts to accept requests. */
  serving(clock: Clock): Cancel {
    return clock.after(HEALTHY_MS, () => this.#write({ ...NONE, running: true }));
  }

  /** Call this if the start failed with a reported error; delays only the next start. */
  startFailed(): void {
    const { uncleanEnds } = this;
    this.#write({ uncleanEnds, failedStarts: this.#failedStarts + 1, running: false });
    this.#isOver = true;
  }

  /** Call this when the gateway is asked to stop. The next start is then normal, however this run ends. */
  stopRequested(): void {
    this.#isOver = true;
    if (this.#file === undefined) return;
    try {
      rmSync(this.#file, { force: true });
    } catch {
      // systemd has already removed the directory.
    }
  }

  #read(): Counts {
    if (this.#file === undefined) return NONE;
    try {
      const { uncleanEnds, failedStarts, running } = JSON.parse(readFileSync(this.#file, 'utf8'));
      return {
        uncleanEnds: countOf(uncleanEnds),
        failedStarts: countOf(failedStarts),
        running: running === true,
      };
    } catch {
      return NONE;
    }
  }

  #write(counts: Counts): string {
    if (this.#file === undefined || this.#isOver) return '';
    try {
      // If the process is killed during the write, the previous file stays intact.
      writeFileSync(`${this.#file}.new`, JSON.stringify(counts), { mode: 0o600 });
      renameSync(`${this.#file}.new`, this.#file);
      return '';
    } catch (error) {
      return textOf(fileErrorReason(error));
    }
  }
}

function countOf(value: unknown): number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : 0;
}
