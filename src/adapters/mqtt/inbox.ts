import type { InputScheduler } from '../../shared/input-scheduler.js';
import type { BusMessage } from '../../shared/ports/mqtt.js';

/** If more messages than this are waiting, the gateway stops reading from the connection to the broker. */
const MAX_WAITING = 256;

interface InboxOptions {
  inputs: InputScheduler;
  deliver: (message: BusMessage) => void;
  /** True if only the newest message of the topic is needed. */
  isNewestOnly: (topic: string) => boolean;
}

/**
 * Delivers messages when it is their sender's turn, and never during the call that received them, so that no response
 * arrives before `publish` returns. If only the newest message of a topic is needed, a new message replaces the
 * waiting one before either is parsed.
 */
export class Inbox {
  readonly #o: InboxOptions;
  /** The waiting message of each topic whose older messages are not needed. */
  readonly #newest = new Map<string, BusMessage>();
  readonly #room: (() => void)[] = [];
  #waiting = 0;
  #isClosed = false;

  constructor(o: InboxOptions) {
    this.#o = o;
  }

  add(message: BusMessage): void {
    if (this.#isClosed) return;
    const { topic, retain, sourceKey = cartOf(topic) } = message;
    // A retained message never replaces a waiting message, because the retained one may be older.
    if (retain || !this.#o.isNewestOnly(topic)) return this.#queue(sourceKey, message, () => true);
    this.#newest.set(topic, message);
    this.#queue(sourceKey, message, () => {
      const isNewest = this.#newest.get(topic) === message;
      if (isNewest) this.#newest.delete(topic);
      return isNewest;
    });
  }

  /** Calls `next` immediately, or as soon as fewer messages are waiting. */
  whenRoom(next: () => void): void {
    if (this.#waiting < MAX_WAITING || this.#isClosed) next();
    else this.#room.push(next);
  }

  /** Drops the waiting messages. */
  close(): void {
    this.#isClosed = true;
    for (const next of this.#room.splice(0)) next();
  }

  #queue(key: string, message: BusMessage, isNeeded: () => boolean): void {
    this.#waiting += 1;
    this.#o.inputs.queue(
      { rank: 'named', key },
      {
        run: () => {
          this.#waiting -= 1;
          if (isNeeded() && !this.#isClosed) this.#o.deliver(message);
          if (this.#waiting < MAX_WAITING) this.#room.shift()?.();
        },
      },
    );
  }
}

/** Returns the topic without its last level, so that messages of one cart stay in order. */
function cartOf(topic: string): string {
  return topic.slice(0, topic.lastIndexOf('/') + 1);
}
