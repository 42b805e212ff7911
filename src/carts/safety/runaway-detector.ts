import type { Telemetry } from '../command/model.js';
import type { LimitsSettings } from '../control/settings-schema.js';

/** Allowance after the ramp for a stopped cart to come to rest. */
const ROLL_OUT_MS = 1500;

/** True if the controller drives the wheels; a cart pushed by hand is idle. */
export function isRolling(telemetry: Telemetry | undefined): boolean {
  if (!telemetry) return false;
  const { state, speedMmps, omegaDdegps } = telemetry;
  const drives = state === 'RUNNING' || state === 'STOPPING' || state === 'ESTOP';
  return drives && (speedMmps !== 0 || omegaDdegps !== 0);
}

/** Detects wheels that keep turning without a commanded motion. */
export class RunawayDetector {
  #sinceMs = 0;

  /**
   * @param commanded true while a motion runs.
   * @returns true if the cart has rolled without a motion for longer than any ramp takes.
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
