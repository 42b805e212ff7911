import type { CartView } from '../../carts/index.js';
import { type Text, textOf } from '../../shared/messages/message.js';
import type { Cancel } from '../../shared/ports/clock.js';
import type { StoreStatus } from '../../shared/ports/store.js';
import { type HealthCheck, ignoreUntilHealthy, ignoreUntilLasting, Watchdog } from '../../system/index.js';
import type { AppContext } from '../context.js';

/** A writer thread blocked for longer counts as hung; a busy disk can block the thread for seconds. */
const MAX_WRITER_SILENT_MS = 10_000;
/**
 * On a busy machine, for example while it boots, every cycle of the control loop may be late. A late cycle stops a moving
 * cart; a restart would only add to the load, and after three restarts the gateway would accept no motion. If the loop is
 * late for longer, the cause may be the process itself.
 */
const MAX_LATE_MS = 60_000;

type SupervisionServices = Pick<AppContext, 'supervisor' | 'clock' | 'log' | 'isStopOnly'> & {
  store: { status(): Pick<StoreStatus, 'writerSilentMs'> };
};

interface SupervisionModules {
  ownCart: {
    cart: {
      readonly cartId: number;
      readonly loop: { readonly fault: Text; onTurn(listener: () => void): Cancel };
      view(): { safety: Pick<CartView['safety'], 'input' | 'mayMove' | 'reason'> };
    };
  };
  facts: { readonly url: string };
}

/**
 * Reports that the gateway is serving requests, and notifies the supervisor's watchdog until the returned function is
 * called.
 */
export function reportToSupervisor(
  { supervisor, store, clock, log, isStopOnly }: SupervisionServices,
  { ownCart: { cart }, facts: { url } }: SupervisionModules,
): Cancel {
  const estopInput: HealthCheck = () =>
    cart.view().safety.input === 'unavailable' ? 'the E-stop input cannot be read' : '';
  const writer: HealthCheck = () => {
    const { writerSilentMs } = store.status();
    return writerSilentMs > MAX_WRITER_SILENT_MS ? 'the store writer does not respond' : '';
  };
  const status = (): string => {
    const { mayMove, reason } = cart.view().safety;
    const mode = isStopOnly ? 'Stop-only mode, listening on' : 'Serving at';
    return `${mode} ${url} ; cart ${cart.cartId} may ${mayMove ? 'move' : `not move: ${reason}`}`;
  };
  const loop = ignoreUntilLasting(() => textOf(cart.loop.fault), MAX_LATE_MS, clock);
  const healthChecks = [loop, writer, ignoreUntilHealthy(estopInput)];
  const watchdog = new Watchdog({ supervisor, healthChecks, status, clock, log });
  const cancel = cart.loop.onTurn(() => watchdog.turn());
  supervisor.ready(status());
  return cancel;
}
