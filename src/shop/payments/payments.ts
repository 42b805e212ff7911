import { createHash, randomUUID } from 'node:crypto';
import { GatewayError, messageOf } from '../../shared/errors.js';
import type { Clock, Log, Store } from '../../shared/ports/ports.js';
import { shopMessage } from '../messages.js';
import { requireStatus, requireTransactionId } from '../orders/check.js';
import type { PaymentReads } from '../reads.js';
import type { PaymentRow } from '../rows.js';
import type { BeginRequest, BeginResult } from './begin-writes.js';
import type { ProviderCalls, Slot } from './calls.js';
import type { Creation } from './creation.js';
import type { Hint, PaymentProvider, PaymentStatus } from './provider.js';
import type { Reconciler } from './reconciler.js';
import type { ManualRequest, ManualResult } from './status-writes.js';
import { loginFailed, refusalOf, refusalToBegin } from './trouble.js';
import type { HintRequest } from './trouble-writes.js';

/** What a payment is asked for. */
interface PaymentAsk {
  /** Null for a machine. */
  userId: number | null;
  /** Whose `clientKey` it is, one for each who may ask. */
  caller: string;
  /** Or: everything in the basket of the user. */
  amountMinor: number | 'basket';
  /** The caller's own key, to ask again without paying twice; null when there is none. */
  clientKey: string | null;
  /** Where the buyer comes back to; the order id is added to it. */
  returnUrl: string;
}

interface PaymentsDeps {
  store: Store;
  reads: PaymentReads;
  provider: PaymentProvider;
  /** Calls on behalf of a buyer who waits. */
  calls: ProviderCalls;
  creation: Creation;
  reconciler: Reconciler;
  /** Payments that somebody works on now, by transaction id. */
  busy: Set<string>;
  currency: string;
  isStrict: boolean;
  clock: Clock;
  log: Log;
}

/** A Pi without network starts in 1970: certificates, signatures and expiry all go wrong then. */
const CLOCK_FROM = Date.UTC(2025, 0, 1);
/** The request itself is over by then, and the reconciler may look. */
const FIRST_CHECK_MS = 20_000;

/** Payments: asked for, followed, set by hand. */
export class Payments {
  readonly #o: PaymentsDeps;

  constructor(deps: PaymentsDeps) {
    this.#o = deps;
  }

  /**
   * Keeps the intent, asks the provider, keeps the answer. Rejects with `LOGIN_FAILED`; `INVALID_INPUT` when the provider
   * never takes such an amount; `CONFLICT` for a basket that cannot be paid; `RATE` at a customer's limit of unpaid payments; `BUSY` and `IDEMPOTENCY_MISMATCH` for a key
   * that is in use or was used for something else; `CLOCK_UNSET` and `PAYMENTS_OFF`.
   */
  async create(ask: PaymentAsk): Promise<PaymentRow> {
    this.#requireOpen();
    const slot = this.#reserve();
    const request = this.#request(ask);
    const { transactionId } = request;
    const { busy, store, reads, creation } = this.#o;
    busy.add(transactionId);
    try {
      const begun = await store.write<BeginResult>('shop.begin', request);
      if (begun.kind === 'refused') throw refusalToBegin(begun.why);
      if (begun.kind === 'known') return await this.#again(begun);
      const row = reads.byTransaction(transactionId);
      if (!row) throw loginFailed('the payment that was kept is not there');
      return await creation.ask(row, slot);
    } finally {
      busy.delete(transactionId);
      slot.free();
    }
  }

  /** The payment of the id; throws `INVALID_INPUT` for a text that is no UUID, and `NOT_FOUND`. */
  find(transactionId: unknown): PaymentRow {
    const id = requireTransactionId(transactionId);
    const row = this.#o.reads.byTransaction(id);
    if (row) return row;
    throw new GatewayError('NOT_FOUND', `no payment has the transaction id ${id}`, {
      field: 'transactionId',
    });
  }

  /** The payment of an order; throws `NOT_FOUND`. */
  findByOrder(orderId: string): PaymentRow {
    const row = this.#o.reads.byOrder(orderId);
    if (row) return row;
    throw new GatewayError('NOT_FOUND', 'no payment has this order id', { field: 'orderId' });
  }

