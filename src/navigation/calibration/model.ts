import type { Text } from '../../shared/messages/message.js';
import type { ImageSize } from '../../shared/ports/marker-detector.js';
import type { NavigationSettings, Preset } from '../markers/settings-schema.js';
import type { CalibrationBoard } from './board-calibration.js';
import type { CalibrationQuality, CalibrationStatus, CameraSetup } from './calibration.js';

/** The printed board, except for its first ID; fits on A4 paper. */
export const BOARD = { columns: 4, rows: 6, sizeMm: 32, pitchMm: 40 } as const;
export const BOARD_MARKERS = BOARD.columns * BOARD.rows;

/** A calibration that has been computed, but not saved. */
export interface CalibrationResult {
  method: 'one-shot' | 'full';
  images: number;
  /**
   * Focal length in pixels, and the focal length of the camera model that was in use when the result was computed.
   */
  fPx: number;
  previousFPx: number;
  changePercent: number;
  fieldOfViewDeg: number;
  /** Image centre and radial distortion; determined only by the method `full`. */
  cxPx: number;
  cyPx: number;
  k1: number;
  reprojectionErrorPx: number;
  expectedErrorPercent: number;
  quality: CalibrationQuality;
  /** True if the focal length differs by more than 10 % from that of the selected camera model. */
  isUnusual: boolean;
}

export interface CalibrationView {
  camera: {
    isOn: boolean;
    preset: Preset;
    width: number;
    height: number;
    /** Focal length in use, in pixels. */
    fPx: number;
    fieldOfViewDeg: number;
  };
  mount: NavigationSettings['mount'];
  status: CalibrationStatus;
  /** Image size of the stored calibration; null if there is none. */
  calibratedSize: ImageSize | null;
  board: CalibrationBoard & { images: number; neededImages: number; maxImages: number };
  /** True while an image is taken or a calibration is computed. */
  isBusy: boolean;
  result: CalibrationResult | null;
}

export interface SeenView {
  /** A sentence about the markers in view. */
  text: Text;
  ids: number[];
  boardMarkers: number;
}

export interface OneShotRequest {
  /** ID of the marker; by default, the only marker in view. */
  id?: number;
  /** Size of the marker in mm; required if the marker is not registered. */
  sizeMm?: number;
}

export const DISCARDABLE = ['result', 'last-image', 'images', 'all'] as const;
export type Discardable = (typeof DISCARDABLE)[number];

/** Returns the horizontal field of view, ignoring distortion. */
export function fieldOfViewDeg({ width, fPx }: { width: number; fPx: number }): number {
  return (Math.atan(width / 2 / fPx) * 360) / Math.PI;
}

export function isSameView(a: CameraSetup, b: CameraSetup): boolean {
  return a.cameraId === b.cameraId && a.width === b.width && a.height === b.height;
}
