import { GatewayError } from '../../../shared/errors.js';
import { HARD } from '../../command/settings-schema.js';

/** Who speaks on the tree: the cart, and the gateway that speaks for it. */
export interface TopicIdentity {
  cartId: number;
  fleet: string;
  manufacturer: string;
  /** First levels of every topic, `cart/v1`. */
  root: string;
  gatewayId: string;
  /** New at every start of the process, a UUID: what was decided before a restart shows by it. */
  sessionId: string;
  name: string;
}

/** The subtopics of a cart. */
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

/** Stands for every cart of a fleet; only stops may be sent there. */
export const ALL = '_all';

/** The VDA 5050 version whose vocabulary the messages use. */
const VERSION = '3.0.0';
/** No `/ + # $`, which mean something to MQTT, and no `.`, which some brokers turn into a level. */
const LEVEL = /^[A-Za-z0-9_-]{1,32}$/;
const CART_LEVEL = /^[1-9]\d{0,4}$/;

/** The header of VDA 5050 7.2, and beside it what a receiver needs to judge freshness and origin. */
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

/** The topics of one fleet. A level that MQTT could read as something else is refused, so no input can leave its place. */
export class Topics {
  #base: string;

  constructor({ root, fleet }: { root: string; fleet: string }) {
    const levels = [...root.split('/'), fleet];
    const bad = levels.find((level) => !LEVEL.test(level));
    if (bad !== undefined) {
      throw new GatewayError('INVALID_INPUT', `"${bad}" cannot be a level of an MQTT topic`, {
        field: 'fleet',
      });
    }
    this.#base = levels.join('/');
  }

  of(cartId: number | typeof ALL, name: TopicName): string {
    if (cartId !== ALL && !(Number.isInteger(cartId) && cartId >= 1 && cartId <= HARD.cartIdMax)) {
      throw new GatewayError('INVALID_INPUT', `${cartId} is not a cart number`, { field: 'cartID' });
    }
    return `${this.#base}/${cartId}/${name}`;
  }

  /** The filter for one subtopic of every cart. */
  every(name: TopicName): string {
    return `${this.#base}/+/${name}`;
  }

  /**
   * Whether an answer may go there, when its asker names the topic: a place of this fleet that means nothing else yet,
   * `<root>/<fleet>/<level>/<level>`. Otherwise anybody could make this cart speak where he must not speak himself.
   */
  mayAnswerOn(topic: string): boolean {
    if (!topic.startsWith(`${this.#base}/`)) return false;
    const levels = topic.slice(this.#base.length + 1).split('/');
    const [first = '', last = ''] = levels;
    const isTaken = first === ALL || first === 'beacon' || TOPIC_NAMES.some((name) => name === last);
    return levels.length === 2 && levels.every((level) => LEVEL.test(level)) && !isTaken;
  }

  /** Whose topic it is; undefined for what is not a cart's topic of this fleet, `_all` included. */
  parse(topic: string): { cartId: number; name: TopicName } | undefined {
    if (!topic.startsWith(`${this.#base}/`)) return undefined;
    const [cart = '', last = '', ...more] = topic.slice(this.#base.length + 1).split('/');
    const name = TOPIC_NAMES.find((known) => known === last);
    const cartId = Number(cart);
    if (more.length > 0 || !name || !CART_LEVEL.test(cart) || cartId > HARD.cartIdMax) return undefined;
    return { cartId, name };
  }
}

/** Makes headers: their ids count up for each topic. */
export class Headers {
  #identity: TopicIdentity;
  #next = new Map<string, number>();

  constructor(identity: TopicIdentity) {
    this.#identity = identity;
  }

  /**
   * @param wallMs for people: no receiver decides by the timestamp.
   * @param cartId whose topic it is, when not the own cart's.
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
