import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { ApiKeys } from './keys.js';
import { mayUse, mqttRights } from './mqtt-rights.js';
import { isNear } from './network.js';
import { sha256 } from './secrets.js';

/** A client as the broker sees it: the same object for every question about one connection. */
interface Client {
  username: string;
  address: string;
}

/** What the embedded broker asks before it lets somebody do something. */
export interface BrokerDoor {
  authenticate(client: Client, password: string): boolean;
  authorize(client: Client, action: 'publish' | 'subscribe', topic: string): boolean;
  /** How this process comes in over the network, as when its own broker is tried; new at every start. */
  readonly own: { username: string; password: string };
}

export interface BrokerDoorDeps {
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
export function brokerDoor({ keys, isOpen, base }: BrokerDoorDeps): BrokerDoor {
  const own = { username: ownName(), password: randomBytes(32).toString('base64url') };
  const ownHash = sha256(own.password);
  const isOwn = ({ username }: Client, password: string): boolean =>
    username === own.username && timingSafeEqual(sha256(password), ownHash);
  // Decided once for a connection, whose address does not change: an open broker is asked thousands of times a second.
  const needNoKey = new WeakSet<Client>();
  const passwords = new WeakMap<Client, string>();
  const scopesOf = (client: Client, password: string): readonly string[] => {
    const key = keys.find(password);
    return key?.name === client.username ? key.scopes : [];
  };
  return {
    own,
    authenticate(client, password) {
      if (isOwn(client, password) || (isOpen && isNear(client.address))) {
        needNoKey.add(client);
        return true;
      }
      passwords.set(client, password);
      return mqttRights(scopesOf(client, password)) !== undefined;
    },
    authorize(client, action, topic) {
      if (needNoKey.has(client)) return true;
      const rights = mqttRights(scopesOf(client, passwords.get(client) ?? ''));
      return rights !== undefined && mayUse(rights, action, topic, base());
    },
  };
}
