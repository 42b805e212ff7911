import { randomBytes, timingSafeEqual } from 'node:crypto';
import { isPrivateAddress } from '../../http/guard/private-address.js';
import { keyActor, wireName } from '../../shared/actor.js';
import { isJsonObject, parseJson } from '../../shared/validation/json.js';
import type { ApiKeys, KeyPrincipal } from '../api-keys/api-keys.js';
import { sha256 } from '../secrets.js';
import { type MqttRights, mayUse, mqttRights } from './rights.js';

/** A broker connection, identified by the object itself. */
interface Client {
  username: string;
  address: string;
}

export interface BrokerAuthorizer {
  authenticate(client: Client, password: string): boolean;
  authorize(client: Client, action: 'publish' | 'subscribe', topic: string): boolean;
  /**
   * Decides whether a client is allowed to use its client ID. `cart-<fleet>-<number>` is reserved for keys
   * with the scope `mqtt:cart:<number>`; on an open broker, guests can use such an ID until its owner
   * connects.
   */
  claim(client: Client & { clientId: string }): 'owner' | 'guest' | 'refused';
  /** Returns the message with an origin derived from the client's key; undefined if the message is unchanged. */
  sign(client: Client, topic: string, payload: string | Buffer): Buffer | undefined;
  /** Returns the key that must remain valid while this client's commands run; undefined if none is needed. */
  senderOf(client: Client): { id: string; isGood(): boolean } | undefined;
  /** Credentials for this process's own broker connections over the network, generated at every startup. */
  readonly own: { username: string; password: string };
}

interface BrokerAuthorizerDeps {
  keys: ApiKeys;
  isOpen: boolean;
  /** Topic prefix above the cart level: `cart/v1/<fleet>`. */
  base: () => string;
}

/** A random username, because an open broker accepts any username without a password. */
const ownName = (): string => `gateway-${randomBytes(8).toString('hex')}`;

/**
 * The username is the key's name; the password is the key. Revoking a key also affects existing connections,
 * starting with their next message.
 */
export function createBrokerAuthorizer({ keys, isOpen, base }: BrokerAuthorizerDeps): BrokerAuthorizer {
  const own = { username: ownName(), password: randomBytes(32).toString('base64url') };
  const ownHash = sha256(own.password);
  const isOwn = ({ username }: Client, password: string): boolean =>
    username === own.username && timingSafeEqual(sha256(password), ownHash);
  // Determined once per connection, because an open broker authorises thousands of messages per second.
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
      if (needNoKey.has(client) || !hasOrigin(topic)) return undefined;
      const rights = rightsOf(client);
      const isGateway = rights?.controls === true && rights.carts.size > 0;
      return withOrigin(payload, { name: client.username, isGateway });
    },
    senderOf: (client) => senders.get(client),
  };
}

/** Returns the cart that owns a client ID of the form `cart-<fleet>-<number>`. */
function cartOf(clientId: string, base: string): string | undefined {
  const fleet = base.slice(base.lastIndexOf('/') + 1);
  const [, cart] = /^cart-.+-([1-9]\d{0,4})$/.exec(clientId) ?? [];
  return cart !== undefined && clientId === `cart-${fleet}-${cart}` ? cart : undefined;
}

const LIMITS = { maxBytes: 8 * 1024, maxDepth: 6 };

interface Sender {
  name: string;
  /**
   * True if the key represents a cart and is permitted to command other carts. Messages from its holder can
   * name users as principals.
   */
  isGateway: boolean;
}

function hasOrigin(topic: string): boolean {
  return topic.endsWith('/command') || topic.endsWith('/instantActions');
}

/**
 * Returns the message with a verified `origin`; undefined if every receiver would reject the message. Only a
 * gateway's key can name a principal other than itself.
 */
function withOrigin(payload: string | Buffer, { name, isGateway }: Sender): Buffer | undefined {
  let message: unknown;
  try {
    message = parseJson(String(payload), LIMITS);
  } catch {
    return undefined;
  }
  if (!isJsonObject(message)) return undefined;
  const claimed = isJsonObject(message.origin) ? message.origin : {};
  const isNamed = isGateway && typeof claimed.principal === 'string';
  const principal = isNamed ? claimed.principal : wireName(keyActor(name));
  return Buffer.from(JSON.stringify({ ...message, origin: { ...claimed, gatewayId: name, principal } }));
}
