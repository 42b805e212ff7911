import { ACCESS_TEXTS } from '../locales/nl/access.js';
import { ALARM_SETTINGS, ALARM_TEXTS } from '../locales/nl/alarms.js';
import { BEACON_SETTINGS, BEACON_TEXTS, LIVE_BEACON_TEXTS } from '../locales/nl/beacons.js';
import { CAMERA_SETTINGS, CAMERA_TEXTS, LIVE_CAMERA_TEXTS } from '../locales/nl/camera.js';
import { CART_TEXTS } from '../locales/nl/carts/carts.js';
import { COMMISSIONING_TEXTS, LIVE_COMMISSIONING_TEXTS } from '../locales/nl/carts/commissioning.js';
import { FIRMWARE_TEXTS } from '../locales/nl/carts/firmware.js';
import { FLEET_TEXTS } from '../locales/nl/carts/fleet.js';
import { CART_SETTINGS } from '../locales/nl/carts/settings.js';
import { LAYOUT_TEXTS } from '../locales/nl/layout.js';
import { MQTT_SETTINGS } from '../locales/nl/mqtt.js';
import {
  CALIBRATION_TEXTS,
  LIVE_MARKER_TEXTS,
  MARKER_TEXTS,
  NAVIGATION_SETTINGS,
} from '../locales/nl/navigation.js';
import { GENERAL_SETTINGS, SECTION_TEXTS, SETTINGS_TEXTS } from '../locales/nl/settings.js';
import { SHARED_TEXTS } from '../locales/nl/shared.js';
import { SHOP_SETTINGS, SHOP_TEXTS } from '../locales/nl/shop.js';
import { LIVE_SITE_TEXTS, SITE_SETTINGS, SITE_TEXTS } from '../locales/nl/site.js';
import { HISTORY_TEXTS } from '../locales/nl/system/history.js';
import { LIVE_SYSTEM_TEXTS, SYSTEM_TEXTS } from '../locales/nl/system/system.js';
import { TLS_TEXTS } from '../locales/nl/system/tls.js';
import { LIVE_TREND_TEXTS } from '../locales/nl/system/trends.js';
import { LIVE_UPDATE_TEXTS, UPDATE_TEXTS } from '../locales/nl/updates.js';
import type { AllSettingTexts } from '../settings/schema/setting-text.js';
import { merged, translator, type Vocabulary } from './language.js';
import { LIVE } from './shared-text.js';

export const SERVED = merged(
  LIVE,
  LIVE_BEACON_TEXTS,
  LIVE_CAMERA_TEXTS,
  LIVE_COMMISSIONING_TEXTS,
  LIVE_MARKER_TEXTS,
  LIVE_SITE_TEXTS,
  LIVE_SYSTEM_TEXTS,
  LIVE_TREND_TEXTS,
  LIVE_UPDATE_TEXTS,
  ACCESS_TEXTS,
  ALARM_TEXTS,
  BEACON_TEXTS,
  CAMERA_TEXTS,
  CART_TEXTS,
  COMMISSIONING_TEXTS,
  FIRMWARE_TEXTS,
  FLEET_TEXTS,
  LAYOUT_TEXTS,
  MARKER_TEXTS,
  CALIBRATION_TEXTS,
  SETTINGS_TEXTS,
  SITE_TEXTS,
  SHOP_TEXTS,
  HISTORY_TEXTS,
  SYSTEM_TEXTS,
  TLS_TEXTS,
  UPDATE_TEXTS,
  SHARED_TEXTS,
);

/** Separate from `SERVED`: in the settings, `Drive` is a drive type; elsewhere, it is the name of a page. */
export const SETTING_TEXTS: AllSettingTexts = merged(
  SECTION_TEXTS,
  ALARM_SETTINGS,
  BEACON_SETTINGS,
  CAMERA_SETTINGS,
  CART_SETTINGS,
  MQTT_SETTINGS,
  NAVIGATION_SETTINGS,
  GENERAL_SETTINGS,
  SHOP_SETTINGS,
  SITE_SETTINGS,
);

export const t = translator(SERVED);

/** Translates the texts of templates, which are read at run time. */
export const templateText = translator<[Vocabulary]>(SERVED);

/** Translates the texts of the settings schema, which are read at run time. */
export const settingText = translator<[Vocabulary]>(SETTING_TEXTS);

const UNIT_SYMBOLS: Readonly<Record<string, string>> = { deg: '°', 'deg/s': '°/s' };

/** Returns a setting's unit as it is shown beside a value: `°`, `mm/s`; '' if the setting has no unit. */
export function settingUnit(unit = ''): string {
  return UNIT_SYMBOLS[unit] ?? settingText(unit);
}
