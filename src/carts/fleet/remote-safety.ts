import { type Actor, actorOf, UNKNOWN_ACTOR } from '../../shared/actor.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import { TokenBucket } from '../../shared/token-bucket.js';
import type { CartView } from '../command/model.js';
import type { SafetyEvent } from '../control/estop-control.js';
import { RecordedPresses } from '../safety/press-id.js';
import type { RemoteCartRegistry } from './remote-carts.js';

export interface RemoteSafetyDeps {
  carts: Pick<RemoteCartRegistry, 'cart' | 'onChange'>;
  onReset: (listener: (cartId: number, by: Actor) => void) => Cancel;
  /** @param key identical for all reports of one event, even after a restart of this gateway. */
  record: (event: SafetyEvent, seen: { key: string; at: number }) => void;
  /** This gateway's ID, which is omitted from events that this gateway caused. */
  gatewayId: string;
  clock: Pick<Clock, 'now' | 'wallTime'>;
}

/**
 * Number of latches and resets that are accepted from a cart in one burst; after that, one per `REFILL_MS` is
 * accepted. A cart that reports more is faulty or hostile; the excess is recorded as repeated.
 */
const BURST = 60;
const REFILL_MS = 60_000;

interface Latched {
  key: string;
  presses: RecordedPresses;
}

/** Records when remote carts latch and reset stops. */
export function watchRemoteSafety({ carts, onReset, record, gatewayId, clock }: RemoteSafetyDeps): Cancel {
  const changesPerCart = new TokenBucket({ burst: BURST, refillMs: REFILL_MS, clock });
  const latches = new Map<number, Latched>();
  const isExcess = (cartID: number): boolean => changesPerCart.take(String(cartID)) > 0;
  const resetters = new Map<number, Actor>();
  const endResets = onReset((cartId, by) => void resetters.set(cartId, by));
  const endChanges = carts.onChange((cartID) => {
    const view = carts.cart(cartID);
    if (!view) return;
    const known = latches.get(cartID);
    const key = latchKey(view, known?.key);
    if (key === known?.key) return;
    const by = resetters.get(cartID) ?? UNKNOWN_ACTOR;
    resetters.delete(cartID);
    if (key === undefined) {
      latches.delete(cartID);
      const seen = { key: `${known?.key}-reset`, at: Math.trunc(clock.wallTime()) };
      const event: SafetyEvent = { cartID, kind: 'estop.reset', by };
      return record(isExcess(cartID) ? { ...event, repeated: true } : event, seen);
    }
    const presses = known?.presses ?? new RecordedPresses();
    latches.set(cartID, { key, presses });
    const { stoppedBy = '', stoppedAt = '', emergencyStop, pressId } = view.safety;
    if (!presses.add(pressId ?? key)) return;
    const at = Date.parse(stoppedAt) || Math.trunc(clock.wallTime());
    const stopper = withoutGateway(actorOf(stoppedBy), gatewayId);
    const event: SafetyEvent = { cartID, kind: 'estop.latched', by: stopper, latch: emergencyStop };
    if (pressId !== undefined) event.pressId = pressId;
    if (known || isExcess(cartID)) event.repeated = true;
    record(event, { key, at });
  });
  return () => {
    endResets();
    endChanges();
  };
}

/** Removes this gateway's ID from an actor, because the names of this gateway's own users do not contain it. */
function withoutGateway(actor: Actor, gatewayId: string): Actor {
  if (actor.via !== gatewayId) return actor;
  const { via: _own, ...rest } = actor;
  return rest;
}

/** Identifies the latched stop; undefined if no stop is latched. */
function latchKey({ cartID, safety }: CartView, known: string | undefined): string | undefined {
  const { emergencyStop, stoppedAt } = safety;
  if (emergencyStop === 'NONE') return undefined;
  // Other manufacturers' carts do not report the time of a stop.
  return stoppedAt === undefined ? (known ?? `remote-${cartID}-unknown`) : `remote-${cartID}-${stoppedAt}`;
}
