import type { Text } from '../shared/messages/message.js';
import { translator, type Vocabulary } from './language.js';
import { messageTranslator } from './message-translator.js';
import { LIVE_BEACONS } from './nl/beacons.js';
import { BOARD_REASONS } from './nl/boards.js';
import { CART_REASONS } from './nl/cart-reasons.js';
import { CARTS, STATES } from './nl/carts.js';
import { LIVE_FLEET } from './nl/fleet.js';
import { ACCESS_MESSAGES } from './nl/messages/access.js';
import { BEACONS_MESSAGES } from './nl/messages/beacons.js';
import { BROKER_MESSAGES } from './nl/messages/broker.js';
import { CAMERA_MESSAGES } from './nl/messages/camera.js';
import { GPIO_MESSAGES } from './nl/messages/gpio.js';
import { SETTINGS_MESSAGES } from './nl/messages/settings.js';
import { SHARED_MESSAGES } from './nl/messages/shared.js';
import { SHOP_MESSAGES } from './nl/messages/shop.js';
import { STORE_MESSAGES } from './nl/messages/store.js';
import { SYSTEM_MESSAGES } from './nl/messages/system.js';
import { VALIDATION_MESSAGES } from './nl/messages/validation.js';
import { WEB_MESSAGES } from './nl/messages/web.js';
import { PAGES } from './nl/pages.js';
import { PART_REASONS } from './nl/parts.js';
import { REFUSALS } from './nl/refusals.js';
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
  ...PART_REASONS,
  ...REFUSALS,
  ...SECTIONS,
  ...STATES,
  ...JOINED,
};

/** Says a text of the carts or of a live page in the language that is spoken. */
export const t = translator(LIVE);

/** Dutch by the code of a message. */
export const DUTCH_MESSAGES: Vocabulary = {
  ...ACCESS_MESSAGES,
  ...BEACONS_MESSAGES,
  ...BROKER_MESSAGES,
  ...CAMERA_MESSAGES,
  ...GPIO_MESSAGES,
  ...SETTINGS_MESSAGES,
  ...SHARED_MESSAGES,
  ...SHOP_MESSAGES,
  ...STORE_MESSAGES,
  ...SYSTEM_MESSAGES,
  ...VALIDATION_MESSAGES,
  ...WEB_MESSAGES,
};

const byCode = messageTranslator(DUTCH_MESSAGES);
const byText = retelling(TOLD);

/** Says in the language that is spoken what a room said in English: why something is as it is, and what to do. */
export const told = (text: Text): string => (typeof text === 'string' ? byText(text) : byCode(text));
