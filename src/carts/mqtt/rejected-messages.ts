import { textOf } from '../../shared/messages/message.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { Reason } from '../command/model.js';
import { rejectionError, type StateError } from './messages/state-errors.js';

const KEEP_COUNT = 10;
const KEEP_MS = 60_000;

/** Each rejected message, and each invalid stop, is included in the published state for a minute. */
export class RejectedMessages {
  #clock: Clock;
  #log: Log;
  #entries: { atMs: number; event: string; error: StateError }[] = [];

  constructor(clock: Clock, log: Log) {
    this.#clock = clock;
    this.#log = log;
  }

  add(reason: Reason, references: Record<string, string>): void {
    this.#add('mqtt.message_rejected', reason, references);
  }

  /** Reports the fault in an invalid message whose stop was still executed. */
  addObeyed({ code, text }: Reason, references: Record<string, string>): void {
    const obeyed = { code, text: `the stop was executed, but ${textOf(text)}` };
    this.#add('mqtt.invalid_stop_executed', obeyed, references);
  }

  /** Returns the rejections, newest last. */
  list(): StateError[] {
    const now = this.#clock.now();
    this.#entries = this.#entries.filter(({ atMs }) => now - atMs < KEEP_MS);
    return this.#entries.map(({ error }) => error);
  }

  #add(event: string, reason: Reason, references: Record<string, string>): void {
    this.list();
    const known = this.#entries.some(
      (entry) => entry.event === event && entry.error.errorType === reason.code,
    );
    // Each code is logged at most once a minute, so that a flood of invalid messages does not fill the disk.
    if (!known) this.#log.warn(event, { ...reason, ...references });
    this.#entries = [
      ...this.#entries.slice(1 - KEEP_COUNT),
      { atMs: this.#clock.now(), event, error: rejectionError(reason, references) },
    ];
  }
}
