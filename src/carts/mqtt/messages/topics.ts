import { GatewayError } from '../../../shared/errors.js';
import { HARD } from '../../command/request-schema.js';

export interface TopicIdentity {
  cartId: number;
  fleet: string;
  manufacturer: string;
  /** First levels of every topic, for example `cart/v1`. */
  root: string;
  gatewayId: string;
  /** How often this identity has been restored from a backup; absent means 0. */
  generation?: number;
  /** A new UUID for each process; identifies requests based on a state from before a restart. */
  sessionId: string;
  name: string;
}

export const TOPIC_NAMES = [
  'command',
  'heartbeat',
  'instantActions',
  'ack',
  'state',
  'connection',
  'factsheet',
  'visualization',
  'sightings',
  'position',
  'alarm',
] as const;
export type TopicName = (typeof TOPIC_NAMES)[number];

/** Addresses every cart in a fleet; used only for stops. */
export const ALL = '_all';
const SITE = 'site';

/** The VDA 5050 version whose vocabulary the messages use. */
const VERSION = '3.0.0';
/**
 * A permitted topic level: excludes `/ + # $`, which are special in MQTT, and `.`, which some brokers convert to a
 * separator.
 */
const LEVEL = /^[A-Za-z0-9_-]{1,32}$/;
const CART_LEVEL = /^[1-9]\d{0,4}$/;

/** Header as defined in VDA 5050 7.2, with additional fields for freshness and origin. */
export interface Header {
  headerId: number;
  timestamp: string;
  version: string;
  manufacturer: string;
  serialNumber: string;
  cartID: number;
  gatewayId: string;
  sessionId: string;
}

/** Throws INVALID_INPUT for an unsafe topic level, so that input cannot address other topics. */
export class Topics {
  #base: string;

  constructor({ root, fleet }: { root: string; fleet: string }) {
    const levels = [...root.split('/'), fleet];
    const bad = levels.find((level) => !LEVEL.test(level));
    if (bad !== undefined) {
      throw new GatewayError('INVALID_INPUT', `"${bad}" is not a valid MQTT topic level`, {
        field: 'fleet',
      });
    }
    this.#base = levels.join('/');
  }

  of(cartId: number | typeof ALL, name: TopicName): string {
    if (cartId !== ALL && !(Number.isInteger(cartId) && cartId >= 1 && cartId <= HARD.cartIdMax)) {
      throw new GatewayError('INVALID_INPUT', `${cartId} is not a valid cart number`, { field: 'cartID' });
    }
    return `${this.#base}/${cartId}/${name}`;
  }

  /** Topic of the site plan that the carts of a fleet share. */
  get sitePlan(): string {
    return `${this.#base}/${SITE}/plan`;
  }

  every(name: TopicName): string {
    return `${this.#base}/+/${name}`;
  }

  /**
   * Returns true for topics of the form `<root>/<fleet>/<level>/<level>`, except those that Cartwright itself uses,
   * because a client must not make this cart publish on topics that are forbidden to the client.
   */
  mayAnswerOn(topic: string): boolean {
    if (!topic.startsWith(`${this.#base}/`)) return false;
    const levels = topic.slice(this.#base.length + 1).split('/');
    const [first = '', last = ''] = levels;
    const isTaken =
      first === ALL || first === SITE || first === 'beacon' || TOPIC_NAMES.some((name) => name === last);
    return levels.length === 2 && levels.every((level) => LEVEL.test(level)) && !isTaken;
  }

  /** Returns undefined for a topic that does not belong to exactly one cart, for example under `_all`. */
  parse(topic: string): { cartId: number; name: TopicName } | undefined {
    if (!topic.startsWith(`${this.#base}/`)) return undefined;
    const [cart = '', last = '', ...more] = topic.slice(this.#base.length + 1).split('/');
    const name = TOPIC_NAMES.find((known) => known === last);
    const cartId = Number(cart);
    if (more.length > 0 || !name || !CART_LEVEL.test(cart) || cartId > HARD.cartIdMax) return undefined;
    return { cartId, name };
  }
}

/** `headerId` counts the messages on each topic. */
export class Headers {
  #identity: TopicIdentity;
  #next = new Map<string, number>();

  constructor(identity: TopicIdentity) {
    this.#identity = identity;
  }

  /**
   * @param wallMs for display only; receivers do not use the timestamp.
   * @param cartId the topic's cart, if it is not this gateway's cart.
   */
  next(topic: string, wallMs: number, cartId = this.#identity.cartId): Header {
    const { manufacturer, gatewayId, sessionId } = this.#identity;
    const headerId = this.#next.get(topic) ?? 1;
    this.#next.set(topic, (headerId + 1) % 2 ** 32);
    return {
      headerId,
      timestamp: new Date(wallMs).toISOString(),
      version: VERSION,
      manufacturer,
      serialNumber: String(cartId),
      cartID: cartId,
      gatewayId,
      sessionId,
    };
  }
}
