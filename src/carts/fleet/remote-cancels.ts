import { randomUUID } from 'node:crypto';
import { messageOf } from '../../shared/errors.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import { Backoff, doubling, type RetryPolicy } from '../../shared/retry.js';
import type { AckMessage } from '../mqtt/messages/schema.js';
import type { StateMessage } from '../mqtt/messages/state-schema.js';

const TICK_MS = 250;
const RESEND: RetryPolicy = { delaysMs: [500, ...doubling(500, 30_000)], jitter: 'none' };
/** How long a cancellation is resent; exceeds the duration of the longest command. */
const KEEP_MS = 10 * 60_000;

interface Pending {
  cartId: number;
  commandId: string;
  actionId: string;
  sinceMs: number;
  nextMs: number;
  backoff: Backoff;
}

interface RemoteCancelsDeps {
  clock: Clock;
  log: Log;
  /** Rejects while the broker is down. */
  send: (cartId: number, commandId: string, actionId: string) => Promise<void>;
}

/**
 * Resends the cancellation of a command until its cart responds, because the broker may be down when a session ends
 * or an API key is revoked. Resending it is safe, because a cancellation names its command and affects no other
 * command.
 */
export class RemoteCancels {
  #deps: RemoteCancelsDeps;
  #pending = new Map<string, Pending>();
  #tick: Cancel | undefined;

  constructor(deps: RemoteCancelsDeps) {
    this.#deps = deps;
  }

  cancel(cartId: number, commandId: string): void {
    if ([...this.#pending.values()].some((pending) => pending.commandId === commandId)) return;
    const { clock } = this.#deps;
    const now = clock.now();
    const pending: Pending = {
      cartId,
      commandId,
      actionId: randomUUID(),
      sinceMs: now,
      nextMs: now,
      backoff: new Backoff(RESEND),
    };
    this.#pending.set(pending.actionId, pending);
    this.#send(pending);
    this.#tick ??= clock.every(TICK_MS, () => this.#retry());
  }

  reachable(cartId: number): void {
    for (const pending of this.#pending.values()) {
      if (pending.cartId !== cartId) continue;
      pending.backoff.reset();
      this.#send(pending);
    }
  }

  /**
   * A cart that has not executed the cancellation responds with FAILED; REJECTED means that it has no such
   * command.
   */
  onAck(cartId: number, { commandId: actionId, state }: AckMessage): void {
    if (state === 'FINISHED' || state === 'REJECTED') this.#end(cartId, actionId);
  }

  onState(cartId: number, { instantActionStates = [] }: StateMessage): void {
    for (const { actionId, actionStatus } of instantActionStates) {
      if (actionStatus === 'FINISHED') this.#end(cartId, actionId);
    }
  }

  close(): void {
    this.#pending.clear();
    this.#stopTicking();
  }

  #retry(): void {
    const now = this.#deps.clock.now();
    for (const pending of [...this.#pending.values()]) {
      if (now - pending.sinceMs >= KEEP_MS) this.#end(pending.cartId, pending.actionId);
      else if (now >= pending.nextMs) this.#send(pending);
    }
  }

  #send(pending: Pending): void {
    const { clock, log, send } = this.#deps;
    const { cartId, commandId, actionId, backoff } = pending;
    pending.nextMs = clock.now() + backoff.next();
    send(cartId, commandId, actionId).catch((thrown: unknown) => {
      log.warn('remote_cart.cancel_failed', { commandId, reason: messageOf(thrown) });
    });
  }

  #end(cartId: number, actionId: string): void {
    if (this.#pending.get(actionId)?.cartId !== cartId) return;
    this.#pending.delete(actionId);
    if (this.#pending.size === 0) this.#stopTicking();
  }

  #stopTicking(): void {
    this.#tick?.();
    this.#tick = undefined;
  }
}
