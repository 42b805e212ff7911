import { translator, type Vocabulary } from './language.js';
import { LIVE_BEACONS } from './nl/beacons.js';
import { CARTS, STATES } from './nl/carts.js';
import { LIVE_FIRMWARE } from './nl/firmware.js';
import { LIVE_FLEET } from './nl/fleet.js';
import { PAGES } from './nl/pages.js';
import { TREND } from './nl/trend.js';

export const LIVE: Vocabulary = {
  ...CARTS,
  ...STATES,
  ...PAGES,
  ...LIVE_BEACONS,
  ...LIVE_FLEET,
  ...LIVE_FIRMWARE,
  ...TREND,
};

export const t = translator(LIVE);
