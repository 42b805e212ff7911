import type { CartSample, TargetRules } from '../../../../beacons/pure.js';
import type { CartView } from '../../../../carts/pure.js';
import { lowerFirst } from '../../../../i18n/format.js';
import { principalName } from '../../../../i18n/messages.js';
import { driveLockReason, outdatedReason } from '../../../browser/commands/drive-lock.js';
import type { StateStore } from '../../../browser/live/state-store.js';
import { DRIVE_TO_TEXTS } from './texts.js';

export interface PageRules extends TargetRules {
  /** Fingerprint of the command units. */
  meaning: string;
  /** True if a command's numbers are keys of presets, not amounts. */
  isTable: boolean;
  isSteered: boolean;
}

export function rulesIn(form: HTMLElement): PageRules {
  const { dataset } = form;
  return {
    meaning: dataset.meaning ?? '',
    isTable: dataset.units === 'table',
    isSteered: dataset.drive === 'ackermann',
    mmPerUnit: Number(dataset.mmPerUnit),
    maxMm: Number(dataset.maxMm),
    degPerUnit: Number(dataset.degPerUnit),
    maxDeg: Number(dataset.maxDeg),
  };
}

/**
 * Returns why the selected cart must not be driven or placed from the map, or an empty string. The
 * gateway also checks these conditions when it receives the command.
 */
export function lockReason(state: StateStore, rules: PageRules): string {
  const { selected: cart, own } = state;
  if (rules.isTable) return DRIVE_TO_TEXTS.presetKeys;
  if (rules.isSteered) return DRIVE_TO_TEXTS.steered;
  if (!cart || cart.cartID !== own?.cartID) return DRIVE_TO_TEXTS.onlyOwn(own?.name ?? '');
  const lock = driveLockReason(state) || outdatedReason(state, rules.meaning);
  if (lock !== '') return lowerFirst(lock);
  if (!cart.pose) return DRIVE_TO_TEXTS.noOdometry(cart.name);
  if (cart.moving) return DRIVE_TO_TEXTS.isMoving(cart.name);
  const { controlledBy = '' } = cart;
  // The events contain only names. The gateway compares the actors when it receives the command.
  const isOther = controlledBy !== '' && controlledBy !== document.body.dataset.principal;
  return isOther ? DRIVE_TO_TEXTS.controlledBy(principalName(controlledBy)) : '';
}

export function sampleOf(state: StateStore, cart: CartView | undefined): CartSample {
  return {
    atMs: performance.now(),
    odometer: cart?.pose,
    session: `${state.restartedAt ?? ''} ${cart?.link?.counters.sessions ?? ''}`,
    isStopped: cart !== undefined && cart.safety.emergencyStop !== 'NONE',
    ageMs: cart ? state.ageMs(cart.cartID) : null,
  };
}
