import { type CartMove, type CommandView, cartLabel, type Overview } from '../../carts/index.js';
import type { Visitor } from '../../http/guard/principal.js';
import { mostSevere, type Severity, timeOfDay, timeZone } from '../../i18n/format.js';
import { LANGUAGES, type Language, language } from '../../i18n/language.js';
import { ANONYMOUS_ACTOR, actorName } from '../../shared/actor.js';
import { trialText } from '../labels/fault-texts.js';
import {
  cameraName,
  estopHeading,
  estopNext,
  moreStopped,
  otherStopped,
  simulatedParts,
  stoppedShown,
} from '../labels/fleet-labels.js';
import { pendingSentence } from '../labels/stop-labels.js';
import { locationOf, menuEntries, type PageLink, type PageName } from './page-tree.js';
import { roleText } from './role-text.js';
import { type CartChoice, cartChoice, type MovingLine, othersMoving, withCart } from './selected-cart.js';
import {
  type Light,
  lightsOf,
  noCart,
  runningOf,
  type SafetyLine,
  type StatusFigures,
  safetyLine,
  statusOf,
} from './status-line.js';

/** Data that every page needs, captured at the time of the request. */
export interface LayoutData extends Overview {
  /** Returns the changes on trial in the page's language, such as `Maximum speed: 300 mm/s → 400 mm/s`. */
  trialChanges?: () => string;
  /** Undefined for an anonymous request; the page then shows no cart data. */
  visitor?: Visitor | undefined;
  /** Path and query of the requested page. */
  here?: string;
  /** The cart that the operator selected. Default: the gateway's own cart. */
  selectedID?: number | undefined;
  /** The value of `?cart=` if no cart has this ID. */
  unknownCart?: string | undefined;
  /** Carts that the visitor is moving. */
  ownMoves?: readonly CartMove[];
  /** False if the menu does not contain the shop. */
  hasShop?: boolean;
  /** True if the camera view on the Drive page can show markers. */
  hasMarkers?: boolean;
}

export interface LayoutContext {
  language: Language;
  /** The gateway's time zone, such as `Europe/Amsterdam`. */
  timeZone: string;
  otherLanguages: { code: string; name: string }[];
  /** Path and query to return to after a form submission. */
  here: string;
  title: string;
  /** The top-level page that this page is or belongs to. */
  page: PageName | '';
  /** The pages above this page, highest first. Null for a top-level page. */
  crumbs: { parents: PageLink[] } | null;
  /** Browser title: the page's title, then the titles of the pages above it. */
  windowTitle: string;
  gateway: LayoutData['gateway'];
  nav: { href: string; text: string; icon: string; current: boolean }[];
  accountHref: string;
  lights: Light[];
  /** Severity of the most severe status light. */
  connectionsTone: Severity;
  /** The simulated parts of this gateway; empty if there are none. */
  ribbon: string;
  /** Mode, battery level and data age of the selected cart. */
  status: StatusFigures;
  /** Safety status of the selected cart, which the Stop button stops. */
  safety: SafetyLine;
  /** True if the operator has selected a cart; links then contain the cart's ID. */
  isChosen: boolean;
  /** Null if there is only one cart. */
  cartChoice: CartChoice | null;
  /** The value of `?cart=` if no cart has this ID; otherwise empty. */
  unknownCart: string;
  alsoMoving: MovingLine[];
  /** Name of the camera and of the cart that carries it. */
  cameraName: string;
  alsoStopped: SafetyLine[];
  /** Heading for the carts with a latched stop; empty if there are none. */
  estopHeading: string;
  estopNext: string;
  /** Number of carts with a latched stop. */
  estopCount: number;
  /** A sentence that names the carts that have not confirmed a stop; empty if there are none. */
  stopPending: string;
  /** A sentence about the unlisted carts with a latched stop; empty if there are none. */
  otherStopped: string;
  isOtherSingle: boolean;
  moreStopped: string;
  trustedLan: boolean;
  /** `changes` is empty if the visitor is not permitted to read the settings. */
  trial: { id: string; text: string; changes: string } | null;
  clockUnset: boolean;
  visitor: Visitor;
  /** The visitor's name in events and in the views of carts. */
  principal: string;
  visitorRole: string;
  isKnown: boolean;
  /** When the page was rendered; shown if JavaScript is off. */
  madeAt: string;
}

