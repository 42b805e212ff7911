import type { CartMove, CartView, CommandView } from '../../carts/command/model.js';
import type { LinksView, TrialNote } from '../../carts/control/sse-events.js';
import { cartRow, type Value } from '../../carts/labels/cart-rows.js';
import { cameraName, controllerName, moreStopped, STOPPED_SHOWN } from '../../carts/labels/fleet-labels.js';
import {
  brokerText,
  cameraText,
  linkText,
  mayReset,
  safetySentence,
  safetyTone,
} from '../../carts/labels/labels.js';
import { cartLabel, pendingSentence } from '../../carts/labels/stop-labels.js';
import { type LightView, type StatusText, timeOfDay, upperFirst } from '../../i18n/format.js';
import { LANGUAGES, type Language, language } from '../../i18n/language.js';
import { translated } from '../../i18n/messages.js';
import { t } from '../../i18n/page-text.js';
import { trialText } from '../labels/fault-texts.js';
import { type CartChoice, cartChoice, othersMoving, withCart } from './selected-cart.js';

/** Who looks at a page. It decides what is offered; what may be done is decided at the door. */
export interface Visitor {
  /** Empty for nobody in particular, on a trusted network. */
  name: string;
  role: string;
  /** Somebody who has logged in. */
  isPerson: boolean;
  mayDrive: boolean;
  /** As commands and stops have it. */
  principal: string;
}

/** What every page knows: given by the gateway at the moment of the request. */
export interface LayoutData {
  gateway: { name: string; cartID: number; fleet: string; simulated: boolean; version: string };
  links: LinksView;
  carts: CartView[];
  /** Nobody logs in: anybody on this network may drive. */
  trustedLan: boolean;
  /** Whether the wall clock was set from a time server; missing when that is not known. */
  clockSynced?: boolean | undefined;
  /** A change of the settings that waits to be confirmed. */
  trial?: TrialNote | undefined;
  /** Missing for somebody who has not logged in, who is shown nothing of the carts. */
  visitor?: Visitor | undefined;
  /** Path and query of the page that is asked for. */
  here?: string;
  /** The cart that the operator has selected; missing when none was, which means the own one. */
  selectedID?: number | undefined;
  /** What the address has for a cart that is not known here. */
  unknownCart?: string | undefined;
  /** The carts that are moved through this gateway. */
  moves?: readonly CartMove[];
}

interface Light extends LightView {
  key: 'controller' | keyof LinksView;
  name: string;
}

interface SafetyLine extends StatusText {
  cartID: number;
  name: string;
  /** The name with the number. */
  label: string;
  simulated: boolean;
  latched: boolean;
  /** A reset from this page would be taken now. */
  mayReset: boolean;
  /** The stop that a reset on this page is meant for; empty when there is none. */
  stoppedAt: string;
}

/** The layout around every page. */
export interface LayoutContext {
  language: Language;
  /** The other languages, each by its own name. */
  otherLanguages: { code: string; name: string }[];
  /** Where to come back to with another language. */
  here: string;
  title: string;
  page: string;
  gateway: LayoutData['gateway'];
  nav: { href: string; text: string; current: boolean }[];
  accountHref: string;
  lights: Light[];
  battery: Value;
  /** The selected cart: Stop stops it, and the sentence speaks of it. */
  safety: SafetyLine;
  /** The selected cart was chosen by the operator: it goes into every link. */
  isChosen: boolean;
  /** The switch of the selected cart; null when there is one cart only. */
  cartChoice: CartChoice | null;
  /** What the address has for a cart that is not known here; empty when all is well. */
  unknownCart: string;
  /** Other carts that this operator moves. */
  alsoMoving: { cartID: number; label: string }[];
  /** With the cart that it belongs to, when another one is selected. */
  cameraName: string;
  /** Other carts that stand latched: said on every page as well. */
  alsoStopped: SafetyLine[];
  /** Names the carts that have not confirmed a stop; empty when there are none. */
  stopPending: string;
  /** Says that there are still more; empty when there are not. */
  moreStopped: string;
  trustedLan: boolean;
  trial: { id: string; words: string } | null;
  /** The times on the page may be wrong. */
  clockUnset: boolean;
  visitor: Visitor;
  /** Whether the page may show anything of the carts. */
  isKnown: boolean;
  /** When this page was made, for readers without scripts. */
  madeAt: string;
}

/** The pages, and whether they are for those who may drive. */
const nav = () =>
  [
    { page: 'drive', href: '/', text: t`Drive`, forDrivers: false },
    { page: 'fleet', href: '/fleet', text: t`Fleet`, forDrivers: false },
    { page: 'camera', href: '/cameraSettings', text: t`Camera`, forDrivers: true },
    { page: 'beacons', href: '/map', text: t`Beacons`, forDrivers: false },
    { page: 'settings', href: '/brokerSettings', text: t`Settings`, forDrivers: true },
    { page: 'shop', href: '/shop', text: t`Shop`, forDrivers: false },
    { page: 'system', href: '/system', text: t`System`, forDrivers: true },
  ] as const;
