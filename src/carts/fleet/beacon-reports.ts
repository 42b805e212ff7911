import { messageOf } from '../../shared/errors.js';
import { textOf } from '../../shared/messages/message.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { BusMessage, MessageBus } from '../../shared/ports/mqtt.js';
import { Signal } from '../../shared/signal.js';
import { checkerFor } from '../../shared/validation/validate.js';
import { type CartPosition, POSITION_KEPT_MS } from '../command/model.js';
import { encodeMessage } from '../mqtt/messages/encode.js';
import { readMessage } from '../mqtt/messages/read.js';
import { Headers, type TopicIdentity, Topics } from '../mqtt/messages/topics.js';

/** Reports at shorter intervals are dropped, because computing a position is expensive. */
const MIN_INTERVAL_MS = 200;
const MAX_REPORTS = 100;

/** Payload of a `sightings` message; undeclared fields are ignored. */
export const sightingsMessageSchema = {
  type: 'object',
  required: ['sightings'],
  properties: {
    sightings: {
      type: 'array',
      maxItems: MAX_REPORTS,
      items: {
        type: 'object',
        required: ['id', 'rssi'],
        properties: { id: { type: 'string', maxLength: 80 }, rssi: { type: 'integer' } },
      },
    },
  },
} as const;

interface SightingsMessage {
  sightings: { id: string; rssi: number }[];
}

interface BeaconReportsDeps {
  bus: MessageBus;
  identity: TopicIdentity;
  includes: (cartId: number) => boolean;
  /** Throws INVALID_INPUT if the sightings are invalid. */
  locate: (sightings: SightingsMessage['sightings']) => object;
  clock: Clock;
  log: Log;
}

const check = checkerFor<SightingsMessage>(sightingsMessageSchema);

/** Publishes cart positions computed from `sightings` on the `position` topic and sends them to the pages. */
export class BeaconReports {
  #deps: BeaconReportsDeps;
  #topics: Topics;
  #headers: Headers;
  #receivedMs = new Map<number, number>();
  #positions = new Map<number, CartPosition>();
  #position = new Signal<[CartPosition]>();
  #cancel: Cancel = () => undefined;

  constructor(deps: BeaconReportsDeps) {
    this.#deps = deps;
    this.#topics = new Topics(deps.identity);
    this.#headers = new Headers(deps.identity);
  }

  readonly onPosition = this.#position.on.bind(this.#position);

  /** Returns the recent positions of the carts that are in the settings. */
  positions(): CartPosition[] {
    const { clock, includes } = this.#deps;
    for (const cartID of this.#positions.keys()) {
      const atMs = this.#receivedMs.get(cartID) ?? Number.NEGATIVE_INFINITY;
      if (includes(cartID) && clock.now() - atMs <= POSITION_KEPT_MS) continue;
      this.#positions.delete(cartID);
      this.#receivedMs.delete(cartID);
    }
    return [...this.#positions.values()];
  }

  start(): void {
    const { bus, clock } = this.#deps;
    const receive = (message: BusMessage): void => {
      const from = this.#topics.parse(message.topic);
      if (!from || message.retain || !this.#deps.includes(from.cartId)) return;
      const lastMs = this.#receivedMs.get(from.cartId) ?? Number.NEGATIVE_INFINITY;
      if (clock.now() - lastMs < MIN_INTERVAL_MS) return;
      this.#receivedMs.set(from.cartId, clock.now());
      const read = readMessage(message, check);
      if ('value' in read) this.#take(from.cartId, read.value);
      else this.#refuse(from.cartId, textOf(read.refusal.text));
    };
    this.#cancel = bus.subscribe(this.#topics.every('sightings'), receive, { newestOnly: true });
  }

  close(): void {
    this.#cancel();
  }

  #take(cartID: number, { sightings }: SightingsMessage): void {
    const { locate, clock } = this.#deps;
    try {
      const observation = locate(sightings);
      const position = { cartID, heardAt: new Date(clock.wallTime()).toISOString(), observation };
      this.#positions.set(cartID, position);
      this.#position.emit(position);
      this.#publish(position);
    } catch (error) {
      this.#refuse(cartID, messageOf(error));
    }
  }

  #publish({ cartID, observation }: CartPosition): void {
    const { bus, clock, log } = this.#deps;
    const topic = this.#topics.of(cartID, 'position');
    const header = this.#headers.next(topic, clock.wallTime(), cartID);
    bus
      .publish(topic, encodeMessage('position', { ...header, ...observation }), { qos: 0, expiryS: 5 })
      .catch((error: unknown) => {
        log.debug('position.publish_failed', { cartID, reason: messageOf(error) });
      });
  }

  #refuse(cartID: number, reason: string): void {
    this.#deps.log.debug('sightings.rejected', { cartID, reason });
  }
}
