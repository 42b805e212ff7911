// For page scripts, the detector worker and the simulator: code that needs neither Node nor packages.

export { cameraSchema } from './capture/schema.js';
export { drawText } from './streaming/jpeg-font.js';
