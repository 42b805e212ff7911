import type { Order } from '../../command/model.js';
import { checkLimits, startWithinMs } from '../../command/parser.js';
import type { LimitsSettings } from '../../control/settings-schema.js';
import type { KinematicsSettings } from '../../serial/settings-schema.js';
import type { CommandMessage } from './schema.js';

export interface OrderRules {
  limits: LimitsSettings;
  kinematics: KinematicsSettings;
}

/** Caps the speed; throws RANGE if the motion exceeds this cart's limits. */
export function toOrder(message: CommandMessage, rules: OrderRules): Order {
  const { distanceMm } = message;
  const angleDdeg = Math.round(message.angleDeg * 10) + 0;
  const still = message.kind === 'stop' || (distanceMm === 0 && angleDdeg === 0);
  const kind = still ? 'stop' : (message.kind ?? 'move');
  const order: Order = {
    commandId: message.commandId.toLowerCase(),
    cartId: message.cartID,
    kind,
    raw: { distanceID: message.distanceID, angleID: message.angleID },
    distanceMm: still ? 0 : distanceMm,
    angleDdeg: still ? 0 : angleDdeg,
    maxSpeedMmps: Math.min(message.maxSpeed, rules.limits.maxSpeedMmps),
    ttlMs: startWithinMs(kind, message.ttlMs),
    onBusy: message.onBusy ?? rules.limits.onBusy,
    requested: { maxSpeedMmps: message.maxSpeed, ttlMs: message.ttlMs, onBusy: message.onBusy },
  };
  checkLimits(order, rules);
  return order;
}
