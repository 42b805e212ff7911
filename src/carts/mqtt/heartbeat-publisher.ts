import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { messageOf } from '../../shared/errors.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { MessageBus } from '../../shared/ports/mqtt.js';
import { encodeMessage } from './messages/encode.js';
import type { HeartbeatMessage } from './messages/schema.js';
import { Headers, type TopicIdentity, Topics } from './messages/topics.js';

/** At this interval, a cart tolerates one lost heartbeat even at the shortest limit of 500 ms. */
const HEARTBEAT_MS = 200;

interface HeartbeatPublisherDeps {
  bus: MessageBus;
  clock: Clock;
  log: Log;
  identity: TopicIdentity;
  /** Key shared by the site's gateways; without a key, no heartbeats are published. */
  key: KeyObject | undefined;
  carts: () => Iterable<number>;
}

export class HeartbeatPublisher {
  #deps: HeartbeatPublisherDeps;
  #topics: Topics;
  #headers: Headers;
  #counter = 0;
  #cancel: Cancel | undefined;

  constructor(deps: HeartbeatPublisherDeps) {
    this.#deps = deps;
    this.#topics = new Topics(deps.identity);
    this.#headers = new Headers(deps.identity);
  }

  /** Publishes a heartbeat before each command, so that its new counter invalidates replays of older heartbeats. */
  begin(cartId: number): void {
    if (!this.#deps.key) return;
    this.#publish(this.#deps.key, cartId);
    this.#cancel ??= this.#deps.clock.every(HEARTBEAT_MS, () => this.#beat());
  }

  close(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #beat(): void {
    const { key, carts } = this.#deps;
    const cartIds = [...new Set(carts())];
    if (!key || cartIds.length === 0) return this.close();
    for (const cartId of cartIds) this.#publish(key, cartId);
  }

  #publish(key: KeyObject, cartId: number): void {
    const { bus, clock, log } = this.#deps;
    this.#counter += 1;
    const topic = this.#topics.of(cartId, 'heartbeat');
    const heartbeat = { ...this.#headers.next(topic, clock.wallTime(), cartId), counter: this.#counter };
    const signature = signHeartbeat(key, topic, heartbeat);
    const payload = encodeMessage('heartbeat', { ...heartbeat, signature });
    bus.publish(topic, payload, { qos: 0, expiryS: 1 }).catch((thrown: unknown) => {
      log.debug('heartbeat.publish_failed', { cartID: cartId, reason: messageOf(thrown) });
    });
  }
}

type Signed = Pick<HeartbeatMessage, 'gatewayId' | 'sessionId' | 'counter'>;

/** HMAC-SHA256 in base64url. The topic is signed, so a heartbeat is invalid for other carts and fleets. */
export function signHeartbeat(
  key: KeyObject,
  topic: string,
  { gatewayId, sessionId, counter }: Signed,
): string {
  const signed = JSON.stringify(['cartwright heartbeat 1', topic, gatewayId, sessionId, counter]);
  return createHmac('sha256', key).update(signed).digest('base64url');
}

export function isSigned(key: KeyObject, topic: string, message: HeartbeatMessage): boolean {
  const expected = Buffer.from(signHeartbeat(key, topic, message));
  const given = Buffer.from(message.signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
