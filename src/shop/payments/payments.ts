import { createHash, randomUUID } from 'node:crypto';
import { type Actor, actorJson, actorName } from '../../shared/actor.js';
import { GatewayError } from '../../shared/errors.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type {
  FactCode,
  Hint,
  PaymentProvider,
  PaymentStatus,
  SandboxChoice,
} from '../../shared/ports/payments.js';
import type { Store } from '../../shared/ports/store.js';
import { requireStatus, requireTransactionId } from '../check.js';
import { shopMessage } from '../messages.js';
import type { PaymentReads } from '../reads.js';
import type { PaymentRow } from '../rows.js';
import type { BeginRequest, BeginResult } from './begin-writes.js';
import type { CheckoutCreation } from './checkout-creation.js';
import { beginRejectedError, creationError, interlockError, loginFailed } from './errors.js';
import type { HintRequest } from './failure-writes.js';
import type { ProviderCalls } from './provider-calls.js';
import type { Reconciler } from './reconciler.js';
import type { ManualRequest, ManualResult } from './status-and-refund-writes.js';

interface CreateRequest {
  /** Null if the caller uses an API key. */
  userId: number | null;
  /** The scope of `clientKey`, which is unique per caller. */
  caller: string;
  /** `basket` means the total of the basket. */
  amountMinor: number | 'basket';
  /** Idempotency key, or null. */
  clientKey: string | null;
  /** The buyer returns to this URL, with the order ID appended. */
  returnUrl: string;
}

interface PaymentsDeps {
  store: Store;
  reads: PaymentReads;
  provider: PaymentProvider;
  /** Slots for creating payments, limited per caller. */
  creationCalls: ProviderCalls;
  /** Separate slots for reading the status, so that reads cannot prevent new payments. */
  statusCalls: ProviderCalls;
  creation: CheckoutCreation;
  reconciler: Reconciler;
  /** Transaction IDs of the payments being processed. */
  inProgress: Set<string>;
  currency: string;
  isStrict: boolean;
  clock: Clock;
  log: Log;
}

/** If a Pi has no network, its clock starts in 1970, so certificates and expiry times cannot be checked. */
const MIN_CLOCK_MS = Date.UTC(2025, 0, 1);
/** Creating a payment may take this long, so the reconciler does not check the payment earlier. */
const FIRST_CHECK_MS = 20_000;
/** Maximum time that a buyer waits for the provider's status. */
const REFRESH_TIMEOUT_MS = 2000;

const CHOICE_FACTS: Record<SandboxChoice, FactCode> = {
  pay: 'buyer-paid',
  decline: 'buyer-declined',
  cancel: 'buyer-cancelled',
};

export class Payments {
  readonly #o: PaymentsDeps;

  constructor(deps: PaymentsDeps) {
    this.#o = deps;
  }

  /**
   * Stores the intent, then creates the payment. Rejects with `LOGIN_FAILED`, `INVALID_INPUT` (amount not accepted),
   * `CONFLICT` (basket cannot be paid for), `RATE` (too many unpaid payments, unpaid order lines or payments being
   * created), `BUSY` (payment with this key still being created), `IDEMPOTENCY_MISMATCH` (key used for a different
   * payment), `CLOCK_UNSET` or `PAYMENTS_OFF`.
   */
  async create(input: CreateRequest): Promise<PaymentRow> {
    this.#requireEnabled();
    const slot = this.#o.creationCalls.reserve(input.caller);
    const request = this.#toBeginRequest(input);
    const { transactionId } = request;
    const { inProgress, store, reads, creation } = this.#o;
    inProgress.add(transactionId);
    try {
      const begun = await store.write<BeginResult>('shop.begin', request);
      if (begun.kind === 'refused') throw beginRejectedError(begun.why);
      if (begun.kind === 'known') return await this.#repeat(begun);
      const row = reads.byTransaction(transactionId);
      if (!row) throw loginFailed('the payment is missing from the database');
      return await creation.request(row, slot);
    } finally {
      inProgress.delete(transactionId);
      slot.free();
    }
  }

  /** Throws `INVALID_INPUT` if the ID is not a UUID, or `NOT_FOUND` if no payment has this ID. */
  find(transactionId: unknown): PaymentRow {
    const id = requireTransactionId(transactionId);
    const row = this.#o.reads.byTransaction(id);
    if (row) return row;
    throw new GatewayError('NOT_FOUND', `there is no payment with transaction ID ${id}`, {
      field: 'transactionId',
    });
  }

  /** Throws `NOT_FOUND`. */
  findByOrder(orderId: string): PaymentRow {
    const row = this.#o.reads.byOrder(orderId);
    if (row) return row;
    throw new GatewayError('NOT_FOUND', 'there is no payment for this order ID', { field: 'orderId' });
  }

