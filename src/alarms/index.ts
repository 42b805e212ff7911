// Other folders import this module only from here.

export { ALARM_KINDS, type AlarmKind } from './alarm.js';
export { Alarms } from './alarms.js';
export { alarmApi, alarmMessageSchema } from './http/openapi.js';
export { alarmRoutes, channelsPage, subscriptionPage } from './http/routes.js';
export { targetName } from './outbox.js';
export { alarmWrites } from './writes.js';
