import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { HeartbeatMessage } from './messages/schema.js';

type Signed = Pick<HeartbeatMessage, 'gatewayId' | 'sessionId' | 'counter'>;

/**
 * HMAC-SHA256 of a heartbeat, base64url. It covers the topic, so that a heartbeat for one cart is no heartbeat for another
 * cart or fleet.
 */
export function signHeartbeat(
  key: KeyObject,
  topic: string,
  { gatewayId, sessionId, counter }: Signed,
): string {
  const signed = JSON.stringify(['cartwright heartbeat 1', topic, gatewayId, sessionId, counter]);
  return createHmac('sha256', key).update(signed).digest('base64url');
}

/** Compares in constant time. */
export function isSigned(key: KeyObject, topic: string, message: HeartbeatMessage): boolean {
  const expected = Buffer.from(signHeartbeat(key, topic, message));
  const given = Buffer.from(message.signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}
