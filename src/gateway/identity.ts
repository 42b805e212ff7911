import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Settings } from '../settings/schema/schema.js';

/** Different for each process, so that messages to an earlier process are recognised as stale. */
const SESSION_ID = randomUUID();

export function identityOf({ gateway, mqtt }: Settings, { cartId, name }: { cartId: number; name: string }) {
  const { fleet, manufacturer } = gateway;
  const gatewayId = `${hostname().replace(/[^A-Za-z0-9_-]/g, '-')}-${cartId}`;
  return { cartId, name, fleet, manufacturer, root: mqtt.root, gatewayId, sessionId: SESSION_ID };
}
