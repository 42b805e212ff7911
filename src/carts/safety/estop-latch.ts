import { actorText } from '../../shared/actor.js';
import { fileErrorReason } from '../../shared/files.js';
import { type Text, textOf } from '../../shared/messages/message.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { LatchStore } from './latch-store.js';
import { safetyMessage } from './messages.js';
import { type Latch, UNLATCHED } from './refusals.js';

const RETRY_MS = 1000;
/**
 * Maximum time that the response to a latching stop waits for the disk. On a slow SD card, the two fsyncs of a write
 * take 0.4 s.
 */
const MAX_WAIT_MS = 800;

/** Changes take effect in memory immediately and are then written to disk in order. */
export class EstopLatch {
  #store: LatchStore;
  #log: Log;
  #clock: Clock;
  #retry: Cancel = () => undefined;
  #value: Latch = UNLATCHED;
  #saved: Promise<void> = Promise.resolve();
  #isWaiting = false;
  #failure: Text = '';
  /** True while a write takes longer than a response may wait. */
  #isLate = false;

  constructor(store: LatchStore, clock: Clock, log: Log) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
  }

  get value(): Latch {
    return this.#value;
  }

  /** Why the latch could not be written to disk; empty if no write has failed. */
  get failure(): Text {
    return this.#failure;
  }

  /** Why the latch is not on disk; empty if the latch is on disk or if writing it has only just begun. */
  get fault(): Text {
    return this.#failure === '' && this.#isLate ? safetyMessage('latch-not-saved-yet') : this.#failure;
  }

  get isSet(): boolean {
    return this.#value.kind !== 'NONE';
  }

  async load(): Promise<void> {
    this.#value = await this.#store.load();
    if (this.isSet) {
      const { by, ...latch } = this.#value;
      this.#log.warn('estop.latch_restored', { ...latch, by: actorText(by) });
    }
  }

  /** Changes the latch in memory; `save()` writes it to disk. */
  set(latch: Latch): void {
    this.#value = latch;
  }

  /** Resolves when the current latch is on disk or the failure has been logged. */
  save(): Promise<void> {
    this.#retry();
    // At most one write is queued, so that writes do not accumulate if the SD card hangs.
    if (this.#isWaiting) return this.#saved;
    this.#isWaiting = true;
    this.#saved = this.#saved.then(() => {
      this.#isWaiting = false;
      return this.#write(this.#value);
    });
    return this.#saved;
  }

  close(): void {
    this.#retry();
  }

  /**
   * Resolves when all changes are on disk or have failed, or after `MAX_WAIT_MS` at the latest, because a person is
   * waiting for the confirmation. `failure` and `fault` then contain the reason.
   */
  saved(): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#clock.after(MAX_WAIT_MS, () => {
        this.#isLate = true;
        resolve();
      });
      void this.#saved.then(() => {
        cancel();
        resolve();
      });
    });
  }

  async #write(latch: Latch): Promise<void> {
    try {
      await this.#store.save(latch);
      this.#failure = '';
    } catch (error) {
      const fault = safetyMessage('latch-not-saved', { reason: fileErrorReason(error) });
      // The write is retried every second, so a repeated failure reason is logged only once.
      if (fault.text !== textOf(this.#failure)) this.#log.error('estop.save_failed', { error });
      this.#failure = fault;
      this.#retry = this.#clock.after(RETRY_MS, () => void this.save());
    } finally {
      this.#isLate = false;
    }
  }
}
