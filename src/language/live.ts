import { LIVE_BEACONS } from './dutch-beacons.js';
import { BOARD_REASONS } from './dutch-boards.js';
import { BROKER_REASONS } from './dutch-broker.js';
import { CAMERA_REASONS } from './dutch-camera-reasons.js';
import { CART_REASONS } from './dutch-cart-reasons.js';
import { CARTS, STATES } from './dutch-carts.js';
import { LIVE_FLEET } from './dutch-fleet.js';
import { PAGES } from './dutch-pages.js';
import { PART_REASONS } from './dutch-parts.js';
import { FAULTS, REFUSALS } from './dutch-refusals.js';
import { SECTIONS } from './dutch-sections.js';
import { TREND } from './dutch-trend.js';
import { translator, type Vocabulary } from './language.js';
import { retelling } from './told.js';

/** What carts and live pages say. */
export const LIVE: Vocabulary = { ...CARTS, ...STATES, ...PAGES, ...LIVE_BEACONS, ...LIVE_FLEET, ...TREND };

/** Ways in which sentences are put together: each part is translated by itself. */
const JOINED: Vocabulary = {
  '{0}: {1}': '{0}: {1}',
  '{0}; {1}': '{0}; {1}',
  '{0}, {1}': '{0}, {1}',
  '{0}. {1}': '{0}. {1}',
  '{0}.': '{0}.',
};

/** What the rooms say. */
export const TOLD: Vocabulary = {
  ...CART_REASONS,
  ...BOARD_REASONS,
  ...CAMERA_REASONS,
  ...BROKER_REASONS,
  ...PART_REASONS,
  ...REFUSALS,
  ...FAULTS,
  ...SECTIONS,
  ...STATES,
  ...JOINED,
};

/** Says a text of the carts or of a live page in the language that is spoken. */
export const t = translator(LIVE);

/** Says in the language that is spoken what a room said in English: why something is as it is, and what to do. */
export const told = retelling(TOLD);
