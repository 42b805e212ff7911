import type { CartView } from '../../carts/command/model.js';
import { type Text, textOf } from '../../shared/messages/message.js';
import type { Cancel } from '../../shared/ports/clock.js';
import type { StoreStatus } from '../../shared/ports/store.js';
import { type HealthCheck, ignoreUntilHealthy, Watchdog } from '../../system/health/watchdog.js';
import type { CoreServices } from '../core-services.js';

/** A disk may be busy for seconds; a writer that owes an answer for longer hangs. */
const WRITER_SILENT_MS = 10_000;

type Used = 'supervisor' | 'clock' | 'log' | 'closers' | 'isStopOnly';

/** What is told of, and to whom. */
interface SupervisedParts extends Pick<CoreServices, Used> {
  store: { status(): Pick<StoreStatus, 'writerSilentMs'> };
  cart: {
    readonly cartId: number;
    readonly loopFault: Text;
    view(): { safety: Pick<CartView['safety'], 'input' | 'mayMove' | 'reason'> };
    onTurn(listener: () => void): Cancel;
  };
}

/** Tells whoever watches over this process that it serves, and from then on that it is alive. */
export function reportToSupervisor(parts: SupervisedParts, url: string): void {
  const { supervisor, store, cart, clock, log, closers, isStopOnly } = parts;
  const estopInput: HealthCheck = () =>
    cart.view().safety.input === 'unavailable' ? 'the emergency-stop input cannot be read' : '';
  const writer: HealthCheck = () => {
    const { writerSilentMs } = store.status();
    return writerSilentMs > WRITER_SILENT_MS ? 'the store writer does not answer' : '';
  };
  const status = (): string => {
    const { mayMove, reason } = cart.view().safety;
    const mode = isStopOnly ? 'Stop-only mode, serving at' : 'Serving at';
    return `${mode} ${url} ; cart ${cart.cartId} may ${mayMove ? 'move' : `not move: ${reason}`}`;
  };
  const healthChecks = [() => textOf(cart.loopFault), writer, ignoreUntilHealthy(estopInput)];
  const watchdog = new Watchdog({ supervisor, healthChecks, status, clock, log });
  closers.defer(
    'watchdog',
    cart.onTurn(() => watchdog.turn()),
  );
  supervisor.ready(status());
}
