import { randomUUID } from 'node:crypto';
import { messageOf } from '../../shared/errors.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import { Backoff, doubling, type RetryPolicy } from '../../shared/retry.js';
import type { Reason, StopOrigin, StoppedCart } from '../command/model.js';
import type { StopKind } from '../control/contracts.js';
import { knownReason } from '../mqtt/messages/reason.js';
import type { AckMessage } from '../mqtt/messages/schema.js';
import type { StateMessage } from '../mqtt/messages/state-schema.js';
import { CONFIRM_MS, StopRound, type StopState } from '../safety/stop-round.js';
import type { CartSession } from './cart-sessions.js';
import { fleetMessage } from './messages.js';

const TICK_MS = 250;
/** An unconfirmed stop is resent after 0.5 s, then at increasing intervals. */
const RESEND: RetryPolicy = { delaysMs: [500, ...doubling(500, 30_000)], jitter: 'none' };
/**
 * Maximum number of stops that are resent per tick; limits the broker's load when a thousand carts are
 * unreachable.
 */
const SENDS_PER_TICK = 20;
/** A stop that does not latch is no longer resent after this time, because it could end a newer command. */
const UNLATCHED_MS = 60_000;

const RANK: Record<StopKind, number> = { stop: 0, halt: 1, estop: 2 };

interface Pending {
  cartId: number;
  kind: StopKind;
  /** Included in the response, so that a response to an earlier stop does not confirm this stop. */
  actionId: string;
  origin: StopOrigin;
  sinceMs: number;
  nextMs: number;
  backoff: Backoff;
  refusal?: Reason;
  rounds: StopRound[];
  /** Sessions that have confirmed this stop. */
  confirmedBy: Set<string>;
  /** True if the confirmation is late, the cart is unreachable, or the cart has reported an error. */
  isOverdue: boolean;
}

interface Answer {
  cartId: number;
  sessionId: string;
  actionId: string;
}

interface RemoteStopsDeps {
  clock: Clock;
  log: Log;
  send: (cartId: number | null, kind: StopKind, actionId: string, origin: StopOrigin) => Promise<void>;
  ids: () => number[];
  name: (cartId: number) => string;
  unreachable: (cartId: number) => Reason | undefined;
  /** The sessions that must each confirm a stop; empty if only one gateway uses the cart number. */
  rivals: (cartId: number) => readonly Pick<CartSession, 'sessionId' | 'gatewayId'>[];
  /** Called when a cart's stop becomes overdue or is no longer pending. */
  changed: (cartId: number) => void;
}

/** Resends each stop until every target cart confirms it. Repeating a stop is safe; losing one is not. */
export class RemoteStops {
  #deps: RemoteStopsDeps;
  #pending = new Map<number, Pending>();
  #tick: Cancel | undefined;

  constructor(deps: RemoteStopsDeps) {
    this.#deps = deps;
  }

