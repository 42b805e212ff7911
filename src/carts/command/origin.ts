import { type Actor, actorText, gatewayActor } from '../../shared/actor.js';
import type { Origin, OriginView } from './model.js';

/** Holds control of a cart: a user or API key of this gateway, or another gateway on behalf of all its users. */
export function holderOf({ source, gatewayId, actor }: Origin): Actor {
  return source === 'mqtt' ? gatewayActor(gatewayId) : actor;
}

/** The origin as HTTP, MQTT and the history contain it. */
export function originView({ source, gatewayId, actor, claimed }: Origin): OriginView {
  const principal = actorText(actor);
  return claimed === undefined ? { source, gatewayId, principal } : { source, gatewayId, principal, claimed };
}
