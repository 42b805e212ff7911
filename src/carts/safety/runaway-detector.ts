import type { Telemetry } from '../command/model.js';
import type { LimitsSettings } from '../control/settings-schema.js';

/** Additional time after the ramp for the cart to become stationary. */
const ROLL_OUT_MS = 1500;

/** Returns true if the controller is driving the wheels; while a cart is pushed by hand, its controller is idle. */
export function isRolling(telemetry: Telemetry | undefined): boolean {
  if (!telemetry) return false;
  const { state, speedMmps, omegaDdegps } = telemetry;
  const drives = state === 'RUNNING' || state === 'STOPPING' || state === 'ESTOP';
  return drives && (speedMmps !== 0 || omegaDdegps !== 0);
}

/** Detects wheels that keep turning although no motion was commanded. */
export class RunawayDetector {
  #sinceMs = 0;

  /**
   * @param commanded true while a motion is running.
   * @returns true if the wheels have turned without a command for longer than any ramp takes.
   */
  watch(
    nowMs: number,
    telemetry: Telemetry,
    commanded: boolean,
    { maxSpeedMmps, decelMmps2 }: Pick<LimitsSettings, 'maxSpeedMmps' | 'decelMmps2'>,
  ): boolean {
    if (commanded || !isRolling(telemetry)) this.#sinceMs = nowMs;
    return nowMs - this.#sinceMs >= (maxSpeedMmps / decelMmps2) * 1000 + ROLL_OUT_MS;
  }
}
