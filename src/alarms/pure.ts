// For page scripts, the detector worker and the simulator: code that needs neither Node nor packages.

export { alarmsSchema } from './settings-schema.js';
