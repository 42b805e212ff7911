import { merged, translator, type Vocabulary } from './language.js';
import { CARTS, STATES } from './nl/carts.js';
import { LIVE_FIRMWARE } from './nl/firmware.js';
import { LIVE_FLEET } from './nl/fleet.js';
import { PAGES } from './nl/pages.js';

/** The strings of every page. Page scripts with more strings add them, so that other pages do not load them. */
const vocabulary = merged(CARTS, STATES, PAGES, LIVE_FLEET, LIVE_FIRMWARE);

export const LIVE: Vocabulary = vocabulary;

/** Must be called before the first of these strings is translated. */
export function addTexts(texts: Vocabulary): void {
  Object.assign(vocabulary, texts);
}

export const t = translator(LIVE);
