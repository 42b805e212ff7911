import { translator } from './language.js';
import { LIVE } from './live.js';
import { ACCESS, SHOP } from './nl/access-shop-pages.js';
import { FLEET } from './nl/fleet.js';
import { FRAME } from './nl/frame.js';
import { CAMERA } from './nl/settings/camera.js';
import { MACHINE } from './nl/settings/machine.js';
import { SECTIONS } from './nl/settings/sections.js';
import { SETTINGS, SETTINGS_PAGES } from './nl/settings/settings.js';
import { SIGHTS } from './nl/sights.js';
import { SYSTEM, TOUR } from './nl/system.js';

/** What a page says as it comes from the server. */
export const SERVED = {
  ...LIVE,
  ...FRAME,
  ...FLEET,
  ...SIGHTS,
  ...ACCESS,
  ...SHOP,
  ...SYSTEM,
  ...TOUR,
  ...SETTINGS_PAGES,
};

/** Titles, help and units of the settings. Apart: `Drive` is a page there and a kind of drive here. */
export const SETTING_TEXTS = { ...SECTIONS, ...SETTINGS, ...MACHINE, ...CAMERA };

/** Says a text of a page in the language that is spoken. */
export const t = translator(SERVED);

/** Says a text of the settings' schema in the language that is spoken. */
export const settingText = translator(SETTING_TEXTS);
