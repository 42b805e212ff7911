import { GatewayError } from '../shared/errors.js';
import { updateMessage } from './messages.js';

/** Conditions that can currently prevent an update. */
export interface UpdateConditions {
  /** True if the cart is moving, or if a program or a drive to a marker is about to move it. */
  isMoving: boolean;
  isFirmwareUpdating: boolean;
  /** True if the next start replaces the database with a backup. */
  isRestoreScheduled: boolean;
  /** True while changed settings are waiting for confirmation. */
  isOnTrial: boolean;
  /** Undefined if the controller reports no battery voltage. */
  batteryMv: number | null | undefined;
  minBatteryMv: number;
}

/** Throws `FIRMWARE_UPDATE`, `NOT_IDLE`, `CONFLICT` or `UPDATE_BATTERY`. */
export function requireUpdatable(conditions: UpdateConditions): void {
  const { isMoving, isFirmwareUpdating, isOnTrial, isRestoreScheduled } = conditions;
  if (isFirmwareUpdating) throw new GatewayError('FIRMWARE_UPDATE', updateMessage('firmware'));
  if (isMoving)
    throw new GatewayError('NOT_IDLE', updateMessage('moving'), { hint: updateMessage('moving-hint') });
  if (isRestoreScheduled) {
    const hint = updateMessage('restore-hint');
    throw new GatewayError('CONFLICT', updateMessage('restore-scheduled'), { hint });
  }
  if (isOnTrial)
    throw new GatewayError('CONFLICT', updateMessage('trial'), { hint: updateMessage('trial-hint') });
  const { batteryMv, minBatteryMv: limit } = conditions;
  if (batteryMv === null || batteryMv === undefined || batteryMv >= limit) return;
  const details = { limit, unit: 'mV', hint: updateMessage('battery-hint') };
  throw new GatewayError('UPDATE_BATTERY', updateMessage('battery-low', { mv: batteryMv, limit }), details);
}