  /** Reads the status from the provider unless the stored status is final. Rejects with `PROVIDER_…`. */
  async status(row: PaymentRow): Promise<PaymentStatus> {
    if (row.intentState === 'abandoned') return 'failed';
    if (row.intentState === 'creating') return 'pending';
    return await this.#o.reconciler.refresh(row, 'provider', this.#o.statusCalls);
  }

  /** Returns the payment with the provider's status or, after 2 s or an error, with the stored status. */
  async refreshed(row: PaymentRow): Promise<PaymentRow> {
    const { clock, reads } = this.#o;
    const read = this.status(row).catch(() => undefined);
    await new Promise<void>((resolve) => {
      const cancel = clock.after(REFRESH_TIMEOUT_MS, resolve);
      void read.then(() => {
        cancel();
        resolve();
      });
    });
    return reads.byTransaction(row.transactionId) ?? row;
  }

  /** Returns false if `isStrict` forbids the transition. Rejects with `INVALID_INPUT` or `NOT_FOUND`. */
  async setStatus(orderId: string, target: unknown, actor: Actor): Promise<boolean> {
    const status = requireStatus(target);
    const { store, clock, isStrict, log } = this.#o;
    const request: ManualRequest = {
      orderId,
      status,
      actor: actorJson(actor),
      isStrict,
      at: Math.trunc(clock.wallTime()),
    };
    const result = await store.write<ManualResult>('shop.setStatus', request);
    if (result === 'unknown') this.findByOrder(orderId);
    log.info('payment.status_overridden', { orderId, status, actor: actorName(actor), result });
    return result === 'done';
  }

  /**
   * Records what the buyer chose on the sandbox's checkout page. Each choice is recorded once per payment, however
   * often it is repeated; the checkout counts the declines.
   */
  handleChoice(ref: string, choice: SandboxChoice): Promise<void> {
    const fact = { code: CHOICE_FACTS[choice], text: `the buyer chose ${choice}` };
    return this.handleHint({ eventId: `${ref}:${choice}`, ref, fact });
  }

  /** Records a verified webhook and makes the reconciler read the payment from the provider. */
  async handleHint(hint: Hint): Promise<void> {
    const { eventId, ref, transactionId, fact, isDelayedFailure = false, paymentRef, refunded } = hint;
    const { store, provider, clock, reconciler } = this.#o;
    const at = Math.trunc(clock.wallTime());
    const request: HintRequest = {
      provider: provider.name,
      fact,
      isDelayedFailure,
      at,
      ref: ref ?? null,
      transactionId: transactionId ?? null,
      eventId: eventId ?? null,
      paymentRef: paymentRef ?? null,
      refunded: refunded ?? null,
    };
    if ((await store.write<string | null>('shop.recordHint', request)) !== null) reconciler.kick();
  }

  /** Why payments are disabled; undefined if they are enabled. */
  get disabledReason(): GatewayError | undefined {
    const { clock, store } = this.#o;
    if (clock.wallTime() < MIN_CLOCK_MS) {
      return new GatewayError('CLOCK_UNSET', shopMessage('clock-unset'), {
        hint: 'Connect the gateway to a network with a time server, or set the clock.',
      });
    }
    return interlockError(store.status());
  }

  #requireEnabled(): void {
    const error = this.disabledReason;
    if (error) throw error;
  }

  #toBeginRequest({ userId, caller, amountMinor, clientKey, returnUrl }: CreateRequest): BeginRequest {
    const { clock, currency, provider } = this.#o;
    const at = Math.trunc(clock.wallTime());
    const orderId = randomUUID();
    return {
      transactionId: randomUUID(),
      orderId,
      userId,
      currency,
      at,
      amountMinor: amountMinor === 'basket' ? { basketOf: userId ?? 0 } : amountMinor,
      provider: provider.name,
      returnUrl: `${returnUrl}${orderId}`,
      clientKey: clientKey === null ? null : `${caller}:${clientKey}`,
      requestHash: clientKey === null ? null : createHash('sha256').update(String(amountMinor)).digest(),
      checkAt: at + FIRST_CHECK_MS,
    };
  }

  async #repeat(known: Extract<BeginResult, { kind: 'known' }>): Promise<PaymentRow> {
    const { inProgress, reads, reconciler } = this.#o;
    if (!known.isSame) {
      const text = 'this Idempotency-Key was used for a different payment';
      throw new GatewayError('IDEMPOTENCY_MISMATCH', text, { field: 'Idempotency-Key' });
    }
    if (inProgress.has(known.transactionId)) {
      throw new GatewayError('BUSY', 'the payment with this Idempotency-Key is still being created', {
        retryAfterS: 2,
      });
    }
    const row = reads.byTransaction(known.transactionId);
    if (row?.intentState === 'creating') await reconciler.reconcile(row);
    const updated = reads.byTransaction(known.transactionId);
    if (updated?.intentState === 'created') return updated;
    throw creationError(updated?.errorCode ?? null, updated?.errorMessage ?? null);
  }
}
