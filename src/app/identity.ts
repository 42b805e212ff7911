import { createHash, randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Settings } from '../settings/index.js';

/** The longest ID that receivers of MQTT messages accept. */
const MAX_ID = 64;

export interface GatewayIdentity {
  cartId: number;
  name: string;
  fleet: string;
  manufacturer: string;
  /** First part of every MQTT topic. */
  root: string;
  /** At most 64 characters. */
  gatewayId: string;
  sessionId: string;
  /** Number of restores of this identity. */
  generation: number;
}

/**
 * Every call creates a session. The session ID shows that messages to an earlier process are stale, and
 * distinguishes this gateway's own messages from those of another gateway with the same host name and cart
 * number.
 */
export function identityOf(
  { gateway, mqtt }: Settings,
  { cartId, name, generation = 0 }: { cartId: number; name: string; generation?: number },
): GatewayIdentity {
  const { fleet, manufacturer } = gateway;
  const gatewayId = gatewayIdOf(hostname(), cartId);
  const sessionId = randomUUID();
  return { cartId, name, fleet, manufacturer, root: mqtt.root, gatewayId, sessionId, generation };
}

/**
 * Returns the host name and the cart number, joined by a hyphen. A host name that is too long is cut and followed by 8
 * hex digits of its hash, so that the ID differs from that of a host whose name has the same beginning.
 */
export function gatewayIdOf(host: string, cartId: number): string {
  const name = host.replace(/[^A-Za-z0-9_-]/g, '-');
  const id = `${name}-${cartId}`;
  if (id.length <= MAX_ID) return id;
  const end = `-${createHash('sha256').update(host).digest('hex').slice(0, 8)}-${cartId}`;
  return `${name.slice(0, MAX_ID - end.length)}${end}`;
}
