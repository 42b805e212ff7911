import { saidBy } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import { principalText, span } from '../../shared/messages/messages.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Command } from '../command/command.js';
import type { Reason } from '../command/model.js';
import { cartMessage } from '../messages.js';
import type { AckMessage, Basis } from '../mqtt/messages/schema.js';
import type { StateMessage } from '../mqtt/messages/state-schema.js';
import { fleetMessage } from './messages.js';

const ACK_MS = 500;
const RESENDS = 2;
/** States of the same session that may leave a running command out before it is given up. */
const MISSES = 2;

type Progress = Pick<AckMessage, 'state' | 'reason' | 'result'>;

interface RemoteCommandDeps {
  command: Command;
  /** The state of the target that it was decided on. */
  basis: Basis;
  clock: Clock;
  /** Publishes the command (the same again for every resend). */
  publish: () => Promise<void>;
  /** Tells the target not to start it any more. */
  cancel: () => void;
}

/** Follows one command of another cart: sent until acknowledged, then led by what its cart says, until it has ended. */
export class RemoteCommand {
  readonly command: Command;
  #deps: RemoteCommandDeps;
  #sent = 0;
  #acknowledged = false;
  #misses = 0;
  #cancelTimer: Cancel = () => {};

  constructor(deps: RemoteCommandDeps) {
    this.#deps = deps;
    this.command = deps.command;
  }

  start(): void {
    this.#send();
    this.command.advance('SENT', 'published');
  }

  /** Stops waiting; the command stays as it is. */
  close(): void {
    this.#cancelTimer();
  }

  /** What its cart says of it, in an acknowledgement or in its state. */
  follow({ state, reason, result }: Progress): void {
    this.#acknowledged = true;
    this.#misses = 0;
    this.#cancelTimer();
    const { command } = this;
    const { distanceMm, angleDdeg } = command.order;
    switch (state) {
      case 'FINISHED':
        command.finish(result ?? { distanceMm, angleDeg: angleDdeg / 10, estimated: true });
        return;
      case 'FAILED':
      case 'EXPIRED':
      case 'CANCELLED':
      case 'REJECTED':
        command.end(state, reason ?? { code: state, text: fleetMessage('no-reason') });
        return;
      default:
        command.advance(state, `cart ${command.order.cartId}`);
    }
  }

  /**
   * A state of its cart: heals what acknowledgements were lost, and ends what the cart no longer knows. Carts that do
   * not tell their commands are led by acknowledgements alone.
   */
  onState({ sessionId, x }: StateMessage): void {
    const { command } = this;
    const told = x?.commands?.find(({ commandId }) => commandId === command.id);
    if (told) return this.follow(told);
    if (sessionId !== this.#deps.basis.sessionId) {
      return this.#fail('CART_RESTARTED', fleetMessage('restarted'));
    }
    if (!this.#acknowledged || !x?.commands) return;
    this.#misses += 1;
    if (this.#misses >= MISSES) {
      this.#fail('RESULT_UNKNOWN', fleetMessage('result-lost'));
    }
  }

  /** Its cart is told to stop: a command that it may not have yet is taken back. */
  stopped(by: string): void {
    if (this.#acknowledged) return;
    this.#cancelTimer();
    this.#deps.cancel();
    this.command.end('CANCELLED', {
      code: 'STOPPED',
      text: cartMessage('stopped-by', { by: principalText(by) }),
    });
  }

  /** The session or key that gave it has ended. */
  revoked(reason: Reason): void {
    this.#cancelTimer();
    this.#deps.cancel();
    this.command.end('CANCELLED', reason);
  }

  /** Its cart is not there any more. */
  lost(why: Text): void {
    const { cartId: cartID } = this.command.order;
    this.#fail('CART_OFFLINE', fleetMessage('gone', { cartID, reason: why }));
  }

  #send(): void {
    this.#sent += 1;
    const first = this.#sent === 1;
    this.#deps.publish().catch((thrown: unknown) => {
      // When only a resend fails, the cart may well have the command: the missing acknowledgement decides.
      if (first) this.#fail('BROKER_DOWN', saidBy(thrown));
    });
    this.#cancelTimer();
    this.#cancelTimer = this.#deps.clock.after(ACK_MS, () => this.#unacknowledged());
  }

  #unacknowledged(): void {
    const { command } = this;
    if (command.final) return;
    // A jog is renewed by the next one in any case.
    const again = command.order.kind !== 'jog' && this.#sent <= RESENDS && command.remainingTtlMs() > 0;
    if (again) return this.#send();
    // It may still arrive: the target shall not start it then, and must refuse it by its age in any case.
    this.#deps.cancel();
    const params = { cartID: command.order.cartId, time: span(this.#sent * ACK_MS) };
    this.#fail('ACK_TIMEOUT', fleetMessage('unacknowledged', params));
  }

  #fail(code: string, text: Text): void {
    this.#cancelTimer();
    this.command.end('FAILED', { code, text });
  }
}
