import { type Actor, actorOf, gatewayActor, isSameActor, keyActor, wireName } from '../../../shared/actor.js';
import type { BusMessage } from '../../../shared/ports/mqtt.js';
import type { Origin } from '../../command/model.js';
import type { CommandMessage, InstantActionsMessage } from './schema.js';

/**
 * Returns the origin of a command. The embedded broker sets the origin of messages from clients with an API key. If
 * `sender` is absent, the origin is unverified.
 */
export function commandOrigin({ origin }: CommandMessage, { sender }: BusMessage): Origin {
  const { gatewayId, principal } = origin;
  const actor = actorOf(principal);
  return { source: 'mqtt', gatewayId, actor, ...(sender ? {} : { claimed: true }) };
}

/**
 * Returns the origin of a message's actions. A user's name is shown only if it is reliable, and always with the
 * gateway's name.
 * @param authenticated true if the broker authenticates its clients.
 */
export function actionsOrigin(
  { gatewayId: claimed, origin }: InstantActionsMessage,
  { sender }: BusMessage,
  authenticated: boolean,
): Origin {
  const isVouched = sender !== undefined && origin !== undefined;
  const gatewayId = isVouched ? origin.gatewayId : claimed;
  const isNamed = isVouched || (authenticated && origin?.gatewayId === claimed);
  const actor = isNamed ? throughGateway(origin.principal, gatewayId) : gatewayActor(gatewayId);
  return { source: 'mqtt', gatewayId, actor, ...(sender ? {} : { claimed: true }) };
}

/**
 * An API key represents the gateway itself, not a user. A message contains only the actor's name, which is cut if it
 * is too long, so the comparison uses the name of the gateway's key as it is sent.
 */
function throughGateway(principal: string, gatewayId: string): Actor {
  const gateway = gatewayActor(gatewayId);
  const actor = actorOf(principal);
  const isGateway = isSameActor(actor, gateway) || principal === wireName(keyActor(gatewayId));
  return isGateway ? actor : { ...actor, via: gatewayId };
}
