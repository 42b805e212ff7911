import type { Telemetry } from '../command/model.js';
import type { LimitsSettings } from '../control/settings-schema.js';
import { faultTexts } from '../labels/fault-names.js';

/** What telemetry forbids: nothing, new motion, or the running one as well. */
export interface Watch {
  level: 'fine' | 'refuse' | 'stop';
  /** Sentences for people, worst first; empty when fine. */
  reasons: string[];
}

/** Below this part of the lowest voltage, and this many degrees above the hottest, the cart stops by itself. */
const STOP_VOLTAGE = 0.9;
const STOP_EXTRA_C = 10;

/** Judges what the controller reports against the limits. Pure. */
export function watch(telemetry: Telemetry | undefined, limits: LimitsSettings): Watch {
  if (!telemetry) return { level: 'fine', reasons: [] };
  const { batteryMv, tempM1C, tempM2C, state, faults } = telemetry;
  const stop: string[] = [];
  const refuse: string[] = [];
  if (state === 'FAULT')
    stop.push(`the controller reports a fault: ${faultTexts(faults).join(', ') || 'unknown'}`);
  if (batteryMv !== null && batteryMv < limits.minBatteryMv) {
    const list = batteryMv < limits.minBatteryMv * STOP_VOLTAGE ? stop : refuse;
    list.push(`the battery is at ${batteryMv} mV, below ${limits.minBatteryMv} mV`);
  }
  const hottest = Math.max(tempM1C ?? -Infinity, tempM2C ?? -Infinity);
  if (hottest > limits.maxMotorC) {
    const list = hottest > limits.maxMotorC + STOP_EXTRA_C ? stop : refuse;
    list.push(`a motor is at ${hottest} °C, above ${limits.maxMotorC} °C`);
  }
  const level = stop.length > 0 ? 'stop' : refuse.length > 0 ? 'refuse' : 'fine';
  return { level, reasons: [...stop, ...refuse] };
}
