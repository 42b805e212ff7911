import type { Telemetry } from '../../command/model.js';
import { type FrameOf, faultNames } from '../codec/codec.js';

export function telemetryOf(frame: FrameOf<'STATUS'>): Telemetry {
  const { state, progressMm, odoLeftMm, odoRightMm, speedMmps, omegaDdegps } = frame;
  const { batteryMv, batteryCa, soc, tempBoardC, tempM1C, tempM2C } = frame;
  return {
    ...{ state, faults: faultNames(frame.faults) },
    ...{ progressMm, odoLeftMm, odoRightMm, speedMmps, omegaDdegps },
    ...{ batteryMv, batteryCa, soc, tempBoardC, tempM1C, tempM2C },
  };
}
