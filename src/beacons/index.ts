// Other folders import this module only through this file.

export { requireWgs84 } from './formats/geojson.js';
export { beaconFastPath } from './http/answers.js';
export { mapRoutes } from './http/map-routes.js';
export { beaconApi, mapApi, mqttObservation } from './http/openapi.js';
export { beaconRoutes } from './http/routes.js';
export { beaconMessage } from './messages.js';
export type { Observation } from './positioning/observation.js';
export * from './pure.js';
export { Beacons } from './registry/beacons.js';
export { beaconOfForm, POSITION_FIELDS } from './registry/form.js';
export type { SearchPlace } from './registry/listing.js';
export { BEACON_FIELDS } from './registry/schema.js';
export { beaconWrites } from './registry/writes.js';
export type { BeaconsSettings } from './settings-schema.js';
