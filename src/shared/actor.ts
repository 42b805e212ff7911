import { cutText } from './cut-text.js';
import { isMessageData, Message, messageJson, type Text, textOf } from './messages/message.js';
import { principalText, sharedMessage } from './messages/messages.js';

const KINDS = ['user', 'key', 'gateway', 'input', 'schedule'] as const;

/** A person, program or condition that causes a command, a stop or a reset. */
export interface Actor {
  /**
   * `gateway`: another gateway on behalf of its users. `input`: a button, sensor or fault on the cart. `schedule`: this
   * gateway by itself, for example at shutdown.
   */
  kind: (typeof KINDS)[number];
  /**
   * The username, the API key's name, the gateway's ID or the condition's code. Usernames, key names and
   * gateway IDs are unique and never change. Empty if there is no account, as on a trusted network.
   */
  id: string;
  /** For display only. */
  name: Text;
  /** The other gateway's ID if the actor is a user or an API key of another gateway. */
  via?: string;
}

/** Cause of an event that another gateway reports without naming anyone. */
export const UNKNOWN_ACTOR: Actor = { kind: 'input', id: '', name: '' };

/** A client on a trusted network that is not logged in. */
export const LAN_ACTOR: Actor = { kind: 'user', id: '', name: sharedMessage('operator') };

/** A client that is not logged in, on any other network. */
export const ANONYMOUS_ACTOR: Actor = { kind: 'user', id: '', name: 'anonymous' };

export function userActor(username: string): Actor {
  return { kind: 'user', id: username, name: username };
}

export function keyActor(name: string): Actor {
  return { kind: 'key', id: name, name: sharedMessage('key', { name }) };
}

export function gatewayActor(gatewayId: string): Actor {
  return { kind: 'gateway', id: gatewayId, name: sharedMessage('gateway', { id: gatewayId }) };
}

export function conditionActor(kind: 'input' | 'schedule', cause: Text): Actor {
  return { kind, id: typeof cause === 'string' ? cause : cause.code, name: cause };
}

export function isSameActor(a: Actor, b: Actor): boolean {
  return a.kind === b.kind && a.id === b.id && a.via === b.via;
}

/** Returns the actor's name for display, such as `anna`, `key tablet` or `anna (gateway gw-2)`. */
export function actorText({ name, via }: Actor): Text {
  return via === undefined ? name : sharedMessage('through-gateway', { name, id: via });
}

/**
 * Returns the actor's name in English, for logs, records and the fields of the API and of MQTT that contain only a
 * name.
 */
export function actorName(actor: Actor): string {
  return textOf(actorText(actor));
}

/** Maximum length of an ID or a name in MQTT messages. */
export const MAX_WIRE_LENGTH = 64;

/** Returns the actor's name, cut to the maximum length in MQTT messages. */
export function wireName(actor: Actor): string {
  return cutText(actorName(actor), MAX_WIRE_LENGTH);
}

/** Returns true for users, API keys and gateways. */
export function isPerson({ kind }: Actor): boolean {
  return kind !== 'input' && kind !== 'schedule';
}

/** Returns true if the value, which was stored as JSON, is an actor. */
export function isActor(value: unknown): value is Actor {
  const { kind, id, name, via } = Object(value) as Partial<Record<keyof Actor, unknown>>;
  const isKind = KINDS.some((known) => known === kind);
  const isName = typeof name === 'string' || name instanceof Message;
  return isKind && typeof id === 'string' && isName && (via === undefined || typeof via === 'string');
}

/** Serialises an actor for storage, including the message code of its name. */
export function actorJson({ kind, id, name, via }: Actor): string {
  return messageJson({ kind, id, name, via });
}

/** Parses the output of `actorJson`. */
export function parseActor(json: string): Actor {
  return readActor(JSON.parse(json));
}

/** Reads an actor from a record that contains an object or, if an earlier version wrote it, only a name. */
export function readActor(stored: unknown): Actor {
  if (typeof stored === 'string') return actorOf(stored);
  const { kind, id, name, via } = Object(stored) as Partial<Record<keyof Actor, unknown>>;
  const actor = { kind, id, name: isMessageData(name) ? new Message(name) : name };
  const found = via === undefined ? actor : { ...actor, via };
  return isActor(found) ? found : UNKNOWN_ACTOR;
}

/**
 * Reads an actor from the name in an MQTT message, or in a record of a version that stored only names. A user whose name
 * looks like that of an API key, such as `key tablet`, is then read as that key.
 */
export function actorOf(by: Text): Actor {
  if (by === '') return UNKNOWN_ACTOR;
  const name = principalText(by);
  if (typeof name === 'string') return userActor(name);
  const { code, params } = name;
  switch (code) {
    case 'shared.operator':
      return LAN_ACTOR;
    case 'shared.key':
      return keyActor(String(params.name));
    case 'shared.gateway':
      return gatewayActor(String(params.id));
    case 'shared.through-gateway': {
      const sender = typeof params.name === 'object' ? params.name : String(params.name);
      return { ...actorOf(sender), via: String(params.id) };
    }
    default:
      return { kind: 'input', id: code, name };
  }
}
