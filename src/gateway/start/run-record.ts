import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileErrorReason } from '../../shared/files.js';
import { textOf } from '../../shared/messages/message.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';

/** Unclean ends in a row after which the gateway starts in stop-only mode. */
const STOP_ONLY_AFTER = 3;
/** A run of this length is healthy: the ends before it no longer count. */
export const HEALTHY_MS = 300_000;
const FIRST_DELAY_MS = 2000;
const MAX_DELAY_MS = 30_000;

interface Counts {
  /** Runs in a row that ended without a request to stop, each before it was healthy. */
  uncleanEnds: number;
  /** Starts in a row that failed with a reported reason. */
  failedStarts: number;
  /** A run has begun; still true when it ended without a request to stop. */
  running: boolean;
}

const NONE: Counts = { uncleanEnds: 0, failedStarts: 0, running: false };

/**
 * Counts unclean ends of this program in a file of the runtime directory, which is in memory: a kill leaves the file, and
 * a power cut or a reboot removes it, because neither is a crash loop. Without a directory nothing is counted.
 */
export class RunRecord {
  /** Unclean ends in a row before this run. */
  readonly uncleanEnds: number;
  /** Why ends cannot be counted; empty when they can. */
  readonly fault: string;
  readonly #file: string | undefined;
  readonly #failedStarts: number;
  #isOver = false;

  /** Notes the start. @param directory survives restarts of the service, and nothing else. */
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

  /** How long this start waits; grows from 2 to 30 s with further ends. systemd before 254 has one delay only. */
  get delayMs(): number {
    const further = this.uncleanEnds + this.#failedStarts - STOP_ONLY_AFTER - 1;
    return further < 0 ? 0 : Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** further);
  }

  /** Call when the gateway serves: after `HEALTHY_MS` the ends before this run no longer count. */
  serving(clock: Clock): Cancel {
    return clock.after(HEALTHY_MS, () => this.#write({ ...NONE, running: true }));
  }

  /** The start failed for a reason that was reported, such as a wrong setting: only the next delay grows. */
  startFailed(): void {
    const { uncleanEnds } = this;
    this.#write({ uncleanEnds, failedStarts: this.#failedStarts + 1, running: false });
    this.#isOver = true;
  }

  /** The process was asked to stop: whatever ends it now, the next start is a normal one. */
  stopRequested(): void {
    this.#isOver = true;
    if (this.#file === undefined) return;
    try {
      rmSync(this.#file, { force: true });
    } catch {
      // The directory has gone with the service.
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

  /** Returns why it failed; empty when it did not. */
  #write(counts: Counts): string {
    if (this.#file === undefined || this.#isOver) return '';
    try {
      // A kill during the write leaves the file before it.
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
