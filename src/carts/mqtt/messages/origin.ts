import type { BusMessage } from '../../../shared/ports/mqtt.js';
import type { Origin } from '../../command/model.js';
import type { CommandMessage, InstantActionsMessage } from './schema.js';

/**
 * Who sent a command. The embedded broker writes the origin of every message that comes with a key; without a sender the
 * origin is only what the message claims.
 */
export function commandOrigin({ origin }: CommandMessage, { sender }: BusMessage): Origin {
  const { gatewayId, principal } = origin;
  return { source: 'mqtt', gatewayId, principal, ...(sender ? {} : { claimed: true }) };
}

/**
 * Who sent instant actions, as words. The name of a person is shown with the gateway that it comes from, and only where
 * the broker checks who is connected.
 * @param authenticated whether it does.
 */
export function actionsOrigin(
  { gatewayId: claimed, origin }: InstantActionsMessage,
  { sender }: BusMessage,
  authenticated: boolean,
): Origin {
  const isVouched = sender !== undefined && origin !== undefined;
  const gatewayId = isVouched ? origin.gatewayId : claimed;
  const gateway = `gateway ${gatewayId}`;
  const isNamed = isVouched || (authenticated && origin?.gatewayId === claimed);
  const name = isNamed ? origin.principal : gateway;
  // A key has no person behind it, and is the gateway itself.
  const principal = name === gateway || name === `key ${gatewayId}` ? name : `${name} (${gateway})`;
  return { source: 'mqtt', gatewayId, principal, ...(sender ? {} : { claimed: true }) };
}
