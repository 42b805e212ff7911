import type { DetectedMarker } from '../../shared/ports/marker-detector.js';
import { markerPose } from './marker-pose.js';
import type { CameraModel, MeasuredMarker } from './model.js';

export interface MeasureOptions {
  camera: CameraModel;
  /** Widths of the black squares of the listed markers, by ID. */
  sizesMm: Readonly<Record<number, number>>;
  /** Width of the black squares of all other markers; null if they are to be ignored. */
  otherSizeMm: number | null;
}

/** Returns the markers with their positions relative to the camera, sorted by ID. */
export function measure(
  detected: readonly DetectedMarker[],
  { camera, sizesMm, otherSizeMm }: MeasureOptions,
): MeasuredMarker[] {
  return detected
    .flatMap(({ id, corners }) => {
      const sizeMm = sizesMm[id] ?? otherSizeMm;
      const pose = sizeMm === null ? undefined : markerPose(corners, sizeMm, camera);
      return pose ? [{ id, ...pose, corners }] : [];
    })
    .sort((a, b) => a.id - b.id);
}
