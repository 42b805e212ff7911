import type { Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { Reason } from '../command/model.js';
import { rejectionError, type StateError } from './messages/state-errors.js';

const KEEP_COUNT = 10;
const KEEP_MS = 60_000;

/** Each rejected message is included in the published state for a minute. */
export class RejectedMessages {
  #clock: Clock;
  #log: Log;
  #entries: { atMs: number; error: StateError }[] = [];

  constructor(clock: Clock, log: Log) {
    this.#clock = clock;
    this.#log = log;
  }

  add(reason: Reason, references: Record<string, string>): void {
    const known = this.list().some(({ errorType }) => errorType === reason.code);
    // Each code is logged at most once a minute, so that a flood of invalid messages does not fill the disk.
    if (!known) this.#log.warn('mqtt.message_rejected', { ...reason, ...references });
    this.#entries = [
      ...this.#entries.slice(1 - KEEP_COUNT),
      { atMs: this.#clock.now(), error: rejectionError(reason, references) },
    ];
  }

  /** The newest rejection comes last. */
  list(): StateError[] {
    const now = this.#clock.now();
    this.#entries = this.#entries.filter(({ atMs }) => now - atMs < KEEP_MS);
    return this.#entries.map(({ error }) => error);
  }
}
