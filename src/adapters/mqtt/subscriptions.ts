import type { Text } from '../../shared/messages/message.js';
import type { Cancel } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { BusMessage, SubscribeOptions } from '../../shared/ports/mqtt.js';
import { brokerMessage } from './messages.js';

type Listener = (message: BusMessage) => void;

interface Subscriber {
  subscribe(filters: string[]): Promise<string[]>;
  unsubscribe(filter: string): void;
}

interface Subscription {
  levels: readonly string[];
  listeners: Set<Listener>;
  newestOnly: boolean;
}

/** A bus's subscriptions, which are renewed on each connection because the broker keeps no session. */
export class Subscriptions {
  #byFilter = new Map<string, Subscription>();
  #connection: () => Subscriber | undefined;
  #log: Log;
  #rejected = (_reason: Text) => {};

  constructor(log: Log, connection: () => Subscriber | undefined) {
    this.#log = log;
    this.#connection = connection;
  }

  onRejected(listener: (reason: Text) => void): void {
    this.#rejected = listener;
  }

  /** Subscribes when a filter's first listener is added, and unsubscribes when its last one is removed. */
  add(filter: string, listener: Listener, { newestOnly = false }: SubscribeOptions = {}): Cancel {
    const existing = this.#byFilter.get(filter);
    const subscription = existing ?? { levels: filter.split('/'), listeners: new Set(), newestOnly };
    subscription.newestOnly &&= newestOnly;
    const { listeners } = subscription;
    // The wrapper allows a listener to be added twice and each registration to be cancelled separately.
    const own: Listener = (message) => listener(message);
    listeners.add(own);
    if (!existing) {
      this.#byFilter.set(filter, subscription);
      void this.#subscribe([filter]);
    }
    return () => {
      if (!listeners.delete(own) || listeners.size > 0) return;
      this.#byFilter.delete(filter);
      this.#connection()?.unsubscribe(filter);
    };
  }

  renew(): void {
    void this.#subscribe([...this.#byFilter.keys()]);
  }

  /** Returns true if every listener of the topic needs only the newest message. */
  isNewestOnly(topic: string): boolean {
    return this.#matching(topic).every(({ newestOnly }) => newestOnly);
  }

  deliver(message: BusMessage): void {
    for (const { listeners } of this.#matching(message.topic)) {
      for (const listener of [...listeners]) this.#call(listener, message);
    }
  }

  #matching(topic: string): Subscription[] {
    const topicLevels = topic.split('/');
    return [...this.#byFilter.values()].filter(({ levels }) => matches(levels, topicLevels));
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
    const rejected = (await this.#connection()?.subscribe(filters)) ?? [];
    if (rejected.length === 0) return;
    const reason = brokerMessage('no-read', { topics: rejected.join(', ') });
    this.#log.error('broker.subscription_rejected', { filters: rejected });
    this.#rejected(reason);
  }
}

/** Compares levels of a topic and a filter: `+` matches one level, a trailing `#` all remaining levels. */
export function matches(filter: readonly string[], topic: readonly string[]): boolean {
  // A leading wildcard does not match $SYS topics (MQTT 3.1.1, 4.7.2).
  if (topic[0]?.startsWith('$') && !filter[0]?.startsWith('$')) return false;
  for (let at = 0; at < filter.length; at += 1) {
    const level = filter[at];
    if (level === '#') return true;
    if (at >= topic.length || (level !== '+' && level !== topic[at])) return false;
  }
  return filter.length === topic.length;
}
