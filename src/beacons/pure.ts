// For page scripts, the detector worker and the simulator: code that needs neither Node nor packages.

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
