import type { BusMessage, Cancel, Log } from '../ports.js';

type Listener = (message: BusMessage) => void;

/** The part of a connection that subscriptions need. */
interface Subscriber {
  subscribe(filters: string[]): Promise<string[]>;
  unsubscribe(filter: string): void;
}

/** Who listens to what, kept across connections: the broker forgets, we do not. */
export class Subscriptions {
  #listeners = new Map<string, Set<Listener>>();
  #connection: () => Subscriber | undefined;
  #log: Log;
  #refused = (_reason: string) => {};

  constructor(log: Log, connection: () => Subscriber | undefined) {
    this.#log = log;
    this.#connection = connection;
  }

  /** Called with a sentence when the broker refuses a filter. */
  onRefused(listener: (reason: string) => void): void {
    this.#refused = listener;
  }

  /** The first listener of a filter subscribes, the last one to leave unsubscribes. */
  add(filter: string, listener: Listener): Cancel {
    const known = this.#listeners.get(filter);
    const listeners = known ?? new Set();
    // A function of its own, so that the same listener may be added twice and taken away once.
    const own: Listener = (message) => listener(message);
    listeners.add(own);
    if (!known) {
      this.#listeners.set(filter, listeners);
      void this.#subscribe([filter]);
    }
    return () => {
      if (!listeners.delete(own) || listeners.size > 0) return;
      this.#listeners.delete(filter);
      this.#connection()?.unsubscribe(filter);
    };
  }

  /** Subscribes to everything on a new connection. */
  renew(): void {
    void this.#subscribe([...this.#listeners.keys()]);
  }

  /** Hands a message to everyone whose filter it matches. */
  deliver(message: BusMessage): void {
    for (const [filter, listeners] of [...this.#listeners]) {
      if (!matches(filter, message.topic)) continue;
      for (const listener of [...listeners]) this.#call(listener, message);
    }
  }

  #call(listener: Listener, message: BusMessage): void {
    try {
      listener(message);
    } catch (cause) {
      this.#log.error('broker.listener_failed', { topic: message.topic, cause });
    }
  }

  async #subscribe(filters: string[]): Promise<void> {
    if (filters.length === 0) return;
    const refused = (await this.#connection()?.subscribe(filters)) ?? [];
    if (refused.length === 0) return;
    const reason = `connected, but the broker does not let this client read ${refused.join(', ')}`;
    this.#log.error('broker.subscription_refused', { filters: refused });
    this.#refused(reason);
  }
}

/** Whether a topic falls under a filter, by MQTT's rules: `+` is one level, a final `#` is all that follow. */
export function matches(filter: string, topic: string): boolean {
  const wanted = filter.split('/');
  const levels = topic.split('/');
  // Topics of the broker itself ($SYS) are only for those who name them.
  if (topic.startsWith('$') && !filter.startsWith('$')) return false;
  for (const [at, level] of wanted.entries()) {
    if (level === '#') return true;
    if (at >= levels.length || (level !== '+' && level !== levels[at])) return false;
  }
  return wanted.length === levels.length;
}
