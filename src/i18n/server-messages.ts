import { merged } from './language.js';
import { BEACONS_AND_SHOP_MESSAGES } from './nl/messages/beacons-and-shop.js';
import { CALIBRATION_MESSAGES, NAVIGATION_MESSAGES } from './nl/messages/navigation.js';

/** Messages that only the server translates. */
export const SERVER_MESSAGES = merged(BEACONS_AND_SHOP_MESSAGES, CALIBRATION_MESSAGES, NAVIGATION_MESSAGES);
