// Other folders import this module only through this file.

export { siteWrites } from './plan-data/writes.js';
