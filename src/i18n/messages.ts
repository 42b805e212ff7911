import { ACCESS_MESSAGES } from '../locales/nl/access.js';
import { ALARM_MESSAGES } from '../locales/nl/alarms.js';
import { CAMERA_MESSAGES } from '../locales/nl/camera.js';
import { CART_MESSAGES } from '../locales/nl/carts/carts.js';
import { FIRMWARE_MESSAGES } from '../locales/nl/carts/firmware.js';
import { FLEET_MESSAGES } from '../locales/nl/carts/fleet.js';
import { SAFETY_MESSAGES } from '../locales/nl/carts/safety.js';
import { SERIAL_MESSAGES } from '../locales/nl/carts/serial.js';
import { HTTP_MESSAGES } from '../locales/nl/http.js';
import { BROKER_MESSAGES } from '../locales/nl/mqtt.js';
import { LIVE_NAVIGATION_MESSAGES } from '../locales/nl/navigation.js';
import { PLAN_MESSAGES } from '../locales/nl/plan.js';
import { RESTORE_MESSAGES } from '../locales/nl/restore.js';
import { SECTION_MESSAGES, SETTINGS_MESSAGES } from '../locales/nl/settings.js';
import { SHARED_MESSAGES } from '../locales/nl/shared.js';
import { STORE_MESSAGES } from '../locales/nl/store.js';
import { SYSTEM_MESSAGES } from '../locales/nl/system/system.js';
import { TLS_MESSAGES } from '../locales/nl/system/tls.js';
import { type Actor, actorText } from '../shared/actor.js';
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

/** The messages that page scripts translate, because events contain them. The server adds all others. */
const known = merged(
  ACCESS_MESSAGES,
  ALARM_MESSAGES,
  BROKER_MESSAGES,
  CAMERA_MESSAGES,
  CART_MESSAGES,
  FIRMWARE_MESSAGES,
  FLEET_MESSAGES,
  PLAN_MESSAGES,
  HTTP_MESSAGES,
  LIVE_NAVIGATION_MESSAGES,
  RESTORE_MESSAGES,
  SAFETY_MESSAGES,
  SECTION_MESSAGES,
  SERIAL_MESSAGES,
  SETTINGS_MESSAGES,
  SHARED_MESSAGES,
  STORE_MESSAGES,
  SYSTEM_MESSAGES,
  TLS_MESSAGES,
);

export const DUTCH_MESSAGES: Vocabulary = known;

export function addMessages(messages: Vocabulary): void {
  Object.assign(known, messages);
}

/** Translates a text into the current language. A string that has no code or no translation stays in English. */
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

/** Returns the actor's name in the current language. */
export function actorLabel(actor: Actor): string {
  return translated(actorText(actor));
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
