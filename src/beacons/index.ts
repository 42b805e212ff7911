// Other folders import this module only from here.

export { FloorPlan } from './floor-plan/floor-plan.js';
export { lineOf } from './floor-plan/line.js';
export { type PlanView, planLineSchema } from './floor-plan/schema.js';
export { beaconFastPath } from './http/answers.js';
export { mapRoutes } from './http/map-routes.js';
export { beaconApi, mapApi, mqttObservation } from './http/openapi.js';
export { beaconRoutes } from './http/routes.js';
export { beaconMessage } from './messages.js';
export type { LatLong } from './positioning/geodesy.js';
export type { Observation } from './positioning/observation.js';
export { PlanFrame } from './positioning/plan-frame.js';
export { offsetFrom, placeAt, siteOriginOf } from './positioning/site-frame.js';
export { Beacons } from './registry/beacons.js';
export { invalidBeacon } from './registry/check.js';
export { beaconOfForm, POSITION_FIELDS } from './registry/form.js';
export type { SearchPlace } from './registry/listing.js';
export { BEACON_FIELDS, type Beacon } from './registry/schema.js';
export { beaconWrites } from './registry/writes.js';
export type { BeaconsSettings } from './settings-schema.js';
