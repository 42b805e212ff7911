// For page scripts, the detector worker and the simulator: code that needs neither Node nor packages.

export type { ApproachView, SightingsView } from './approach/view.js';
export { measure } from './markers/measure.js';
export { navigationSchema } from './markers/settings-schema.js';
