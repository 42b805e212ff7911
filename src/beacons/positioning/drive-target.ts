import { bearingDeg, haversineM, type LatLong, TangentPlane } from '../../plan/pure.js';
import { signedDegrees } from '../../shared/angles.js';

export interface MapPose extends LatLong {
  /** Degrees clockwise from north. */
  bearingDeg: number;
}

export interface TargetRules {
  mmPerUnit: number;
  maxMm: number;
  degPerUnit: number;
  maxDeg: number;
}

/** One command: a turn in place, then a straight line. Positive angles turn left. */
export interface TargetMotion {
  distanceID: number;
  angleID: number;
  distanceMm: number;
  angleDeg: number;
  end: LatLong;
}

/** `far`: beyond `limit` m. `near`: closer than `limit` m. `turn`: the angle exceeds `limit` degrees. */
export interface MotionFault {
  fault: 'far' | 'near' | 'turn';
  /** The motion's distance in m or angle in degrees. */
  amount: number;
  limit: number;
}

/** Minimum distance in mm; for a shorter one, the direction would depend too much on the accuracy of the tap. */
const MIN_MM = 200;
/**
 * Maximum distance in mm. A cart placed on the map has a heading error of a few degrees; an error of 5 degrees moves
 * the goal by 0.4 m at a distance of 5 m.
 */
export const MAX_MM = 5000;

/** Returns the motion from the pose to the target. The distance is rounded down to the command's unit. */
export function motionTo(pose: MapPose, target: LatLong, rules: TargetRules): TargetMotion | MotionFault {
  const { mmPerUnit, degPerUnit } = rules;
  const wantedMm = haversineM(pose, target) * 1000;
  // Without the tolerance, a distance of exactly 1 m could be rounded down to 0.99 m.
  const distanceID = Math.floor(wantedMm / mmPerUnit + 1e-3);
  const angleID = Math.round(signedDegrees(pose.bearingDeg - bearingDeg(pose, target)) / degPerUnit) + 0;
  const [distanceMm, angleDeg] = [distanceID * mmPerUnit, Math.round(angleID * degPerUnit * 100) / 100];
  const maxMm = Math.min(rules.maxMm, MAX_MM);
  if (wantedMm > maxMm) return { fault: 'far', amount: wantedMm / 1000, limit: maxMm / 1000 };
  if (distanceMm < MIN_MM) return { fault: 'near', amount: wantedMm / 1000, limit: MIN_MM / 1000 };
  if (Math.abs(angleDeg) > rules.maxDeg) return { fault: 'turn', amount: angleDeg, limit: rules.maxDeg };
  const end = movedBy(pose, distanceMm / 1000, pose.bearingDeg - angleDeg);
  return { distanceID, angleID, distanceMm, angleDeg, end };
}

export function movedBy(from: LatLong, metres: number, bearing: number): LatLong {
  const angle = (bearing * Math.PI) / 180;
  return new TangentPlane([from]).toGlobe({ x: metres * Math.sin(angle), y: metres * Math.cos(angle) });
}
