import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Settings } from '../settings/schema/schema.js';

/** Of this process: a new one at every start, so that what was meant for the last one is recognised. */
const SESSION_ID = randomUUID();

/** How a cart is called on the MQTT tree. */
export function identityOf({ gateway, mqtt }: Settings, { cartId, name }: { cartId: number; name: string }) {
  const { fleet, manufacturer } = gateway;
  const gatewayId = `${hostname().replace(/[^A-Za-z0-9_-]/g, '-')}-${cartId}`;
  return { cartId, name, fleet, manufacturer, root: mqtt.root, gatewayId, sessionId: SESSION_ID };
}
