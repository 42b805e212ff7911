import { messageOf } from '../../shared/errors.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { MessageBus, PublishOptions } from '../../shared/ports/mqtt.js';
import { type Header, Headers, type TopicIdentity, type TopicName, Topics } from './messages/topics.js';

/** Where somebody wants to be answered, beside the topic on which everybody is. */
export interface ReplyAddress {
  topic: string;
  /** Given back as it came. */
  correlationData?: Buffer | undefined;
}

/** Speaks for one cart on the tree. While the broker is away it says nothing, and nothing is kept for later. */
export class CartPublisher {
  readonly topics: Topics;
  #bus: MessageBus;
  #identity: TopicIdentity;
  #headers: Headers;
  #clock: Clock;
  #log: Log;

  constructor({
    bus,
    identity,
    clock,
    log,
  }: { bus: MessageBus; identity: TopicIdentity; clock: Clock; log: Log }) {
    this.#bus = bus;
    this.#identity = identity;
    this.#clock = clock;
    this.#log = log;
    this.topics = new Topics(identity);
    this.#headers = new Headers(identity);
  }

  get connected(): boolean {
    return this.#bus.status().connected;
  }

  /** Says it on the own cart's topic. Never rejects: what cannot be said now is not worth saying later. */
  async publish(name: TopicName, body: object, options: PublishOptions): Promise<void> {
    if (!this.connected) return;
    const topic = this.topics.of(this.#identity.cartId, name);
    await this.publishWith(this.header(name), name, body, options).catch((thrown: unknown) => {
      this.#log.debug('tree.not_said', { topic, reason: messageOf(thrown) });
    });
  }

  /** Says it where its asker wants to hear it. Never rejects, as `say`. */
  async answer(
    { topic, correlationData }: ReplyAddress,
    body: object,
    options: PublishOptions,
  ): Promise<void> {
    if (!this.connected) return;
    const header = this.#headers.next(topic, this.#clock.wallTime());
    const payload = JSON.stringify({ ...header, ...body });
    await this.#bus.publish(topic, payload, { ...options, correlationData }).catch((thrown: unknown) => {
      this.#log.debug('tree.not_said', { topic, reason: messageOf(thrown) });
    });
  }

  /** The next header of a topic, for a message whose id must be known before it goes out. */
  header(name: TopicName): Header {
    return this.#headers.next(this.topics.of(this.#identity.cartId, name), this.#clock.wallTime());
  }

  /** Says it under this header; rejects as the bus does. */
  publishWith(header: Header, name: TopicName, body: object, options: PublishOptions): Promise<void> {
    const topic = this.topics.of(this.#identity.cartId, name);
    return this.#bus.publish(topic, JSON.stringify({ ...header, ...body }), options);
  }
}

/**
 * What the broker shall say when this gateway is gone without a word. Made anew for every connection; its content is
 * old when it is published, so receivers go by its arrival.
 */
export function lastWill(identity: TopicIdentity, clock: Clock): { topic: string; payload: string } {
  const topic = new Topics(identity).of(identity.cartId, 'connection');
  const header = { ...new Headers(identity).next(topic, clock.wallTime()), headerId: 0 };
  return { topic, payload: JSON.stringify({ ...header, connectionState: 'CONNECTION_BROKEN' }) };
}