const NOBODY: Visitor = { name: '', role: '', isPerson: false, mayDrive: false, principal: '' };

interface LayoutOptions {
  title: string;
  page: ReturnType<typeof nav>[number]['page'] | 'account' | 'error';
  selectedID?: number | undefined;
  commands?: readonly CommandView[];
  nowMs?: number;
}

/** The part of the context that every page shares. */
export function layoutContext(layout: LayoutData, options: LayoutOptions): LayoutContext {
  const { gateway, carts, visitor = NOBODY } = layout;
  const own = carts.find(({ cartID }) => cartID === gateway.cartID);
  const chosenID = options.selectedID ?? layout.selectedID;
  const chosen = carts.find(({ cartID }) => cartID === chosenID);
  const selected = chosen ?? own ?? carts[0];
  const isChosen = chosen !== undefined && carts.length > 1;
  const link = (path: string): string => (isChosen ? withCart(path, chosen.cartID) : path);
  const here = link(layout.here ?? '/');
  const ownLabel = own && selected !== own ? cartLabel(own) : '';
  const lines = carts.map((cart) => safetyLine(cart, runningOf(cart, options.commands), visitor.mayDrive));
  const stopped = lines.filter(({ cartID, latched }) => latched && cartID !== selected?.cartID);
  return {
    language: language(),
    otherLanguages: Object.entries(LANGUAGES)
      .filter(([code]) => code !== language())
      .map(([code, name]) => ({ code, name })),
    here,
    title: options.title,
    page: options.page,
    gateway,
    nav: nav()
      .filter(({ forDrivers }) => visitor.mayDrive || !forDrivers)
      .map(({ page, href, text }) => ({
        ...{ href: link(href), text, current: page === options.page },
      })),
    accountHref: link('/account'),
    lights: lightsOf(layout, own, ownLabel),
    battery: selected ? cartRow(selected).battery : { n: '–', u: '' },
    safety: lines.find(({ cartID }) => cartID === selected?.cartID) ?? noCart(gateway.cartID),
    isChosen,
    cartChoice: selected && carts.length > 1 ? cartChoice(carts, selected.cartID, here) : null,
    unknownCart: layout.unknownCart ?? '',
    alsoMoving: othersMoving(layout.moves ?? [], visitor.principal, selected?.cartID),
    cameraName: cameraName(ownLabel),
    alsoStopped: stopped.slice(0, STOPPED_SHOWN),
    stopPending: pendingSentence(carts),
    moreStopped: moreStopped(stopped.length),
    trustedLan: layout.trustedLan,
    trial: layout.trial ? { id: layout.trial.id, words: trialText(layout.trial) } : null,
    clockUnset: layout.clockSynced === false,
    visitor,
    isKnown: layout.visitor !== undefined,
    madeAt: timeOfDay(options.nowMs ?? Date.now()),
  };
}

function safetyLine(cart: CartView, running: CommandView | undefined, isDriver: boolean): SafetyLine {
  const { cartID, name, simulated } = cart;
  const { emergencyStop, stoppedAt = '' } = cart.safety;
  const latched = emergencyStop !== 'NONE';
  const status = { tone: safetyTone(cart), text: safetySentence(cart, running, isDriver) };
  const label = cartLabel(cart);
  return { cartID, name, label, simulated, latched, mayReset: mayReset(cart), stoppedAt, ...status };
}

function noCart(cartID: number): SafetyLine {
  const text = t`Nothing is known of the cart yet`;
  return {
    cartID,
    name: t`Cart ${cartID}`,
    label: t`Cart ${cartID}`,
    simulated: false,
    latched: false,
    mayReset: false,
    stoppedAt: '',
    tone: 'warn',
    text,
  };
}

/** The command that a cart is busy with, or was last, when the page knows it. */
export function runningOf(cart: CartView, commands: readonly CommandView[] = []): CommandView | undefined {
  return commands.find(({ commandId }) => commandId === cart.commandId);
}

/** @param ownLabel the cart that they belong to, when another one is selected. */
function lightsOf({ links }: LayoutData, own: CartView | undefined, ownLabel: string): Light[] {
  const { link } = own ?? {};
  return [
    {
      key: 'controller',
      name: controllerName(ownLabel),
      ...linkText(link),
      reason: link ? upperFirst(translated(link.reason)) : t`This gateway has no motor controller`,
      simulated: link?.simulated ?? false,
    },
    {
      key: 'broker',
      name: t`Broker`,
      ...brokerText(links.broker),
      reason: links.broker.connected ? links.broker.url : upperFirst(translated(links.broker.reason)),
      simulated: false,
    },
    { key: 'camera', name: cameraName(ownLabel), ...cameraText(links.camera) },
  ];
}
