import type { Corners, ImageSize } from '../../shared/ports/marker-detector.js';
import { markerPose } from '../markers/marker-pose.js';
import type { CameraModel } from '../markers/model.js';
import type { CalibrationSettings, NavigationSettings, Preset } from '../markers/settings-schema.js';

/** Horizontal fields of view in degrees, from the data sheets. */
export const FIELDS_OF_VIEW_DEG: Readonly<Record<Preset, number>> = {
  'module-2': 62.2,
  'module-3': 66,
  'module-3-wide': 102,
};
/**
 * Expected range error in percent without a calibration. The data sheets do not state tolerances; a video mode that
 * uses only part of the sensor changes the field of view by more than this.
 */
export const PRESET_ERROR_PERCENT = 5;
/** Expected error of a one-shot calibration; corresponds to an error of 5 mm at a distance of 1 m. */
const ONE_SHOT_ERROR_PERCENT = 0.5;
const ONE_SHOT_DISTANCE_MM = 1000;
/** A focal length outside this range, in image widths, indicates a wrong marker size or distance. */
const FOCAL_LENGTHS = { min: 0.25, max: 5 };
const MAX_ITERATIONS = 30;

/** The camera settings that determine its model. */
export interface CameraSetup extends ImageSize {
  /** Identifies the camera, its orientation and its crop. */
  cameraId: string;
}

export interface CalibrationStatus {
  /** `full`: calibrated with a board. `one-shot`: only the focal length is calibrated. */
  method: 'preset' | 'one-shot' | 'full';
  /** True if the stored calibration does not apply because the camera or the resolution has changed. */
  isStale: boolean;
  quality: CalibrationQuality;
  /** Expected error of measured ranges, in percent of the range. */
  expectedErrorPercent: number;
  /** Null for a preset. */
  reprojectionErrorPx: number | null;
}

export type CalibrationQuality = 'good' | 'fair' | 'poor';

/** Returns the model of a camera whose field of view is known from its data sheet. */
export function presetModel(preset: Preset, { width, height }: ImageSize): CameraModel {
  const halfAngle = (FIELDS_OF_VIEW_DEG[preset] * Math.PI) / 360;
  const fPx = width / 2 / Math.tan(halfAngle);
  return { width, height, fPx, cxPx: (width - 1) / 2, cyPx: (height - 1) / 2, k1: 0 };
}

/** Returns the calibrated model, or the preset if this camera and resolution have not been calibrated. */
export function calibratedModel({ preset, calibration }: NavigationSettings, view: CameraSetup): CameraModel {
  const { width, height } = view;
  if (!applies(calibration, view)) return presetModel(preset, view);
  const { fPx, cxPx, cyPx, k1 } = calibration;
  return { width, height, fPx, cxPx, cyPx, k1 };
}

export function calibrationStatus({ calibration }: NavigationSettings, view: CameraSetup): CalibrationStatus {
  if (!applies(calibration, view)) {
    return {
      method: 'preset',
      isStale: calibration.method !== 'none',
      quality: 'poor',
      expectedErrorPercent: PRESET_ERROR_PERCENT,
      reprojectionErrorPx: null,
    };
  }
  const { method, reprojectionErrorPx, expectedErrorPercent } = calibration;
  return {
    method: method === 'full' ? 'full' : 'one-shot',
    isStale: false,
    quality: qualityOf(reprojectionErrorPx, expectedErrorPercent),
    expectedErrorPercent,
    reprojectionErrorPx,
  };
}

/** `good` permits docking; `poor` means that the calibration should be repeated. */
export function qualityOf(reprojectionErrorPx: number, expectedErrorPercent: number): CalibrationQuality {
  if (reprojectionErrorPx <= 0.5 && expectedErrorPercent <= 1) return 'good';
  return reprojectionErrorPx <= 1.5 && expectedErrorPercent <= 3 ? 'fair' : 'poor';
}

function applies(calibration: CalibrationSettings, { cameraId, width, height }: CameraSetup): boolean {
  return (
    calibration.method !== 'none' &&
    calibration.cameraId === cameraId &&
    calibration.width === width &&
    calibration.height === height
  );
}

/**
 * Computes the focal length from images of a marker whose centre is exactly 1.00 m from the lens. Returns undefined
 * if no focal length fits.
 * @param start the model whose image centre and distortion are kept.
 */
export function oneShotCalibration(
  images: readonly Corners[],
  { sizeMm, start, cameraId }: { sizeMm: number; start: CameraModel; cameraId: string },
): CalibrationSettings | undefined {
  const lengths = images.flatMap((corners) => focalLengthOf(corners, sizeMm, start) ?? []);
  const fPx = lengths.toSorted((a, b) => a - b)[Math.floor(lengths.length / 2)];
  if (fPx === undefined) return undefined;
  const camera = { ...start, fPx };
  const errors = images.flatMap((corners) => markerPose(corners, sizeMm, camera)?.reprojectionErrorPx ?? []);
  return storedCalibration(camera, {
    method: 'one-shot',
    cameraId,
    expectedErrorPercent: ONE_SHOT_ERROR_PERCENT,
    reprojectionErrorPx: Math.max(...errors),
  });
}

/** Finds the focal length iteratively, because the measured range is only approximately proportional to it. */
function focalLengthOf(corners: Corners, sizeMm: number, start: CameraModel): number | undefined {
  let { fPx } = start;
  for (let nth = 0; nth < MAX_ITERATIONS; nth++) {
    const pose = markerPose(corners, sizeMm, { ...start, fPx });
    if (!pose) return undefined;
    const factor = ONE_SHOT_DISTANCE_MM / pose.rangeMm;
    fPx *= factor;
    if (!(fPx > FOCAL_LENGTHS.min * start.width && fPx < FOCAL_LENGTHS.max * start.width)) return undefined;
    if (Math.abs(factor - 1) < 1e-9) return fPx;
  }
  return undefined;
}

/** Returns the calibration as it is stored, rounded to the significant digits. */
export function storedCalibration(
  { width, height, fPx, cxPx, cyPx, k1 }: CameraModel,
  found: Pick<CalibrationSettings, 'method' | 'cameraId' | 'reprojectionErrorPx' | 'expectedErrorPercent'>,
): CalibrationSettings {
  const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));
  return {
    ...found,
    width,
    height,
    fPx: rounded(fPx, 3),
    cxPx: rounded(cxPx, 3),
    cyPx: rounded(cyPx, 3),
    k1: rounded(k1, 6),
    reprojectionErrorPx: rounded(found.reprojectionErrorPx, 3),
    expectedErrorPercent: rounded(found.expectedErrorPercent, 3),
  };
}
