import { BACKUP_MESSAGES } from '../locales/nl/backups.js';
import { BEACON_MESSAGES } from '../locales/nl/beacons.js';
import { CALIBRATION_MESSAGES, NAVIGATION_MESSAGES } from '../locales/nl/navigation.js';
import { SHOP_MESSAGES } from '../locales/nl/shop.js';
import { SITE_MESSAGES } from '../locales/nl/site.js';
import { UPDATE_MESSAGES } from '../locales/nl/updates.js';
import { merged } from './language.js';

/** Messages that only the server translates. */
export const SERVER_MESSAGES = merged(
  BACKUP_MESSAGES,
  BEACON_MESSAGES,
  NAVIGATION_MESSAGES,
  CALIBRATION_MESSAGES,
  SHOP_MESSAGES,
  SITE_MESSAGES,
  UPDATE_MESSAGES,
);
