import { isJsonObject, parseJson } from '../../shared/validation/json.js';

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
export function namesOrigin(topic: string): boolean {
  return topic.endsWith('/command') || topic.endsWith('/instantActions');
}

/**
 * The same message with `origin` as the broker knows it: the gateway is the key, and so is the principal, unless the key
 * is a gateway's. Undefined for a message that no receiver takes.
 */
export function withOrigin(payload: string | Buffer, { name, isGateway }: Speaker): Buffer | undefined {
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
