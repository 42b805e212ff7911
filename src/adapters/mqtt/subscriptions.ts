import type { Text } from '../../shared/messages/message.js';
import type { BusMessage, Cancel, Log } from '../../shared/ports/ports.js';
import { brokerMessage } from './messages.js';

type Listener = (message: BusMessage) => void;

/** The part of a connection that subscriptions need. */
interface Subscriber {
  subscribe(filters: string[]): Promise<string[]>;
  unsubscribe(filter: string): void;
}

interface Subscription {
  /** The filter's levels. */
  levels: readonly string[];
  listeners: Set<Listener>;
}

/** Who listens to what, kept across connections: the broker forgets, we do not. */
export class Subscriptions {
  #byFilter = new Map<string, Subscription>();
  #connection: () => Subscriber | undefined;
  #log: Log;
  #refused = (_reason: Text) => {};

  constructor(log: Log, connection: () => Subscriber | undefined) {
    this.#log = log;
    this.#connection = connection;
  }

  /** Called with a sentence when the broker refuses a filter. */
  onRefused(listener: (reason: Text) => void): void {
    this.#refused = listener;
  }

  /** The first listener of a filter subscribes, the last one to leave unsubscribes. */
  add(filter: string, listener: Listener): Cancel {
    const known = this.#byFilter.get(filter);
    const subscription = known ?? { levels: filter.split('/'), listeners: new Set() };
    const { listeners } = subscription;
    // A function of its own, so that the same listener may be added twice and taken away once.
    const own: Listener = (message) => listener(message);
    listeners.add(own);
    if (!known) {
      this.#byFilter.set(filter, subscription);
      void this.#subscribe([filter]);
    }
    return () => {
      if (!listeners.delete(own) || listeners.size > 0) return;
      this.#byFilter.delete(filter);
      this.#connection()?.unsubscribe(filter);
    };
  }

  /** Subscribes to everything on a new connection. */
  renew(): void {
    void this.#subscribe([...this.#byFilter.keys()]);
  }

  /** Hands a message to everyone whose filter it matches. */
  deliver(message: BusMessage): void {
    const topic = message.topic.split('/');
    for (const { levels, listeners } of [...this.#byFilter.values()]) {
      if (!matches(levels, topic)) continue;
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
    const reason = brokerMessage('no-read', { topics: refused.join(', ') });
    this.#log.error('broker.subscription_refused', { filters: refused });
    this.#refused(reason);
  }
}

/** Whether a topic falls under a filter, level by level and by MQTT's rules: `+` is one, a final `#` is all that follow. */
export function matches(filter: readonly string[], topic: readonly string[]): boolean {
  // Topics of the broker itself ($SYS) are only for those who name them.
  if (topic[0]?.startsWith('$') && !filter[0]?.startsWith('$')) return false;
  for (let at = 0; at < filter.length; at += 1) {
    const level = filter[at];
    if (level === '#') return true;
    if (at >= topic.length || (level !== '+' && level !== topic[at])) return false;
  }
  return filter.length === topic.length;
}