  stop(cartId: number | null, kind: StopKind, origin: StopOrigin): Promise<StoppedCart[]> {
    const { clock, ids } = this.#deps;
    const actionId = randomUUID();
    const targets = cartId === null ? ids() : [cartId];
    this.#send(cartId, kind, actionId, origin);
    const round = new StopRound(targets, clock, (id) => this.#stateOf(id));
    for (const id of targets) this.#await(id, { kind, actionId, origin }, round);
    round.check();
    if (this.#pending.size > 0) this.#tick ??= clock.every(TICK_MS, () => this.#retry());
    return round.result;
  }

  pending(cartId: number): StopKind | undefined {
    return this.#pending.get(cartId)?.kind;
  }

  /** Returns the kind of stop that is overdue for this cart; undefined if none is overdue. */
  overdue(cartId: number): StopKind | undefined {
    const pending = this.#pending.get(cartId);
    return pending?.isOverdue ? pending.kind : undefined;
  }

  giveUp(cartId: number): void {
    const pending = this.#pending.get(cartId);
    if (pending) this.#end(pending);
  }

  /** A new command ends the retries of a pending stop that does not latch. */
  commanded(cartId: number): void {
    if (this.pending(cartId) !== 'estop') this.giveUp(cartId);
  }

  reachable(cartId: number): void {
    const pending = this.#pending.get(cartId);
    if (pending) {
      pending.nextMs = this.#deps.clock.now();
      pending.backoff.reset();
    }
  }

  onAck(cartId: number, { commandId, sessionId, state, reason }: AckMessage): void {
    const answer = { cartId, sessionId, actionId: commandId };
    if (state === 'FINISHED') this.#onAnswer(answer);
    else if (state === 'FAILED' || state === 'REJECTED') {
      const given = reason ?? { code: 'STOP_UNCONFIRMED', text: fleetMessage('no-reason') };
      this.#onAnswer(answer, knownReason(given, 'STOP_UNCONFIRMED'));
    }
  }

  onState(cartId: number, { sessionId, instantActionStates = [] }: StateMessage): void {
    for (const { actionId, actionStatus, resultDescription = '' } of instantActionStates) {
      const answer = { cartId, sessionId, actionId };
      if (actionStatus === 'FINISHED') this.#onAnswer(answer);
      else if (actionStatus === 'FAILED')
        this.#onAnswer(answer, { code: 'STOP_UNCONFIRMED', text: resultDescription });
    }
  }

  close(): void {
    this.#tick?.();
    for (const pending of [...this.#pending.values()]) this.#end(pending);
  }

  #await(cartId: number, sent: Pick<Pending, 'kind' | 'actionId' | 'origin'>, round: StopRound): void {
    const now = this.#deps.clock.now();
    const before = this.#pending.get(cartId);
    const isWeaker = before !== undefined && RANK[before.kind] > RANK[sent.kind];
    const backoff = new Backoff(RESEND);
    const pending: Pending = {
      cartId,
      ...sent,
      sinceMs: now,
      nextMs: now + backoff.next(),
      backoff,
      rounds: [...(before?.rounds ?? []), round].filter(({ isOpen }) => isOpen),
      confirmedBy: new Set(),
      isOverdue: before?.isOverdue ?? false,
    };
    if (isWeaker) {
      // The stronger stop gets a new ID, so that the response to the weaker stop does not confirm it.
      pending.kind = before.kind;
      pending.origin = before.origin;
      pending.actionId = randomUUID();
      this.#send(cartId, pending.kind, pending.actionId, pending.origin);
    }
    this.#pending.set(cartId, pending);
    this.#checkOverdue(pending);
  }

  #onAnswer({ cartId, sessionId, actionId }: Answer, refusal?: Reason): void {
    const pending = this.#pending.get(cartId);
    if (pending?.actionId !== actionId) return;
    if (refusal) {
      pending.refusal = refusal;
      this.#checkOverdue(pending);
      for (const round of pending.rounds) round.check();
      return;
    }
    pending.confirmedBy.add(sessionId);
    this.#endIfConfirmed(pending);
  }

  /** If several gateways use the cart number, each of them must confirm the stop. */
  #endIfConfirmed(pending: Pending): void {
    const { cartId, confirmedBy } = pending;
    if (confirmedBy.size === 0 || this.#missing(pending).length > 0) return;
    for (const round of pending.rounds) round.confirm(cartId);
    this.#deps.log.info('remote_cart.stop_confirmed', { cartID: cartId, kind: pending.kind });
    this.#end(pending);
  }

  #missing({ cartId, confirmedBy }: Pending): string[] {
    const missing = this.#deps.rivals(cartId).filter(({ sessionId }) => !confirmedBy.has(sessionId));
    return missing.map(({ gatewayId }) => gatewayId);
  }

  #retry(): void {
    const { clock, ids, unreachable } = this.#deps;
    const now = clock.now();
    const counts = new Set(ids());
    let sends = 0;
    for (const pending of [...this.#pending.values()]) {
      const { cartId, kind, sinceMs } = pending;
      this.#checkOverdue(pending);
      this.#endIfConfirmed(pending);
      if (!this.#pending.has(cartId)) continue;
      const isLate = kind !== 'estop' && now - sinceMs >= UNLATCHED_MS;
      if (isLate || !counts.has(cartId)) this.#end(pending);
      else if (
        now >= pending.nextMs &&
        sends < SENDS_PER_TICK &&
        unreachable(cartId)?.code !== 'BROKER_DOWN'
      ) {
        sends += 1;
        pending.nextMs = now + pending.backoff.next();
        this.#send(cartId, kind, pending.actionId, pending.origin);
        this.#pending.delete(cartId);
        this.#pending.set(cartId, pending);
      }
    }
  }

  #checkOverdue(pending: Pending): void {
    const { cartId, sinceMs, refusal } = pending;
    const { clock, unreachable, changed } = this.#deps;
    if (pending.isOverdue) return;
    pending.isOverdue = clock.now() - sinceMs >= CONFIRM_MS || Boolean(refusal ?? unreachable(cartId));
    if (pending.isOverdue) changed(cartId);
  }

  #send(cartId: number | null, kind: StopKind, actionId: string, origin: StopOrigin): void {
    this.#deps.send(cartId, kind, actionId, origin).catch((error: unknown) => {
      this.#deps.log.warn('remote_cart.stop_failed', {
        cartID: cartId ?? 'all',
        kind,
        reason: messageOf(error),
      });
    });
  }

  #end(pending: Pending): void {
    if (this.#pending.get(pending.cartId) !== pending) return;
    this.#pending.delete(pending.cartId);
    for (const round of pending.rounds) round.check();
    if (this.#pending.size === 0) {
      this.#tick?.();
      this.#tick = undefined;
    }
    this.#deps.changed(pending.cartId);
  }

  #stateOf(cartId: number): StopState {
    const { name, unreachable } = this.#deps;
    const pending = this.#pending.get(cartId);
    const [gateway] = pending ? this.#missing(pending) : [];
    return {
      name: name(cartId),
      failure: unreachable(cartId) ?? pending?.refusal,
      late: gateway === undefined ? undefined : fleetMessage('duplicate-unconfirmed', { gateway }),
    };
  }
}
