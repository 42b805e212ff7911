import { ageText, metres, type Severity, upperFirst } from '../../i18n/format.js';
import { decimal } from '../../i18n/language.js';
import { translated } from '../../i18n/messages.js';
import { t } from '../../i18n/shared-text.js';
import type { FleetRow, FleetState } from './fleet-rows.js';
import { cartLabel } from './stop-labels.js';

/** What the fleet page says: on the server for the first lines, in the page for all that come. */

/** A state in a word. */
export function fleetStateText(state: FleetState): string {
  const words: Record<FleetState, string> = {
    stopped: t`E-stop latched`,
    offline: t`Offline`,
    refusing: t`Cannot move`,
    faulty: t`Fault`,
    moving: t`Moving`,
    ready: t`Ready`,
  };
  return words[state];
}

const TONES: Record<FleetState, Severity> = {
  stopped: 'stop',
  offline: 'warn',
  refusing: 'warn',
  faulty: 'warn',
  moving: 'live',
  ready: 'quiet',
};

/** Other carts that stand latched are named on every page; more than these would leave no room for the page. */
export const STOPPED_SHOWN = 3;

/** That still more stand latched; empty when all are named. */
export function moreStopped(stopped: number): string {
  const more = stopped - STOPPED_SHOWN;
  if (more <= 0) return '';
  return more === 1 ? t`E-stop latched on 1 more cart` : t`E-stop latched on ${more} more carts`;
}

/** The camera belongs to one cart: to which is shown while another cart is selected. */
export function cameraName(cart: string): string {
  return cart === '' ? t`Camera` : t`Camera of ${cart}`;
}

export function controllerName(cart: string): string {
  return cart === '' ? t`Controller` : t`Controller of ${cart}`;
}

/** One line, ready to be shown. */
export interface FleetLine {
  cartID: number;
  name: string;
  label: string;
  tone: Severity;
  state: string;
  why: string;
  battery: string;
  position: string;
  age: string;
}

/** @param ageMs since the cart's last word, now; null = never heard. */
export function fleetLine(row: FleetRow, ageMs: number | null): FleetLine {
  const { cartID, name, state, soc, batteryMv, xMm, yMm, stopPending } = row;
  const why = stopPending ? t`stop not confirmed, retrying` : translated(row.why);
  const tone = stopPending ? 'stop' : TONES[state];
  const voltage = batteryMv === null ? '–' : `${decimal(batteryMv / 1000, 1)} V`;
  return {
    ...{ cartID, name, label: cartLabel(row), tone, state: fleetStateText(state), why: upperFirst(why) },
    battery: soc === null ? voltage : `${soc} %`,
    position: xMm === null || yMm === null ? '–' : `${metres(xMm)}, ${metres(yMm)}`,
    age: ageMs === null ? t`never` : ageText(ageMs),
  };
}
