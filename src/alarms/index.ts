// Other folders import this module only through this file.

export { ALARM_KINDS, type AlarmKind } from './alarm.js';
export { onUnintendedLoss, raiseAlarms } from './alarm-events.js';
export { Alarms } from './alarms.js';
export { alarmApi, alarmMessageSchema } from './http/openapi.js';
export { alarmRoutes, channelsPage, subscriptionPage } from './http/routes.js';
export { targetName } from './outbox.js';
export { ALARM_RETENTION_MS, alarmWrites } from './writes.js';
