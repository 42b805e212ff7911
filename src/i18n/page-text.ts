import { translator } from './language.js';
import { ACCESS, SHOP } from './nl/access-shop-pages.js';
import { CAMERA_BEACONS_PAGES } from './nl/camera-beacons-pages.js';
import { FLEET } from './nl/fleet.js';
import { LAYOUT } from './nl/layout.js';
import { CAMERA } from './nl/settings/camera.js';
import { MACHINE } from './nl/settings/machine.js';
import { SECTIONS } from './nl/settings/sections.js';
import { SETTINGS, SETTINGS_PAGES } from './nl/settings/settings.js';
import { COMMISSIONING, SYSTEM } from './nl/system.js';
import { LIVE } from './shared-text.js';

export const SERVED = {
  ...LIVE,
  ...LAYOUT,
  ...FLEET,
  ...CAMERA_BEACONS_PAGES,
  ...ACCESS,
  ...SHOP,
  ...SYSTEM,
  ...COMMISSIONING,
  ...SETTINGS_PAGES,
};

/** Separate from `SERVED`, because `Drive` is the name of a page there and a drive type here. */
export const SETTING_TEXTS = { ...SECTIONS, ...SETTINGS, ...MACHINE, ...CAMERA };

export const t = translator(SERVED);

export const settingText = translator(SETTING_TEXTS);