const ANONYMOUS: Visitor = { name: '', role: '', isPerson: false, mayDrive: false, actor: ANONYMOUS_ACTOR };

interface LayoutOptions {
  /** Undefined for a page that is not in the page tree, such as the login page. */
  page?: PageName;
  /** Title of a page that is not in the page tree; `page` is its parent. */
  title?: string;
  selectedID?: number | undefined;
  commands?: readonly CommandView[];
  nowMs?: number;
}

export function layoutContext(layout: LayoutData, options: LayoutOptions): LayoutContext {
  const { gateway, carts, visitor = ANONYMOUS } = layout;
  const own = carts.find(({ cartID }) => cartID === gateway.cartID);
  const chosenID = options.selectedID ?? layout.selectedID;
  const chosen = carts.find(({ cartID }) => cartID === chosenID);
  const selected = chosen ?? own ?? carts[0];
  const isChosen = chosen !== undefined && carts.length > 1;
  const { title, section, parents } = locationOf(options.page, options.title);
  const link = (path: string): string => (isChosen ? withCart(path, chosen.cartID) : path);
  const here = link(layout.here ?? '/');
  const ownLabel = own && selected !== own ? cartLabel(own) : '';
  const lights = lightsOf(layout.links, own, ownLabel);
  const latched = carts.filter(({ safety }) => safety.emergencyStop !== 'NONE');
  const lines = carts.map((cart) =>
    safetyLine(cart, runningOf(cart, options.commands), visitor.mayDrive, latched.length > 1),
  );
  const stopped = lines.filter(({ cartID, latched }) => latched && cartID !== selected?.cartID);
  return {
    language: language(),
    timeZone: timeZone(),
    otherLanguages: Object.entries(LANGUAGES)
      .filter(([code]) => code !== language())
      .map(([code, name]) => ({ code, name })),
    here,
    title,
    page: section,
    crumbs:
      layout.visitor && parents.length > 0
        ? { parents: parents.map(({ href, title }) => ({ href: link(href), title })) }
        : null,
    windowTitle: [title, ...parents.map((parent) => parent.title).toReversed()].join(' – '),
    gateway,
    nav: menuEntries(visitor.mayDrive)
      .filter(({ page }) => page !== 'shop' || layout.hasShop !== false)
      .map(({ page, href, title: text }) => ({
        href: link(href),
        text,
        icon: page,
        current: page === section,
      })),
    accountHref: link('/account'),
    lights,
    connectionsTone: mostSevere(lights),
    ribbon: simulatedParts(own?.link?.simulated ?? gateway.simulated, layout.links.camera.simulated),
    status: selected
      ? statusOf(selected, options.commands)
      : { mode: '', battery: { n: '–', u: '' }, age: '' },
    safety: lines.find(({ cartID }) => cartID === selected?.cartID) ?? noCart(gateway.cartID),
    isChosen,
    cartChoice: selected && carts.length > 1 ? cartChoice(carts, selected.cartID, here) : null,
    unknownCart: layout.unknownCart ?? '',
    alsoMoving: othersMoving(layout.ownMoves ?? [], selected?.cartID, carts),
    cameraName: cameraName(own ? cartLabel(own) : ''),
    otherStopped: otherStopped(stopped),
    isOtherSingle: stopped.length < 2,
    alsoStopped: stopped.slice(0, stoppedShown(stopped.length)),
    estopHeading: estopHeading(latched, carts.length),
    estopNext: estopNext(latched, visitor.mayDrive),
    estopCount: latched.length,
    stopPending: pendingSentence(carts),
    moreStopped: moreStopped(stopped.length),
    trustedLan: layout.trustedLan,
    // As with `GET /variables.json`, only operators can see the settings and who changed them.
    trial:
      layout.trial && visitor.mayDrive
        ? {
            id: layout.trial.id,
            text: trialText(layout.trial),
            changes: layout.trialChanges?.() ?? '',
          }
        : null,
    clockUnset: layout.clockSynced === false,
    visitor,
    principal: actorName(visitor.actor),
    visitorRole: roleText(visitor.role),
    isKnown: layout.visitor !== undefined,
    madeAt: timeOfDay(options.nowMs ?? Date.now()),
  };
}
