import { history } from './001-history.js';
import { beacons } from './002-beacons.js';
import { access } from './003-access.js';
import { shop } from './004-shop.js';
import { settlement } from './005-settlement.js';
import { keyExpiry } from './006-key-expiry.js';
import { sessionClock } from './007-session-clock.js';
import { revocations } from './008-revocations.js';
import { totp } from './009-totp.js';
import type { Migration } from './migration.js';

/** Every migration there is, in order: the first makes schema version 1. Only ever append. */
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
