import type { Telemetry } from '../../command/model.js';
import { FAULTS, type FrameOf, faultNames } from '../codec/codec.js';

export function telemetryOf(frame: FrameOf<'STATUS'>): Telemetry {
  const { state, progressMm, odoLeftMm, odoRightMm, speedMmps, omegaDdegps } = frame;
  const { batteryMv, batteryCa, soc, tempBoardC, tempM1C, tempM2C } = frame;
  // The E-stop latch already shows that the E-stop input was opened.
  const faults = faultNames(frame.faults & ~FAULTS.estopInput);
  return {
    ...{ state, faults },
    ...{ progressMm, odoLeftMm, odoRightMm, speedMmps, omegaDdegps },
    ...{ batteryMv, batteryCa, soc, tempBoardC, tempM1C, tempM2C },
  };
}
