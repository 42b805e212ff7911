import { type CartView, type CommandView, faultTexts, type LinkView } from '../../carts/pure.js';
import { dataAgeText, metres, type StatusText } from '../../i18n/format.js';
import { decimal, language } from '../../i18n/language.js';
import { begun, principalName } from '../../i18n/messages.js';
import { t } from '../../i18n/shared-text.js';
import type { Text } from '../../shared/messages/message.js';
import { safetySentence, safetyTone } from './labels.js';
import { namedFaults, obstacleLabel } from './obstacle-labels.js';

export interface Value {
  n: string;
  u: string;
}

export interface CartRow extends StatusText {
  cartID: number;
  name: string;
  simulated: boolean;
  own: boolean;
  /** Unknown values are shown as a dash. */
  speed: Value;
  heading: Value;
  position: Value;
  battery: Value;
  motors: Value;
  driver: string;
  control: string;
  age: string;
  /** `brief` is the part of `text` before the colon; narrow tables hide the rest (`more`). */
  brief: string;
  more: string;
  /** True if the cart has a protective field. `obstacle` is the nearest obstacle. */
  hasField: boolean;
  obstacle: string;
  faults: string[];
}

const DASH: Value = { n: '–', u: '' };

export function cartRow(cart: CartView, command?: CommandView): CartRow {
  const { telemetry, pose } = cart;
  const text = safetySentence(cart, command);
  // The colon must be followed by a space, so that colons in times such as `14:02` are skipped.
  const end = text.search(/:(?= )/);
  return {
    cartID: cart.cartID,
    name: cart.name,
    simulated: cart.simulated,
    own: cart.destination === 'serial',
    tone: safetyTone(cart),
    text,
    brief: end < 0 ? text : text.slice(0, end),
    more: end < 0 ? '' : text.slice(end),
    speed: telemetry ? { n: twoPlaces(telemetry.speedMmps), u: 'm/s' } : DASH,
    heading: pose ? { n: `${whole(pose.headingDeg)}°`, u: '' } : DASH,
    position: pose ? { n: pairOf(twoPlaces(pose.xMm), twoPlaces(pose.yMm)), u: 'm' } : DASH,
    battery: batteryOf(cart),
    motors: motorsOf(cart),
    driver: cart.link ? `${cart.link.driver}, ${deliveryText(cart.link)}` : t('remote cart (MQTT)'),
    control: principalName(controllerOf(cart, command)) || t('no one'),
    age: cart.ageMs === null ? t('never') : dataAgeText(cart.ageMs),
    hasField: cart.field !== undefined,
    obstacle: obstacleLabel(cart),
    faults: faultTexts(namedFaults(cart)).map((fault) => begun(fault)),
  };
}

export function modeText(cart: CartView, command?: CommandView): string {
  if (!cart.online) return t('Offline');
  if (!cart.moving) return t('Idle');
  return command?.commandId === cart.commandId && command?.kind === 'jog' ? t('Manual drive') : t('Command');
}

function deliveryText({ delivery }: LinkView): string {
  return delivery === 'confirmed' ? t('confirmed') : t('unconfirmed');
}

function batteryOf({ telemetry }: CartView): Value {
  if (telemetry && telemetry.soc !== null) return { n: String(telemetry.soc), u: '%' };
  if (telemetry && telemetry.batteryMv !== null) return { n: decimal(telemetry.batteryMv / 1000, 1), u: 'V' };
  return DASH;
}

function motorsOf({ telemetry }: CartView): Value {
  const temps = [telemetry?.tempM1C, telemetry?.tempM2C].filter((c) => c !== null && c !== undefined);
  return temps.length > 0 ? { n: whole(Math.max(...temps)), u: '°C' } : DASH;
}

/** Returns the user or API key that controls a cart; empty if no one does. */
export function controllerOf(cart: CartView, command: CommandView | undefined): Text {
  return cart.controlledBy ?? drivenBy(cart, command) ?? '';
}

/** Returns the user or API key that started the current motion, even if the control lease has ended. */
function drivenBy({ moving, commandId }: CartView, command: CommandView | undefined): Text | undefined {
  if (!moving) return undefined;
  return command?.commandId === commandId ? command?.origin.principal : t('unknown');
}

function whole(value: number): string {
  return decimal(Math.round(value), 0);
}

/** Joins two numbers; in Dutch with a semicolon, because the decimal separator is a comma. */
function pairOf(one: string, other: string): string {
  return [one, other].join(language() === 'nl' ? '; ' : ', ');
}

/** Converts mm to metres without a unit; never returns `-0.00`. */
function twoPlaces(mm: number): string {
  return metres(mm).replace(/ m$/, '');
}
