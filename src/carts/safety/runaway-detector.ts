import type { Telemetry } from '../command/model.js';
import type { LimitsSettings } from '../control/settings-schema.js';

/** Beyond its ramp a stopped cart may take this long to come to rest. */
const ROLL_OUT_MS = 1500;

/** Whether the controller itself drives the wheels; a cart that is pushed by hand is at rest to it. */
export function isRolling(telemetry: Telemetry | undefined): boolean {
  if (!telemetry) return false;
  const { state, speedMmps, omegaDdegps } = telemetry;
  const drives = state === 'RUNNING' || state === 'STOPPING' || state === 'ESTOP';
  return drives && (speedMmps !== 0 || omegaDdegps !== 0);
}

/** Notices wheels that go on turning although no motion is known to run. */
export class RunawayDetector {
  #sinceMs = 0;

  /** `commanded`: a motion runs. Answers whether the cart has rolled on for longer than any ramp takes. */
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
