import { SECTION_TEXTS } from '../locales/nl/settings.js';
import { merged, translator } from './language.js';
import { ACCESS, SHOP } from './nl/access-shop-pages.js';
import { ALARMS } from './nl/alarms.js';
import { LIVE_BEACONS } from './nl/beacons.js';
import { CAMERA_BEACONS_PAGES, LIVE_CAMERA } from './nl/camera-beacons-pages.js';
import { COMMISSIONING, LIVE_COMMISSIONING } from './nl/commissioning.js';
import { FIRMWARE } from './nl/firmware.js';
import { FLEET } from './nl/fleet.js';
import { HISTORY } from './nl/history.js';
import { LAYOUT } from './nl/layout.js';
import { CALIBRATION, LIVE_MARKERS, MARKERS } from './nl/markers.js';
import { ALARM_SETTINGS } from './nl/settings/alarms.js';
import { CAMERA } from './nl/settings/camera.js';
import { MACHINE } from './nl/settings/machine.js';
import { NAVIGATION } from './nl/settings/navigation.js';
import { SETTINGS, SETTINGS_PAGES } from './nl/settings/settings.js';
import { SETTING_VALUES } from './nl/settings/values.js';
import { LIVE_SYSTEM, SYSTEM } from './nl/system.js';
import { TLS } from './nl/tls.js';
import { TREND } from './nl/trend.js';
import { addTexts, LIVE } from './shared-text.js';

for (const texts of [LIVE_BEACONS, LIVE_CAMERA, LIVE_COMMISSIONING, LIVE_MARKERS, LIVE_SYSTEM, TREND])
  addTexts(texts);

export const SERVED = merged(
  LIVE,
  LAYOUT,
  MARKERS,
  CALIBRATION,
  FLEET,
  FIRMWARE,
  HISTORY,
  CAMERA_BEACONS_PAGES,
  ACCESS,
  SHOP,
  SYSTEM,
  COMMISSIONING,
  TLS,
  SETTINGS_PAGES,
  ALARMS,
);

/** Separate from `SERVED`: in the settings, `Drive` is a drive type; elsewhere, it is the name of a page. */
export const SETTING_TEXTS = merged(
  SECTION_TEXTS,
  SETTINGS,
  MACHINE,
  CAMERA,
  NAVIGATION,
  ALARM_SETTINGS,
  SETTING_VALUES,
);

export const t = translator(SERVED);

export const settingText = translator(SETTING_TEXTS);

const UNIT_SYMBOLS: Readonly<Record<string, string>> = { deg: '°', 'deg/s': '°/s' };

/** Returns a setting's unit as it is shown beside a value: `°`, `mm/s`; '' if the setting has no unit. */
export function settingUnit(unit = ''): string {
  return UNIT_SYMBOLS[unit] ?? settingText(unit);
}
