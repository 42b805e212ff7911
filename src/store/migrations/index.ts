import { access, keyExpiry, revocations, sessionClock, totp } from './access.js';
import { beacons } from './beacons.js';
import { history } from './history.js';
import type { Migration } from './migration.js';
import { settlement, shop } from './shop.js';

/**
 * All migrations in order. The first creates schema version 1. New migrations may only be added at the end.
 */
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
];
