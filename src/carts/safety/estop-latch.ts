import { fileErrorReason } from '../../shared/files.js';
import { type Text, textOf } from '../../shared/messages/message.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { LatchStore } from './latch-store.js';
import { safetyMessage } from './messages.js';
import { type Latch, UNLATCHED } from './safety.js';

const RETRY_MS = 1000;

/** The latch of the emergency stop: effective at once in memory, then on disk, in the order of its changes. */
export class EstopLatch {
  #store: LatchStore;
  #log: Log;
  #clock: Clock;
  #retry: Cancel = () => undefined;
  #value: Latch = UNLATCHED;
  #saved: Promise<void> = Promise.resolve();
  #isWaiting = false;
  #fault: Text = '';

  constructor(store: LatchStore, clock: Clock, log: Log) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
  }

  get value(): Latch {
    return this.#value;
  }

  /** Why the latch is not on disk; empty when it is. */
  get fault(): Text {
    return this.#fault;
  }

  get isSet(): boolean {
    return this.#value.kind !== 'NONE';
  }

  /** Takes up what was latched when the gateway last ran. */
  async load(): Promise<void> {
    this.#value = await this.#store.load();
    if (this.isSet) this.#log.warn('estop.still_latched', { ...this.#value });
  }

  /** Changes it in memory, before this returns; `save()` brings it to the disk. */
  set(latch: Latch): void {
    this.#value = latch;
  }

  /** Resolves when the latch as it is now is on disk, or could not be written (that is logged). */
  save(): Promise<void> {
    this.#retry();
    // Behind the write that runs at most one waits, and takes the latch as it is then: a card that hangs gathers no queue.
    if (this.#isWaiting) return this.#saved;
    this.#isWaiting = true;
    this.#saved = this.#saved.then(() => {
      this.#isWaiting = false;
      return this.#write(this.#value);
    });
    return this.#saved;
  }

  /** Tries no more to save it. */
  close(): void {
    this.#retry();
  }

  /** Resolves when what was changed so far is on disk, or known not to be: then `fault` says why. */
  saved(): Promise<void> {
    return this.#saved;
  }

  async #write(latch: Latch): Promise<void> {
    try {
      await this.#store.save(latch);
      this.#fault = '';
    } catch (error) {
      const fault = safetyMessage('latch-not-saved', { reason: fileErrorReason(error) });
      // It is tried every second: the same reason again and again is one line in the log.
      if (fault.text !== textOf(this.#fault)) this.#log.error('estop.not_saved', { error });
      this.#fault = fault;
      this.#retry = this.#clock.after(RETRY_MS, () => void this.save());
    }
  }
}
