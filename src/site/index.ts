// Other folders import this module only through this file.

export { siteApi } from './http/openapi.js';
export { siteRoutes } from './http/routes.js';
export { runApi } from './http/run-openapi.js';
export { runRoutes } from './http/run-routes.js';
export { ZoneFrame } from './http/zone-frame.js';
export { LastSaved } from './plan-data/last-saved.js';
export { SitePlan, type SitePlanView } from './plan-data/site-plan.js';
export { siteWrites } from './plan-data/writes.js';
export * from './pure.js';
export { checkRoute, type RouteCheck } from './routes/check.js';
export type { Route } from './routes/route.js';
export { Teaching } from './routes/teaching.js';
export { RunJournal, runWrites } from './runs/journal.js';
export { type RunCart, Runs } from './runs/runs.js';
export { sitePlanMessageSchema } from './sharing/plan-message.js';
export { PlanSharing } from './sharing/plan-sharing.js';
export { unsuitability } from './zones/suitability.js';
export { ZoneGate } from './zones/zone-gate.js';
