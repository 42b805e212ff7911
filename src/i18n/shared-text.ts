import { LIVE_CART_TEXTS } from '../locales/nl/carts/carts.js';
import { LIVE_FIRMWARE_TEXTS } from '../locales/nl/carts/firmware.js';
import { LIVE_FLEET_TEXTS } from '../locales/nl/carts/fleet.js';
import { LIVE_LAYOUT_TEXTS } from '../locales/nl/layout.js';
import { merged, translator, type Vocabulary } from './language.js';

/** The strings of every page. Page scripts with more strings add them, so that other pages do not load them. */
const vocabulary = merged(LIVE_CART_TEXTS, LIVE_FIRMWARE_TEXTS, LIVE_FLEET_TEXTS, LIVE_LAYOUT_TEXTS);

export const LIVE: Vocabulary = vocabulary;

/** Must be called before the first of these strings is translated. */
export function addTexts(texts: Vocabulary): void {
  Object.assign(vocabulary, texts);
}

export const t = translator(LIVE);
