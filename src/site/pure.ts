// For page scripts: code that needs neither Node nor packages.

export type { Place, ReviewReason } from './plan-data/schema.js';
export { siteSchema } from './settings-schema.js';
export { stoppingMm } from './zones/stopping.js';
export type { PlanPoint, Zone } from './zones/zone.js';
