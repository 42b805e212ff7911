import { access, keyExpiry, revocations, sessionClock, totp } from './access.js';
import { alarmReasons, alarms } from './alarms.js';
import { beacons } from './beacons.js';
import { commitNumber } from './commit-number.js';
import { history } from './history.js';
import { historyActors } from './history-actors.js';
import { historyEntries, historyPresses, historyRepeats } from './history-entries.js';
import type { Migration } from './migration.js';
import { markers } from './navigation.js';
import { paymentErrorReasons, paymentFacts } from './payment-facts.js';
import { delayedPayments, paymentActors, paymentErrors, refunds, settlement, shop } from './shop.js';
import { routes, sharedSitePlan, sitePlan } from './site.js';

/** Sorted by version. Add new migrations only at the end. */
export const MIGRATIONS: readonly Migration[] = [
  history,
  beacons,
  access,
  shop,
  settlement,
  keyExpiry,
  sessionClock,
  revocations,
  totp,
  alarms,
  historyEntries,
  historyPresses,
  markers,
  commitNumber,
  delayedPayments,
  refunds,
  historyRepeats,
  paymentErrors,
  historyActors,
  paymentActors,
  paymentFacts,
  paymentErrorReasons,
  alarmReasons,
  sitePlan,
  sharedSitePlan,
  routes,
];
