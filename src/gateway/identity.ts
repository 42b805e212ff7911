import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Settings } from '../settings/schema/schema.js';

/**
 * Every call creates a session, which identifies messages to an earlier process as stale and distinguishes
 * this gateway's own messages from those of another gateway with the same host name and cart number.
 */
export function identityOf({ gateway, mqtt }: Settings, { cartId, name }: { cartId: number; name: string }) {
  const { fleet, manufacturer } = gateway;
  const gatewayId = `${hostname().replace(/[^A-Za-z0-9_-]/g, '-')}-${cartId}`;
  return { cartId, name, fleet, manufacturer, root: mqtt.root, gatewayId, sessionId: randomUUID() };
}
