import { LIVE_CART_TEXTS } from '../locales/nl/carts/carts.js';
import { LIVE_FIRMWARE_TEXTS } from '../locales/nl/carts/firmware.js';
import { LIVE_FLEET_TEXTS } from '../locales/nl/carts/fleet.js';
import { LIVE_LAYOUT_TEXTS } from '../locales/nl/layout.js';
import { type KeyOf, merged, type Translate, translator, type Vocabulary } from './language.js';

/** The strings that every page script loads. */
export const LIVE = merged(LIVE_CART_TEXTS, LIVE_FIRMWARE_TEXTS, LIVE_FLEET_TEXTS, LIVE_LAYOUT_TEXTS);

export const t = translator(LIVE);

/** Also translates strings that only some page scripts load. */
export function withTexts<Tables extends Vocabulary[]>(
  ...tables: Tables
): Translate<KeyOf<typeof LIVE | Tables[number]>> {
  return translator(LIVE, ...tables);
}
