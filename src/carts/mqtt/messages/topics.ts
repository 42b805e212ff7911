import { GatewayError } from '../../../shared/errors.js';
import { HARD } from '../../command/settings-schema.js';

/** Identity of a cart and its gateway in topics and headers. */
export interface TopicIdentity {
  cartId: number;
  fleet: string;
  manufacturer: string;
  /** First levels of every topic, `cart/v1`. */
  root: string;
  gatewayId: string;
  /** UUID, new for every process: identifies requests based on a state from before a restart. */
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
] as const;
export type TopicName = (typeof TOPIC_NAMES)[number];

/** Addresses every cart in a fleet; for stops only. */
export const ALL = '_all';

/** The VDA 5050 version whose vocabulary the messages use. */
const VERSION = '3.0.0';
/** Excludes `/ + # $`, which are special in MQTT, and `.`, which some brokers convert to a level separator. */
const LEVEL = /^[A-Za-z0-9_-]{1,32}$/;
const CART_LEVEL = /^[1-9]\d{0,4}$/;

/** Header of VDA 5050 7.2, with additions for freshness and origin. */
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

/** Topics of one fleet. Throws INVALID_INPUT for an unsafe level, so that input cannot address other topics. */
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

  /** Filter for one subtopic of every cart. */
  every(name: TopicName): string {
    return `${this.#base}/+/${name}`;
  }

  /**
   * True if answers may be sent to this response topic: `<root>/<fleet>/<level>/<level>`, except for defined topics.
   * Otherwise a client could make this cart publish on topics that are denied to the client itself.
   */
  mayAnswerOn(topic: string): boolean {
    if (!topic.startsWith(`${this.#base}/`)) return false;
    const levels = topic.slice(this.#base.length + 1).split('/');
    const [first = '', last = ''] = levels;
    const isTaken = first === ALL || first === 'beacon' || TOPIC_NAMES.some((name) => name === last);
    return levels.length === 2 && levels.every((level) => LEVEL.test(level)) && !isTaken;
  }

  /** Cart and subtopic; undefined if the topic does not belong to one cart of this fleet, as with `_all`. */
  parse(topic: string): { cartId: number; name: TopicName } | undefined {
    if (!topic.startsWith(`${this.#base}/`)) return undefined;
    const [cart = '', last = '', ...more] = topic.slice(this.#base.length + 1).split('/');
    const name = TOPIC_NAMES.find((known) => known === last);
    const cartId = Number(cart);
    if (more.length > 0 || !name || !CART_LEVEL.test(cart) || cartId > HARD.cartIdMax) return undefined;
    return { cartId, name };
  }
}

/** Creates headers; `headerId` counts the messages of each topic. */
export class Headers {
  #identity: TopicIdentity;
  #next = new Map<string, number>();

  constructor(identity: TopicIdentity) {
    this.#identity = identity;
  }

  /**
   * @param wallMs for display: receivers do not evaluate the timestamp.
   * @param cartId the topic's cart, if it is not the gateway's own cart.
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
