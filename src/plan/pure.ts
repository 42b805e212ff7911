// For page scripts and other pure code: code that needs neither Node nor packages.

export type { Placement, PlanImageSize } from './floor-plan/georeference.js';
export { type End, type Ends, endsAfterTap, lineOf } from './floor-plan/line.js';
export { isTransposed, turnOf } from './floor-plan/orientation.js';
export type { PlanView } from './floor-plan/schema.js';
export {
  bearingDeg,
  EARTH_RADIUS_M,
  haversineM,
  type LatLong,
  onSite,
  type PlanePoint,
  TangentPlane,
} from './frame/geodesy.js';
export { type Ellipse, PlanFrame, sigmasOf } from './frame/plan-frame.js';
export { isUnlocated, type Offset, offsetFrom, placeAt } from './frame/site-frame.js';
