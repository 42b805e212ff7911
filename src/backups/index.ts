// Other folders import this module only through this file.

export { GROUPS } from './contents.js';
export type { LeftOut, Manifest, Part } from './entries.js';
export {
  type ContentSize,
  type GatewayBackup,
  GatewayBackups,
  type InspectedBackup,
  type MadeBackup,
} from './gateway-backups.js';
export { GatewayRestore, type RestoreView, type UndoneRestore } from './restore/gateway-restore.js';
export { readGeneration } from './restore/generation.js';
export { resumeRestore } from './restore/resume.js';
export { requireFinishedRestore } from './restore/unfinished.js';
export { BackupSchedule, INTERVALS, type ScheduleView } from './schedule.js';
export {
  newBackupOf,
  newBackupSchema,
  passphraseOf,
  passphraseSchema,
  scheduleOf,
  scheduleSchema,
  setupRestoreOf,
  setupRestoreSchema,
} from './schema.js';
export { UsbStick } from './usb-stick.js';
