import {
  beginsWithName,
  filled,
  type MessageData,
  type MessageValue,
  type Text,
  textOf,
} from '../shared/messages/message.js';
import { principalText } from '../shared/messages/messages.js';
import { formattedMoment, MOMENT_CODE } from '../shared/messages/moment.js';
import { lowerFirst, upperFirst } from './format.js';
import { language, locale, localNumber, merged, type Vocabulary } from './language.js';
import { ALARM_MESSAGES } from './nl/messages/alarms.js';
import { FLOOR_PLAN_MESSAGES } from './nl/messages/beacons-and-shop.js';
import { BROKER_MESSAGES } from './nl/messages/broker.js';
import { CAMERA_MESSAGES } from './nl/messages/camera.js';
import { CARTS_MESSAGES } from './nl/messages/carts.js';
import { FIRMWARE_MESSAGES } from './nl/messages/firmware.js';
import { GPIO_MESSAGES } from './nl/messages/gpio.js';
import { LIVE_NAVIGATION_MESSAGES } from './nl/messages/navigation.js';
import { NETWORK_MESSAGES } from './nl/messages/network.js';
import { SAFETY_MESSAGES } from './nl/messages/safety.js';
import { SERIAL_MESSAGES } from './nl/messages/serial.js';
import { SETTINGS_MESSAGES } from './nl/messages/settings.js';
import { SYSTEM_MESSAGES } from './nl/messages/system.js';
import { WEB_MESSAGES } from './nl/messages/web.js';
import { SECTION_MESSAGES } from './nl/settings/sections.js';

/** The messages that page scripts translate, because events contain them. The server adds all others. */
const known = merged(
  ALARM_MESSAGES,
  BROKER_MESSAGES,
  CAMERA_MESSAGES,
  CARTS_MESSAGES,
  GPIO_MESSAGES,
  LIVE_NAVIGATION_MESSAGES,
  NETWORK_MESSAGES,
  SAFETY_MESSAGES,
  SECTION_MESSAGES,
  FIRMWARE_MESSAGES,
  FLOOR_PLAN_MESSAGES,
  SERIAL_MESSAGES,
  SETTINGS_MESSAGES,
  SYSTEM_MESSAGES,
  WEB_MESSAGES,
);

export const DUTCH_MESSAGES: Vocabulary = known;

export function addMessages(messages: Vocabulary): void {
  Object.assign(known, messages);
}

/** A string that has no code or no translation stays in English. */
export function translated(text: Text): string {
  return withCartNumbers(translation(text));
}

function translation(text: Text): string {
  if (typeof text === 'string' || language() === 'en') return textOf(text);
  const { code, params } = text;
  if (code === MOMENT_CODE) return formattedMoment(text, locale());
  if (!Object.hasOwn(DUTCH_MESSAGES, code)) return text.text;
  const sentence = filled(DUTCH_MESSAGES[code] ?? '', params, valueText);
  return beginsWithCapital(text) && !beginsWithName(text, sentence, valueText)
    ? sentence.charAt(0).toUpperCase() + sentence.slice(1)
    : sentence;
}

/** Returns a translation that begins a sentence. A name or an ID at the beginning keeps its spelling. */
export function begun(text: Text): string {
  const sentence = translated(text);
  return beginsWithName(text, sentence, translated) ? sentence : upperFirst(sentence);
}

/** Returns a translation that continues a sentence. A name or an ID at the beginning keeps its spelling. */
export function continued(text: Text): string {
  const sentence = translated(text);
  return beginsWithName(text, sentence, translated) ? sentence : lowerFirst(sentence);
}

/** Returns the name of a user, API key, gateway or other actor, in the current language. */
export function principalName(principal: Text): string {
  return translated(principalText(principal));
}

/** The number at the end of a gateway ID is the number of the gateway's cart. */
const GATEWAY_ID = /\bgateway [\w-]+-(\d+)\b/g;

function withCartNumbers(text: string): string {
  const cart = language() === 'nl' ? 'van Cart' : 'of cart';
  return text.replace(GATEWAY_ID, (_id, number: string) => `gateway ${cart} ${number}`);
}

function valueText(value: MessageValue): string {
  return typeof value === 'number' ? localNumber(value) : translated(value);
}

function beginsWithCapital({ text }: MessageData): boolean {
  const first = text.charAt(0);
  return first !== first.toLowerCase();
}
