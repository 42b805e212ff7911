// Other folders import this module only through this file.

export { requireUpdatable } from './conditions.js';
export { failureText } from './failure.js';
export { updateApi } from './http/openapi.js';
export { type UpdatePage, updatePage } from './http/pages.js';
export { updateRoutes } from './http/routes.js';
export { updateMessage } from './messages.js';
export { UpdateMonitor } from './monitor.js';
export * from './pure.js';
export { isSignedBy, parseStatement, releaseKeyOf, releaseNameOf } from './release.js';
export { UpdateSpool, type UploadedRelease } from './spool.js';
export {
  type SoftwareEventKind,
  type SoftwareFacts,
  Updates,
} from './updates.js';
