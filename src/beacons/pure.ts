// For page scripts, the detector worker and the simulator: code that needs neither Node nor packages.

export type { Placement, PlanImageSize } from '../plan/floor-plan/georeference.js';
export { type End, type Ends, endsAfterTap, lineOf } from '../plan/floor-plan/line.js';
export { isTransposed, turnOf } from '../plan/floor-plan/orientation.js';
export type { PlanView } from '../plan/floor-plan/schema.js';
export { bearingDeg, haversineM, type LatLong, onSite, TangentPlane } from '../plan/frame/geodesy.js';
export { PlanFrame } from '../plan/frame/plan-frame.js';
export { isUnlocated, type Offset, offsetFrom, placeAt } from '../plan/frame/site-frame.js';
export {
  MAX_MM,
  type MapPose,
  type MotionFault,
  motionTo,
  type TargetMotion,
  type TargetRules,
} from './positioning/drive-target.js';
export { bearingOf, odometerRotation, type TrackPoint } from './positioning/heading.js';
export type { Position, ReceivedBeacon } from './positioning/observation.js';
export {
  type CartSample,
  hasCartMoved,
  type OdometerPose,
  PlacedCart,
  type PlacementEnd,
} from './positioning/placed-cart.js';
export type { Beacon } from './registry/schema.js';
export { beaconsSchema } from './settings-schema.js';
