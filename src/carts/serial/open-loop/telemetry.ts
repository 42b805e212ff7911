import type { Telemetry } from '../../command/model.js';
import type { BoardVitals } from './board.js';
import type { OpenLoopMotion } from './motion.js';

/** What is known of a board that measures no way: its own vitals, and what it was told. */
export function timedTelemetry(
  state: Telemetry['state'],
  { errors, warnings, batteryMv, tempBoardC }: BoardVitals,
  { way, speeds }: Pick<OpenLoopMotion, 'way' | 'speeds'>,
): Telemetry {
  return {
    state,
    faults: [...errors, ...warnings],
    progressMm: Math.round(way.mm),
    // No wheel is counted.
    odoLeftMm: 0,
    odoRightMm: 0,
    speedMmps: Math.round(speeds.mmps),
    omegaDdegps: Math.round(speeds.ddegps),
    batteryMv,
    batteryCa: null,
    soc: null,
    tempBoardC,
    tempM1C: null,
    tempM2C: null,
  };
}
