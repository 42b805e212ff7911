import type { KeyObject } from 'node:crypto';
import { messageOf } from '../../shared/errors.js';
import type { Cancel, Clock, Log, MessageBus } from '../../shared/ports/ports.js';
import { signHeartbeat } from './heartbeat-message.js';
import { Headers, Topics, type TreeIdentity } from './messages/topics.js';

/** The shortest limit of a cart, 500 ms, allows for one lost heartbeat. */
const HEARTBEAT_MS = 200;

interface HeartbeatPublisherDeps {
  bus: MessageBus;
  clock: Clock;
  log: Log;
  identity: TreeIdentity;
  /** Shared by the gateways of the site; without one nothing is published. */
  key: KeyObject | undefined;
  /** The carts that carry out a command of this gateway. */
  carts: () => Iterable<number>;
}

/** Publishes a signed heartbeat to every cart that carries out a command of this gateway. */
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

  /**
   * Called before a command is published: the cart then knows the counter of this session, and refuses every heartbeat
   * from before the command.
   */
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
    const payload = JSON.stringify({ ...heartbeat, signature: signHeartbeat(key, topic, heartbeat) });
    bus.publish(topic, payload, { qos: 0, expiryS: 1 }).catch((thrown: unknown) => {
      log.debug('heartbeat.publish_failed', { cartID: cartId, reason: messageOf(thrown) });
    });
  }
}
