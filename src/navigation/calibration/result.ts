import { type CameraView, qualityOf } from '../markers/calibration.js';
import type { CameraModel } from '../markers/model.js';
import type { CalibrationSettings } from '../markers/settings-schema.js';
import { type CalibrationResult, fieldOfViewDeg } from './model.js';

/** The data sheets' fields of view are accurate to a few percent. */
const MAX_USUAL_PERCENT = 10;

/** A result that has not been saved, with the camera settings to which it applies. */
export interface PendingResult {
  calibration: CalibrationSettings;
  view: CameraView;
  result: CalibrationResult;
}

interface Compared {
  images: number;
  preset: CameraModel;
  /** The model in use until the result is saved. */
  previous: CameraModel;
}

export function resultOf(
  found: CalibrationSettings,
  { images, preset, previous }: Compared,
): CalibrationResult {
  const { method, width, fPx, cxPx, cyPx, k1, reprojectionErrorPx, expectedErrorPercent } = found;
  return {
    method: method === 'full' ? 'full' : 'one-shot',
    ...{ images, fPx, previousFPx: previous.fPx },
    changePercent: 100 * (fPx / previous.fPx - 1),
    fieldOfViewDeg: fieldOfViewDeg({ width, fPx }),
    ...{ cxPx, cyPx, k1, reprojectionErrorPx, expectedErrorPercent },
    quality: qualityOf(reprojectionErrorPx, expectedErrorPercent),
    isUnusual: Math.abs(fPx / preset.fPx - 1) * 100 > MAX_USUAL_PERCENT,
  };
}
