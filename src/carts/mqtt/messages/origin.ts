import type { BusMessage } from '../../../shared/ports/mqtt.js';
import { cutText } from '../../../shared/text.js';
import type { Origin } from '../../command/model.js';
import type { CommandMessage, InstantActionsMessage } from './schema.js';

/**
 * The embedded broker sets the origin of messages from clients with an API key. If `sender` is absent, the
 * origin is unverified.
 */
export function commandOrigin({ origin }: CommandMessage, { sender }: BusMessage): Origin {
  const { gatewayId, principal } = origin;
  return { source: 'mqtt', gatewayId, principal, ...(sender ? {} : { claimed: true }) };
}

/**
 * A user's name is shown only if it is reliable, and always with the gateway's name.
 * @param authenticated true if the broker authenticates its clients.
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
  // An API key represents the gateway itself, not a user.
  const principal =
    name === gateway || name === cutText(`key ${gatewayId}`, 64) ? name : `${name} (${gateway})`;
  return { source: 'mqtt', gatewayId, principal, ...(sender ? {} : { claimed: true }) };
}
