import { GatewayError } from '../../src/shared/errors.js';
import type { Cancel } from '../../src/shared/ports/clock.js';
import type { BusMessage, BusStatus, MessageBus, PublishOptions } from '../../src/shared/ports/mqtt.js';

interface Subscription {
  client: MemoryBus;
  filter: RegExp;
  listener: (message: BusMessage) => void;
}

/** An in-memory broker for tests with a fake clock: a message arrives one microtask after it is published. */
export class MemoryBroker {
  readonly subscriptions = new Set<Subscription>();
  readonly retained = new Map<string, Buffer>();
  /** Returns true if the next message should not be delivered. Retained messages are always stored. */
  loses = (): boolean => false;

  client(): MemoryBus {
    return new MemoryBus(this);
  }
}

/** A connection to the in-memory broker that a test can disconnect and restore. */
export class MemoryBus implements MessageBus {
  #broker: MemoryBroker;
  #status: BusStatus = { connected: true, reason: '', url: 'mqtt://memory', embedded: true };
  #listeners = new Set<(status: BusStatus) => void>();

  constructor(broker: MemoryBroker) {
    this.#broker = broker;
  }

  status(): BusStatus {
    return this.#status;
  }

  /** An empty `reason` restores the connection and all subscriptions, which return the retained messages. */
  setOutage(reason: string): void {
    const isRestored = reason === '' && !this.#status.connected;
    this.#status = { ...this.#status, connected: reason === '', reason };
    for (const { client, filter, listener } of isRestored ? [...this.#broker.subscriptions] : [])
      for (const [topic, payload] of this.#broker.retained)
        if (client === this && filter.test(topic)) listener({ topic, payload, retain: true });
    for (const listener of [...this.#listeners]) listener(this.#status);
  }

  async publish(topic: string, payload: string, { retain = false }: PublishOptions): Promise<void> {
    if (!this.#status.connected) throw new GatewayError('BROKER_DOWN', this.#status.reason);
    const message = { topic, payload: Buffer.from(payload) };
    if (retain) this.#broker.retained.set(topic, message.payload);
    await Promise.resolve();
    if (!retain && this.#broker.loses()) return;
    for (const { client, filter, listener } of [...this.#broker.subscriptions])
      if (client.#status.connected && filter.test(topic)) listener({ ...message, retain: false });
  }

  subscribe(topicFilter: string, listener: (message: BusMessage) => void): Cancel {
    const filter = new RegExp(`^${topicFilter.replaceAll('+', '[^/]+').replace('#', '.*')}$`);
    const subscription = { client: this, filter, listener };
    this.#broker.subscriptions.add(subscription);
    for (const [topic, payload] of this.#broker.retained)
      if (filter.test(topic)) listener({ topic, payload, retain: true });
    return () => void this.#broker.subscriptions.delete(subscription);
  }

  onStatus(listener: (status: BusStatus) => void): Cancel {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.setOutage('closed');
  }
}
