// For page scripts, the marker thread and the simulator: code that needs neither Node nor packages.

export { alarmsSchema } from './settings-schema.js';
