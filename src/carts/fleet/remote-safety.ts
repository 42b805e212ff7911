import { type Text, textOf } from '../../shared/messages/message.js';
import { principalText } from '../../shared/messages/messages.js';
import type { Cancel } from '../../shared/ports/clock.js';
import type { CartView } from '../command/model.js';
import type { SafetyEvent } from '../control/estop-control.js';
import type { RemoteCartRegistry } from './remote-carts.js';

export interface RemoteSafetyDeps {
  carts: Pick<RemoteCartRegistry, 'cart' | 'onChange'>;
  onReset: (listener: (cartId: number, by: string) => void) => Cancel;
  /** @param key identical for all reports of the same event, even after a restart of this gateway. */
  record: (event: SafetyEvent, seen: { key: string; at: number }) => void;
  /** The id of this gateway, which is omitted from events that this gateway caused. */
  gatewayId: string;
  /** Returns the Unix time in ms. */
  wallTime: () => number;
}

/**
 * The Drive page sends each press on two paths, so a cart may report one press with two times. A second report
 * of the same person's E-stop within this time is not recorded.
 */
const SAME_PRESS_MS = 1000;

interface Recorded {
  by: string;
  /** Unix time in ms. */
  at: number;
}

/** Records E-stop latches and resets of remote carts, as reported in the carts' states. */
export function watchRemoteSafety({ carts, onReset, record, gatewayId, wallTime }: RemoteSafetyDeps): Cancel {
  const latches = new Map<number, string>();
  const recorded = new Map<number, Recorded>();
  const resetters = new Map<number, string>();
  const endResets = onReset((cartId, by) => void resetters.set(cartId, by));
  const endChanges = carts.onChange((cartID) => {
    const view = carts.cart(cartID);
    if (!view) return;
    const known = latches.get(cartID);
    const latch = latchOf(view, known);
    if (latch === known) return;
    const by = resetters.get(cartID) ?? '';
    resetters.delete(cartID);
    if (latch === undefined) {
      latches.delete(cartID);
      recorded.delete(cartID);
      const seen = { key: `${known}-reset`, at: Math.trunc(wallTime()) };
      return record({ cartID, kind: 'estop.reset', by }, seen);
    }
    latches.set(cartID, latch);
    const { stoppedBy = '', stoppedAt = '', emergencyStop } = view.safety;
    const at = Date.parse(stoppedAt) || Math.trunc(wallTime());
    const stopper = withoutGateway(stoppedBy, gatewayId);
    const before = recorded.get(cartID);
    if (before?.by === textOf(stopper) && Math.abs(at - before.at) < SAME_PRESS_MS) return;
    recorded.set(cartID, { by: textOf(stopper), at });
    record({ cartID, kind: 'estop.latched', by: stopper, latch: emergencyStop }, { key: latch, at });
  });
  return () => {
    endResets();
    endChanges();
  };
}

/** Removes ` (gateway <id>)` from a principal if the gateway is this one. */
function withoutGateway(by: Text, gatewayId: string): Text {
  const through = ` (gateway ${gatewayId})`;
  const text = textOf(by);
  return text.endsWith(through) ? principalText(text.slice(0, -through.length)) : by;
}

/** Returns an identifier for the latch, or undefined if the cart's E-stop is not latched. */
function latchOf({ cartID, safety }: CartView, known: string | undefined): string | undefined {
  const { emergencyStop, stoppedAt } = safety;
  if (emergencyStop === 'NONE') return undefined;
  // A cart from another manufacturer does not report when it was stopped.
  return stoppedAt === undefined ? (known ?? `remote-${cartID}-unknown`) : `remote-${cartID}-${stoppedAt}`;
}
