import { GatewayError } from '../util/errors.js';
import type { Order } from './model.js';
import type { KinematicsSettings, LimitsSettings } from './schema.js';
import type { CommandMessage } from './schema-tree.js';

/** The limits of the cart that would have to obey. */
export interface OrderRules {
  limits: LimitsSettings;
  kinematics: KinematicsSettings;
}

/**
 * The order that a `command` message means for this cart. The sender has held it against its own settings; here it is
 * held against ours: throws RANGE, and no speed is higher than ours, whatever was asked for.
 */
export function orderOf(message: CommandMessage, { limits, kinematics }: OrderRules): Order {
  const { distanceMm, kind = 'move' } = message;
  const angleDdeg = Math.round(message.angleDeg * 10) + 0;
  const still = kind === 'stop' || (distanceMm === 0 && angleDdeg === 0);
  if (kind === 'jog') {
    within('distanceMm', distanceMm, limits.maxSpeedMmps, 'mm/s');
  } else if (!still) {
    within('distanceMm', distanceMm, limits.maxDistanceMm, 'mm');
    const steers = kinematics.type === 'ackermann';
    const maxDeg = steers ? Math.min(kinematics.maxSteerDeg, limits.maxAngleDeg) : limits.maxAngleDeg;
    within('angleDeg', angleDdeg / 10, maxDeg, 'deg');
  }
  return {
    commandId: message.commandId.toLowerCase(),
    cartId: message.cartID,
    kind: still ? 'stop' : kind,
    raw: { distanceID: message.distanceID, angleID: message.angleID },
    distanceMm: still ? 0 : distanceMm,
    angleDdeg: still ? 0 : angleDdeg,
    maxSpeedMmps: Math.min(message.maxSpeed, limits.maxSpeedMmps),
    ttlMs: message.ttlMs,
    onBusy: message.onBusy ?? limits.onBusy,
  };
}

function within(field: string, value: number, limit: number, unit: string): void {
  if (Math.abs(value) <= limit) return;
  const text = `${field} is ${value} ${unit}; the limit of this cart is ${limit} ${unit}`;
  throw new GatewayError('RANGE', text, { field, limit, unit });
}
