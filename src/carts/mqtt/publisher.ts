import { messageOf } from '../../shared/errors.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { MessageBus, PublishOptions } from '../../shared/ports/mqtt.js';
import { encodeMessage } from './messages/encode.js';
import { type Header, Headers, type TopicIdentity, type TopicName, Topics } from './messages/topics.js';

/** A sender's MQTT 5 response topic; every response is also published on `ack`. */
export interface ReplyAddress {
  topic: string;
  correlationData?: Buffer | undefined;
}

/** While the gateway is not connected to the broker, messages are dropped. */
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

  /** Never rejects. A failed message is not retried, because it would already be outdated. */
  async publish(name: TopicName, body: object, options: PublishOptions): Promise<void> {
    if (!this.connected) return;
    const topic = this.topics.of(this.#identity.cartId, name);
    await this.publishWith(this.header(name), name, body, options).catch((thrown: unknown) => {
      this.#log.debug('mqtt.publish_failed', { topic, reason: messageOf(thrown) });
    });
  }

  async answer(
    { topic, correlationData }: ReplyAddress,
    body: object,
    options: PublishOptions,
  ): Promise<void> {
    if (!this.connected) return;
    const header = this.#headers.next(topic, this.#clock.wallTime());
    const payload = encodeMessage('ack', { ...header, ...body });
    await this.#bus.publish(topic, payload, { ...options, correlationData }).catch((thrown: unknown) => {
      this.#log.debug('mqtt.publish_failed', { topic, reason: messageOf(thrown) });
    });
  }

  header(name: TopicName): Header {
    return this.#headers.next(this.topics.of(this.#identity.cartId, name), this.#clock.wallTime());
  }

  publishWith(header: Header, name: TopicName, body: object, options: PublishOptions): Promise<void> {
    const topic = this.topics.of(this.#identity.cartId, name);
    return this.#bus.publish(topic, encodeMessage(name, { ...header, ...body }), options);
  }
}