  /** What the provider says: asked now, unless it has spoken for good. Rejects with `PROVIDER_…` when it does not tell. */
  async status(row: PaymentRow): Promise<PaymentStatus> {
    if (row.intentState === 'abandoned') return 'failed';
    if (row.intentState === 'creating') return 'pending';
    return await this.#o.reconciler.refresh(row, 'provider', this.#o.calls);
  }

  /** Sets the status by hand; false when the rules refuse. Throws `INVALID_INPUT` and `NOT_FOUND`. */
  async setStatus(orderId: string, word: unknown, actor: string): Promise<boolean> {
    const status = requireStatus(word);
    const { store, clock, isStrict, log } = this.#o;
    const request: ManualRequest = { orderId, status, actor, isStrict, at: Math.trunc(clock.wallTime()) };
    const result = await store.write<ManualResult>('shop.setStatus', request);
    if (result === 'unknown') this.findByOrder(orderId);
    log.info('payment.set_by_hand', { orderId, status, actor, result });
    return result === 'done';
  }

  /** Takes a webhook for what it is: a reason to ask the provider. */
  async heed({ eventId, ref, transactionId, detail }: Hint): Promise<void> {
    const { store, provider, clock, reconciler } = this.#o;
    const at = Math.trunc(clock.wallTime());
    const request: HintRequest = {
      ...{ provider: provider.name, detail, at },
      ref: ref ?? null,
      transactionId: transactionId ?? null,
      eventId: eventId ?? null,
    };
    if ((await store.write<string | null>('shop.hint', request)) !== null) reconciler.kick();
  }

  #requireOpen(): void {
    const { clock, store } = this.#o;
    if (clock.wallTime() < CLOCK_FROM) {
      throw new GatewayError('CLOCK_UNSET', shopMessage('clock-unset'), {
        hint: 'Connect the gateway to a network with a time server, or set the clock.',
      });
    }
    if (store.status().restoredFrom !== undefined) {
      throw new GatewayError('PAYMENTS_OFF', 'no payments: the database was restored from a backup', {
        hint: 'Compare the payments with the provider, then start the gateway again.',
      });
    }
  }

  #reserve(): Slot {
    try {
      return this.#o.calls.reserve();
    } catch (error) {
      throw loginFailed(messageOf(error), error);
    }
  }

  #request({ userId, caller, amountMinor, clientKey, returnUrl }: PaymentAsk): BeginRequest {
    const { clock, currency, provider } = this.#o;
    const at = Math.trunc(clock.wallTime());
    const orderId = randomUUID();
    return {
      ...{ transactionId: randomUUID(), orderId, userId, currency, at },
      amountMinor: amountMinor === 'basket' ? { basketOf: userId ?? 0 } : amountMinor,
      provider: provider.name,
      returnUrl: `${returnUrl}${orderId}`,
      // Two callers may choose the same key.
      clientKey: clientKey === null ? null : `${caller}:${clientKey}`,
      requestHash: clientKey === null ? null : createHash('sha256').update(String(amountMinor)).digest(),
      checkAt: at + FIRST_CHECK_MS,
    };
  }

  async #again(known: Extract<BeginResult, { kind: 'known' }>): Promise<PaymentRow> {
    const { busy, reads, reconciler } = this.#o;
    if (!known.isSame) {
      const text = 'this Idempotency-Key was used for another payment';
      throw new GatewayError('IDEMPOTENCY_MISMATCH', text, { field: 'Idempotency-Key' });
    }
    if (busy.has(known.transactionId)) {
      throw new GatewayError('BUSY', 'the payment with this Idempotency-Key is being made', {
        retryAfterS: 2,
      });
    }
    const row = reads.byTransaction(known.transactionId);
    if (row?.intentState === 'creating') await reconciler.reconcile(row);
    const now = reads.byTransaction(known.transactionId);
    if (now?.intentState === 'created') return now;
    throw refusalOf(now?.lastError ?? null);
  }
}
