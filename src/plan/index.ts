// Other folders import this module only through this file.

export { FloorPlan } from './floor-plan/floor-plan.js';
export { planLineSchema } from './floor-plan/schema.js';
export { siteOriginOf } from './frame/site-frame.js';
export { planApi } from './http/openapi.js';
export { type PlanGuard, planRoutes } from './http/routes.js';
export * from './pure.js';
