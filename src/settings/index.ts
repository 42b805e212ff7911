// Other folders import this module only through this file.

export { isNewDirectory, seedFaults } from './document/boot.js';
export type { Preview, Since } from './document/contracts.js';
export type { ValueChange } from './document/diff.js';
export { readDocument } from './document/document.js';
export { FILE_NAME } from './document/file.js';
export { invalidInput } from './document/patch.js';
export { SettingsService } from './document/settings.js';
export { readVersion } from './document/version.js';
export {
  NOT_CONFIRMED,
  PROGRAM,
  RESTART,
  type VersionEntry,
  type Why,
} from './history/history.js';
export { settingsApi, settingsDocument } from './http/openapi.js';
export { mayChange, requirePermission } from './http/permissions.js';
export { settingsRoutes, settingsSavedPage } from './http/routes.js';
export * from './pure.js';
export { listText, numberOrText } from './schema/list-text.js';
export {
  type CameraSection,
  defaultSettings,
  isSafetyRelevant,
  SECTIONS,
  type Section,
  type Settings,
  settingsSchema,
} from './schema/schema.js';
export { sectionTitles } from './schema/section-titles.js';
