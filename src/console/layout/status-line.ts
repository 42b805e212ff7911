import { type CartView, type CommandView, cartLabel, type LinksView } from '../../carts/index.js';
import type { LightView, StatusText } from '../../i18n/format.js';
import { begun } from '../../i18n/messages.js';
import { t } from '../../i18n/page-text.js';
import { cartRow, modeText, type Value } from '../labels/cart-rows.js';
import { cameraName, controllerName } from '../labels/fleet-labels.js';
import { brokerText, cameraText, linkText, mayReset, safetySentence, safetyTone } from '../labels/labels.js';

export interface Light extends LightView {
  key: 'controller' | keyof LinksView;
  name: string;
}

export interface SafetyLine extends StatusText {
  cartID: number;
  name: string;
  /** The cart's name and ID. */
  label: string;
  latched: boolean;
  /** True if the gateway would accept a reset. */
  mayReset: boolean;
  /** Identifies the latched stop that the page's Reset button resets, if any. */
  stoppedAt: string;
}

export interface StatusFigures {
  mode: string;
  battery: Value;
  age: string;
}

/** @param isListed true if a heading states the usual next step; see `safetySentence`. */
export function safetyLine(
  cart: CartView,
  running: CommandView | undefined,
  isDriver: boolean,
  isListed = false,
): SafetyLine {
  const { cartID, name } = cart;
  const { emergencyStop, stoppedAt = '' } = cart.safety;
  const latched = emergencyStop !== 'NONE';
  const status = { tone: safetyTone(cart), text: safetySentence(cart, running, isDriver, isListed) };
  const label = cartLabel(cart);
  return { cartID, name, label, latched, mayReset: mayReset(cart), stoppedAt, ...status };
}

export function statusOf(cart: CartView, commands: readonly CommandView[] | undefined): StatusFigures {
  const { battery, age } = cartRow(cart);
  return { mode: modeText(cart, runningOf(cart, commands)), battery, age };
}

/** Returns the status line of a gateway whose cart has sent no data. */
export function noCart(cartID: number): SafetyLine {
  const text = t('No data received from the cart yet');
  return {
    cartID,
    name: t('Cart {0}', cartID),
    label: t('Cart {0}', cartID),
    latched: false,
    mayReset: false,
    stoppedAt: '',
    tone: 'warn',
    text,
  };
}

/** Returns a cart's current or last command if `commands` contains it. */
export function runningOf(cart: CartView, commands: readonly CommandView[] = []): CommandView | undefined {
  return commands.find(({ commandId }) => commandId === cart.commandId);
}

/** @param ownLabel label of the gateway's own cart, if a different cart is selected. */
export function lightsOf(links: LinksView, own: CartView | undefined, ownLabel: string): Light[] {
  const { link } = own ?? {};
  return [
    {
      key: 'controller',
      name: controllerName(ownLabel),
      ...linkText(link),
      reason: link ? begun(link.reason) : t('This gateway has no motor controller'),
      simulated: link?.simulated ?? false,
    },
    {
      key: 'broker',
      name: t('MQTT'),
      ...brokerText(links.broker),
      reason: links.broker.connected ? links.broker.url : begun(links.broker.reason),
      simulated: false,
    },
    { key: 'camera', name: cameraName(ownLabel), ...cameraText(links.camera) },
  ];
}
