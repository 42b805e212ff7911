import { randomBytes, timingSafeEqual } from 'node:crypto';
import { isJsonObject, parseJson } from '../../shared/validation/json.js';
import type { ApiKeys, KeyPrincipal } from '../api-keys/api-keys.js';
import { isPrivateAddress } from '../private-address.js';
import { sha256 } from '../secrets.js';
import { type MqttRights, mayUse, mqttRights } from './rights.js';

/** A client as the broker sees it: the same object for every question about one connection. */
interface Client {
  username: string;
  address: string;
}

/** What the embedded broker asks before it lets somebody do something. */
export interface BrokerAuthorizer {
  authenticate(client: Client, password: string): boolean;
  authorize(client: Client, action: 'publish' | 'subscribe', topic: string): boolean;
  /**
   * How a client stands to its client id: that of a cart, `cart-<fleet>-<number>`, is for keys with `mqtt:cart:<number>`.
   * On an open network others may have it until its owner comes.
   */
  claim(client: Client & { clientId: string }): 'owner' | 'guest' | 'refused';
  /** A message with its origin as the key has it; undefined where no key was asked for. */
  sign(client: Client, topic: string, payload: string | Buffer): Buffer | undefined;
  /** What a command of this client lasts no longer than; undefined where no key was asked for. */
  senderOf(client: Client): { id: string; isGood(): boolean } | undefined;
  /** How this process comes in over the network, as when its own broker is tried; new at every start. */
  readonly own: { username: string; password: string };
}

interface BrokerAuthorizerDeps {
  keys: ApiKeys;
  /** Everybody on this network may do everything. */
  isOpen: boolean;
  /** The levels above the carts, `cart/v1/<fleet>`. */
  base: () => string;
}

/** Nobody else can have it: on an open broker a name needs no password. */
const ownName = (): string => `gateway-${randomBytes(8).toString('hex')}`;

/**
 * The user name is the key's name, the password is the key. A revoked key does nothing from its next message on, also
 * on a connection that it has already. Connections of this process pass without a look into the database.
 */
export function createBrokerAuthorizer({ keys, isOpen, base }: BrokerAuthorizerDeps): BrokerAuthorizer {
  const own = { username: ownName(), password: randomBytes(32).toString('base64url') };
  const ownHash = sha256(own.password);
  const isOwn = ({ username }: Client, password: string): boolean =>
    username === own.username && timingSafeEqual(sha256(password), ownHash);
  // Decided once for a connection, whose address does not change: an open broker is asked thousands of times a second.
  const needNoKey = new WeakSet<Client>();
  const passwords = new WeakMap<Client, string>();
  const senders = new WeakMap<Client, { id: string; isGood(): boolean }>();
  const keyOf = (client: Client): KeyPrincipal | undefined => {
    const key = keys.find(passwords.get(client) ?? '');
    return key?.name === client.username ? key : undefined;
  };
  const rightsOf = (client: Client): MqttRights | undefined => mqttRights(keyOf(client)?.scopes ?? []);
  return {
    own,
    authenticate(client, password) {
      if (!isOwn(client, password)) passwords.set(client, password);
      if (isOwn(client, password) || (isOpen && isPrivateAddress(client.address))) {
        needNoKey.add(client);
        return true;
      }
      const key = keyOf(client);
      if (!key || !mqttRights(key.scopes)) return false;
      senders.set(client, { id: `key ${key.keyId}`, isGood: () => keys.isGood(key.keyId) });
      return true;
    },
    authorize(client, action, topic) {
      if (needNoKey.has(client)) return true;
      const rights = rightsOf(client);
      return rights !== undefined && mayUse(rights, action, topic, base());
    },
    claim(client) {
      const cart = cartOf(client.clientId, base());
      if (cart === undefined) return 'guest';
      if (rightsOf(client)?.carts.has(cart)) return 'owner';
      return needNoKey.has(client) ? 'guest' : 'refused';
    },
    sign(client, topic, payload) {
      if (needNoKey.has(client) || !namesOrigin(topic)) return undefined;
      const rights = rightsOf(client);
      const isGateway = rights?.controls === true && rights.carts.size > 0;
      return withOrigin(payload, { name: client.username, isGateway });
    },
    senderOf: (client) => senders.get(client),
  };
}

/** The cart that a client id is reserved for: `cart-<fleet>-<number>`, as gateways call themselves. */
function cartOf(clientId: string, base: string): string | undefined {
  const fleet = base.slice(base.lastIndexOf('/') + 1);
  const [, cart] = /^cart-.+-([1-9]\d{0,4})$/.exec(clientId) ?? [];
  return cart !== undefined && clientId === `cart-${fleet}-${cart}` ? cart : undefined;
}

/** The largest message of the tree, as its receivers read it. */
const LIMITS = { maxBytes: 8 * 1024, maxDepth: 6 };

/** Who a key speaks as. */
interface Speaker {
  /** The name of the key. */
  name: string;
  /** It speaks for a cart and commands others: a gateway, which names the people that it has logged in. */
  isGateway: boolean;
}

/** Whether messages on this topic say who sent them. */
function namesOrigin(topic: string): boolean {
  return topic.endsWith('/command') || topic.endsWith('/instantActions');
}

/**
 * The same message with `origin` as the broker knows it: the gateway is the key, and so is the principal, unless the key
 * is a gateway's. Undefined for a message that no receiver takes.
 */
function withOrigin(payload: string | Buffer, { name, isGateway }: Speaker): Buffer | undefined {
  let message: unknown;
  try {
    message = parseJson(String(payload), LIMITS);
  } catch {
    return undefined;
  }
  if (!isJsonObject(message)) return undefined;
  const claimed = isJsonObject(message.origin) ? message.origin : {};
  const isNamed = isGateway && typeof claimed.principal === 'string';
  const principal = isNamed ? claimed.principal : `key ${name}`.slice(0, 64);
  return Buffer.from(JSON.stringify({ ...message, origin: { ...claimed, gatewayId: name, principal } }));
}
