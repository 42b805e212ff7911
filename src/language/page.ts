import { CAMERA } from './dutch-camera.js';
import { FLEET } from './dutch-fleet.js';
import { FRAME } from './dutch-frame.js';
import { MACHINE } from './dutch-machine.js';
import { PEOPLE, SHOP } from './dutch-people.js';
import { SECTIONS } from './dutch-sections.js';
import { SETTINGS, SETTINGS_PAGES } from './dutch-settings.js';
import { SIGHTS } from './dutch-sights.js';
import { SYSTEM, TOUR } from './dutch-system.js';
import { translator } from './language.js';
import { LIVE } from './live.js';

export { told } from './live.js';

/** What a page says as it comes from the server. */
export const SERVED = {
  ...LIVE,
  ...FRAME,
  ...FLEET,
  ...SIGHTS,
  ...PEOPLE,
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
