import { translator, type Vocabulary } from './language.js';
import { LIVE_BEACONS } from './nl/beacons.js';
import { BOARD_REASONS } from './nl/boards.js';
import { BROKER_REASONS } from './nl/broker.js';
import { CAMERA_REASONS } from './nl/camera-reasons.js';
import { CART_REASONS } from './nl/cart-reasons.js';
import { CARTS, STATES } from './nl/carts.js';
import { LIVE_FLEET } from './nl/fleet.js';
import { PAGES } from './nl/pages.js';
import { PART_REASONS } from './nl/parts.js';
import { FAULTS, REFUSALS } from './nl/refusals.js';
import { SECTIONS } from './nl/settings/sections.js';
import { TREND } from './nl/trend.js';
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
