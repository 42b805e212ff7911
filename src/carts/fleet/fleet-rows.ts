import type { Text } from '../../shared/messages/message.js';
import { joined, principalText } from '../../shared/messages/messages.js';
import type { CartSitePlan, CartView } from '../command/model.js';
import type { DuplicateCart } from '../control/contracts.js';
import { cartFaultText } from '../faults/fault-names.js';
import { labelMessage } from '../faults/messages.js';

/** Cart states, most severe first. */
export const FLEET_STATES = ['stopped', 'offline', 'refusing', 'faulty', 'moving', 'ready'] as const;
export type FleetState = (typeof FLEET_STATES)[number];

/** Compact, because a thousand rows may be sent every second. */
export interface FleetRow {
  cartID: number;
  name: string;
  state: FleetState;
  /** The reason for the state; empty for `moving` and `ready`. */
  why: Text;
  simulated: boolean;
  /** Battery charge in % and voltage in mV. */
  soc: number | null;
  batteryMv: number | null;
  xMm: number | null;
  yMm: number | null;
  speedMmps: number;
  /** Time in ms since the cart's last report; null if the cart has never reported. */
  ageMs: number | null;
  stopPending: CartView['stopPending'] | null;
  /** `OUTDATED`: another cart has a newer version. Null if the cart does not share a site plan. */
  sitePlan: { version: number; state: CartSitePlan['state'] | 'OUTDATED' } | null;
}

export interface FleetList {
  counts: Record<FleetState, number>;
  carts: FleetRow[];
  /** The cart numbers that are used by several gateways. */
  duplicates: DuplicateCart[];
}

export function fleetRows(carts: readonly CartView[]): FleetRow[] {
  const newest = Math.max(0, ...carts.map(({ sitePlan }) => sitePlan?.version ?? 0));
  return carts.map((cart) => fleetRow(cart, newest));
}

/** @param newestPlan the highest version of the carts' site plans. */
export function fleetRow(cart: CartView, newestPlan = 0): FleetRow {
  const { cartID, name, simulated, telemetry, pose, ageMs, stopPending = null } = cart;
  const state = fleetState(cart);
  return {
    cartID,
    name,
    state,
    why: whyOf(cart, state),
    simulated,
    soc: telemetry?.soc ?? null,
    batteryMv: telemetry?.batteryMv ?? null,
    xMm: pose ? Math.round(pose.xMm) : null,
    yMm: pose ? Math.round(pose.yMm) : null,
    speedMmps: Math.round(telemetry?.speedMmps ?? 0),
    ageMs,
    stopPending,
    sitePlan: sitePlanOf(cart, newestPlan),
  };
}

function sitePlanOf({ sitePlan }: CartView, newest: number): FleetRow['sitePlan'] {
  if (!sitePlan) return null;
  const { version, state } = sitePlan;
  const isOutdated = version < newest && state !== 'NONE' && state !== 'REFUSED';
  return { version, state: isOutdated ? 'OUTDATED' : state };
}

export function fleetState({ online, moving, safety, faults, telemetry }: CartView): FleetState {
  if (safety.emergencyStop !== 'NONE') return 'stopped';
  if (!online) return 'offline';
  if (!safety.mayMove) return 'refusing';
  if (faults.length > 0 || (telemetry?.faults.length ?? 0) > 0) return 'faulty';
  return moving ? 'moving' : 'ready';
}

export function fleetCounts(states: Iterable<FleetState>): Record<FleetState, number> {
  const counts = { stopped: 0, offline: 0, refusing: 0, faulty: 0, moving: 0, ready: 0 };
  for (const state of states) counts[state] += 1;
  return counts;
}

export function worstFirst(a: FleetRow, b: FleetRow): number {
  return FLEET_STATES.indexOf(a.state) - FLEET_STATES.indexOf(b.state) || a.cartID - b.cartID;
}

function whyOf({ online, reason, safety, faults, telemetry }: CartView, state: FleetState): Text {
  switch (state) {
    case 'moving':
    case 'ready':
      return '';
    case 'faulty':
      return cartFaultText(telemetry?.faults[0] ?? faults[0]?.message ?? '');
    case 'stopped':
      return joined([stopText(safety), ...(online ? [] : [reason])]);
    default:
      return reason || safety.reason;
  }
}

function stopText({ emergencyStop, stoppedBy }: CartView['safety']): Text {
  if (stoppedBy) return labelMessage('stopped-by', { by: principalText(stoppedBy) });
  return labelMessage(emergencyStop === 'MANUAL' ? 'estop-active' : 'reset-needed');
}
