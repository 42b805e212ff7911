import {
  type CartView,
  cartLabel,
  cartLabels,
  type DuplicateCart,
  type FleetRow,
  type FleetState,
} from '../../carts/pure.js';
import {
  dataAgeText,
  metres,
  type Severity,
  sentence,
  shownCount,
  timeOfDay,
  upperFirst,
} from '../../i18n/format.js';
import { decimal, hasDecimalComma } from '../../i18n/language.js';
import { begun, principalName, translated } from '../../i18n/messages.js';
import { t } from '../../i18n/shared-text.js';
import { isUsualReset, usualResetStep } from './labels.js';

export function fleetStateText(state: FleetState): string {
  const texts: Record<FleetState, string> = {
    stopped: t('Stopped'),
    offline: t('Offline'),
    refusing: t('Cannot move'),
    faulty: t('Fault'),
    moving: t('Moving'),
    ready: t('Ready'),
  };
  return texts[state];
}

const TONES: Record<FleetState, Severity> = {
  stopped: 'stop',
  offline: 'warn',
  refusing: 'warn',
  faulty: 'warn',
  moving: 'live',
  ready: 'quiet',
};

const STOPPED_SHOWN = 10;

/** Returns the number of remote carts with a latched stop that a page shows individually. */
export function stoppedShown(stopped: number): number {
  return shownCount(stopped, STOPPED_SHOWN);
}

/** Counts the carts with a latched stop that the page does not show individually. */
export function moreStopped(stopped: number): string {
  const more = stopped - stoppedShown(stopped);
  return more === 0 ? '' : t('{0} more carts stopped', more);
}

/** Returns the heading of the initially closed list of the carts with a latched stop that are not selected. */
export function otherStopped(carts: readonly Pick<CartView, 'cartID' | 'name'>[]): string {
  return t('Other stopped carts: {0}', cartLabels(carts));
}

/** @param cart label of this gateway's cart while another cart is selected; otherwise empty. */
export function cameraName(cart: string): string {
  return cart === '' ? t('Camera') : t('{0} camera', cart);
}

export function controllerName(cart: string): string {
  return cart === '' ? t('Controller') : t('{0} controller', cart);
}

/**
 * Returns the heading of the list of carts with a latched stop; empty if no stop is latched.
 * @param total number of carts, including those that are not stopped.
 */
export function estopHeading(latched: readonly CartView[], total: number): string {
  const [first] = latched;
  if (!first) return '';
  if (latched.length === 1) return t('1 cart stopped');
  const { pressId, stoppedBy = '', stoppedAt } = first.safety;
  const isOnePress = latched.every(
    ({ safety }) => safety.emergencyStop === 'REMOTE' && safety.pressId === pressId,
  );
  const by = principalName(stoppedBy);
  return isOnePress && pressId && latched.length === total && by !== '' && stoppedAt
    ? t('All carts stopped by {0} at {1}', by, timeOfDay(stoppedAt))
    : t('{0} carts stopped', latched.length);
}

/** Returns the next step that applies to the carts with a latched stop; empty unless there are several carts. */
export function estopNext(latched: readonly CartView[], isDriver: boolean): string {
  return latched.length > 1 && latched.some(isUsualReset)
    ? sentence(upperFirst(usualResetStep(isDriver)))
    : '';
}

/** Names the simulated parts of this gateway; empty if there are none. */
export function simulatedParts(controller: boolean, camera: boolean): string {
  if (controller && camera) return t('motor controller and camera');
  return controller ? t('motor controller') : camera ? t('camera') : '';
}

/** Completes a sentence that begins with a moving cart's name. */
export function motionNow(isNow: boolean): string {
  return isNow ? t('is moving') : t('was moving');
}

export interface FleetDuplicate {
  cartID: number;
  text: string;
}

export function fleetDuplicate({ cartID, reason }: DuplicateCart): FleetDuplicate {
  return { cartID, text: sentence(begun(reason)) };
}

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
  sitePlan: string;
}

/** @param ageMs time in ms since the cart's last report; null if the cart has never reported. */
export function fleetLine(row: FleetRow, ageMs: number | null): FleetLine {
  const { cartID, name, state, soc, batteryMv, xMm, yMm, stopPending } = row;
  const speed = state === 'moving' && row.speedMmps !== 0 ? `${metres(Math.abs(row.speedMmps))}/s` : '';
  const why = stopPending ? t('stop not confirmed, retrying') : translated(row.why) || speed;
  const tone = stopPending ? 'stop' : TONES[state];
  const voltage = batteryMv === null ? '–' : `${decimal(batteryMv / 1000, 1)} V`;
  return {
    cartID,
    name,
    label: cartLabel(row),
    tone,
    state: fleetStateText(state),
    why: upperFirst(why),
    battery: soc === null ? voltage : `${soc} %`,
    position:
      xMm === null || yMm === null ? '–' : [xMm, yMm].map(metres).join(hasDecimalComma() ? '; ' : ', '),
    age: ageMs === null ? t('never') : dataAgeText(ageMs),
    sitePlan: sitePlanText(row.sitePlan),
  };
}

function sitePlanText(sitePlan: FleetRow['sitePlan']): string {
  if (!sitePlan) return t('none');
  if (sitePlan.state === 'NONE') return t('no plan yet');
  const { version, state } = sitePlan;
  const texts: Record<typeof state, string> = {
    CURRENT: t('version {0}', version),
    OUTDATED: t('version {0}, not current', version),
    NEEDS_REVIEW: t('version {0}, to be confirmed', version),
    OTHER_FLOOR_PLAN: t('version {0}, other floor plan', version),
    REFUSED: t('version {0}, refuses an older one', version),
  };
  return texts[state];
}
