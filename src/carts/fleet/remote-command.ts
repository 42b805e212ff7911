import { type Actor, actorText } from '../../shared/actor.js';
import { type ErrorCode, errorText } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import { span } from '../../shared/messages/messages.js';
import { recognised } from '../../shared/messages/recognise.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Command } from '../command/command.js';
import type { Reason } from '../command/model.js';
import { cartMessage } from '../messages.js';
import { knownReason } from '../mqtt/messages/reason.js';
import type { AckMessage, Basis } from '../mqtt/messages/schema.js';
import type { StateMessage } from '../mqtt/messages/state-schema.js';
import { fleetMessage } from './messages.js';

const ACK_MS = 500;
const MAX_RESENDS = 2;
/** An acknowledged command fails if this many states from one session do not list the command. */
const MAX_MISSES = 2;

type Progress = Pick<AckMessage, 'state' | 'reason' | 'result'>;

interface RemoteCommandDeps {
  command: Command;
  basis: Basis;
  clock: Clock;
  publish: () => Promise<void>;
  cancel: () => void;
  /** True while the session that the command is based on can still execute the command. */
  isLive: () => boolean;
}

/** Resends a command until the remote cart acknowledges it, then tracks the command until it ends. */
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

  close(): void {
    this.#cancelTimer();
  }

  /**
   * Ignores other sessions while the session that the command is based on is live, because another gateway with the
   * same cart number rejects a command that this cart is executing.
   */
  onAck(ack: AckMessage): void {
    if (this.#isOther(ack)) return;
    this.#follow(ack);
  }

  #isOther({ sessionId }: Pick<AckMessage, 'sessionId'>): boolean {
    return sessionId !== this.#deps.basis.sessionId && this.#deps.isLive();
  }

  #follow({ state, reason, result }: Progress): void {
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
        if (result) command.measure(result);
        command.end(
          state,
          reason
            ? knownReason({ ...reason, text: recognised(reason.text) }, state)
            : { code: state, text: fleetMessage('no-reason') },
        );
        return;
      default:
        command.advance(state, `cart ${command.order.cartId}`);
    }
  }

  /** Compensates for lost acknowledgements; ends a command that the cart no longer lists. */
  onState(message: StateMessage): void {
    const { command } = this;
    const { sessionId, x } = message;
    if (this.#isOther(message)) return;
    const reported = x?.commands?.find(({ commandId }) => commandId === command.id);
    if (reported) return this.#follow(reported);
    if (sessionId !== this.#deps.basis.sessionId) {
      return this.#fail('CART_RESTARTED', fleetMessage('restarted'));
    }
    if (!this.#acknowledged || !x?.commands) return;
    this.#misses += 1;
    if (this.#misses >= MAX_MISSES) {
      this.#fail('RESULT_UNKNOWN', fleetMessage('result-lost'));
    }
  }

  stopped(by: Actor): void {
    if (this.#acknowledged) return;
    this.#cancelTimer();
    this.#deps.cancel();
    this.command.end('CANCELLED', {
      code: 'STOPPED',
      text: cartMessage('stopped-by', { by: actorText(by) }),
    });
  }

  revoked(reason: Reason): void {
    this.#cancelTimer();
    this.#deps.cancel();
    this.command.end('CANCELLED', reason);
  }

  lost(why: Text): void {
    const { cartId: cartID } = this.command.order;
    this.#fail('CART_OFFLINE', fleetMessage('gone', { cartID, reason: why }));
  }

  #send(): void {
    this.#sent += 1;
    const first = this.#sent === 1;
    this.#deps.publish().catch((thrown: unknown) => {
      // If only a resend fails, the cart may have received the command, so the gateway keeps waiting.
      if (first) this.#fail('BROKER_DOWN', errorText(thrown));
    });
    this.#cancelTimer();
    this.#cancelTimer = this.#deps.clock.after(ACK_MS, () => this.#unacknowledged());
  }

  #unacknowledged(): void {
    const { command } = this;
    if (command.final) return;
    // A jog is not resent, because its sender renews it regularly.
    const isResent =
      command.order.kind !== 'jog' && this.#sent <= MAX_RESENDS && command.remainingTtlMs() > 0;
    if (isResent) return this.#send();
    // The command may still arrive, so it is cancelled.
    this.#deps.cancel();
    const params = { cartID: command.order.cartId, time: span(this.#sent * ACK_MS) };
    this.#fail('ACK_TIMEOUT', fleetMessage('unacknowledged', params));
  }

  #fail(code: ErrorCode, text: Text): void {
    this.#cancelTimer();
    this.command.end('FAILED', { code, text });
  }
}
