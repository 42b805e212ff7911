import type { FromSchema } from 'json-schema-to-ts';
import type { Corners } from '../../shared/ports/marker-detector.js';
import type { markerSchema } from './schema.js';

/** A printed marker whose position is known; `headingDeg` is the direction of the marker's normal. */
export type Marker = FromSchema<typeof markerSchema>;

/** A position in mm and a direction in degrees counterclockwise from the x axis. */
export interface Pose {
  xMm: number;
  yMm: number;
  headingDeg: number;
}

/**
 * A pinhole camera with radial distortion. Pixel centres are at whole numbers. A ray through (x, y, 1) in the
 * camera's frame (x right, y down) is projected to `fPx` times (x, y) times (1 + `k1` (x² + y²)), plus (`cxPx`,
 * `cyPx`).
 */
export interface CameraModel {
  width: number;
  height: number;
  fPx: number;
  cxPx: number;
  cyPx: number;
  k1: number;
}

/** A marker's position relative to the camera. */
export interface MarkerPose {
  /** Distance from the optical centre to the marker's centre. */
  rangeMm: number;
  /** Horizontal angle from the optical axis; positive to the left. */
  bearingDeg: number;
  /**
   * Horizontal angle between the marker's normal and the direction towards the camera, seen from above; positive is
   * counter-clockwise, 0 if the marker is parallel to the image plane. Null if two different poses of the marker fit
   * the image.
   */
  yawDeg: number | null;
  /** Root mean square of the corners' distances from their computed positions. */
  reprojectionErrorPx: number;
}

export interface MeasuredMarker extends MarkerPose {
  id: number;
  corners: Corners;
}

export interface Sighting extends MeasuredMarker {
  /** Age of the image when the result became available. */
  imageAgeMs: number;
}

export type MarkerSighting = Pick<Sighting, 'id' | 'rangeMm' | 'bearingDeg' | 'yawDeg'>;

/** The markers in one image; the list is empty if there are none. */
export interface SightingReport {
  /** Monotonic time in ms. */
  capturedMs: number;
  sightings: readonly MarkerSighting[];
}
