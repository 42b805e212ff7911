import { messageOf } from '../../shared/errors.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { Checkout } from '../../shared/ports/payments.js';
import type { Store } from '../../shared/ports/store.js';
import type { PaymentReads } from '../reads.js';
import type { PaymentRow } from '../rows.js';
import {
  creationError,
  failureKind,
  loginFailed,
  nextDelayMs,
  type StoredError,
  toStoredError,
} from './errors.js';
import type { AbandonRequest, FailureRequest } from './failure-writes.js';
import type { ProviderCalls, Slot } from './provider-calls.js';
import type { StatusRequest } from './status-and-refund-writes.js';

interface CreationDeps {
  store: Store;
  reads: PaymentReads;
  calls: ProviderCalls;
  clock: Clock;
  log: Log;
}

const HOUR_MS = 3_600_000;
/** Providers store idempotency keys for 24 h, during which a retry cannot create a second payment. */
const KEY_LIFETIME_MS = 23 * HOUR_MS;
/** Maximum difference between the gateway's clock and the provider's clock. */
const CLOCK_SLACK_MS = 600_000;

/**
 * Creates the provider's payments for stored intents. Abandons an intent only if the provider definitely has
 * no payment for it.
 */
export class CheckoutCreation {
  readonly #o: CreationDeps;

  constructor(deps: CreationDeps) {
    this.#o = deps;
  }

  /**
   * On failure, stores the error and rejects with `LOGIN_FAILED` or `INVALID_INPUT`.
   * @param isAwaited true if a caller receives the error.
   */
  async request(row: PaymentRow, slot: Slot, isAwaited = true): Promise<PaymentRow> {
    const { transactionId, orderId, amountMinor, currency, returnUrl, keyNumber } = row;
    const idempotencyKey = keyNumber === 1 ? transactionId : `${transactionId}:${keyNumber}`;
    try {
      const checkout = await slot.call((provider) =>
        provider.create({ transactionId, orderId, amountMinor, currency, idempotencyKey, returnUrl }),
      );
      return await this.adopt(row, checkout, 'provider');
    } catch (error) {
      await this.#recordFailure(row, error, isAwaited);
      this.#o.log.warn('payment.create_failed', { transactionId, reason: messageOf(error) });
      if (failureKind(error) !== 'rejected') throw loginFailed(messageOf(error), error);
      const { code, message } = toStoredError(error);
      throw creationError(code, message);
    }
  }

  async adopt(row: PaymentRow, checkout: Checkout, source: 'provider' | 'reconcile'): Promise<PaymentRow> {
    const { ref, status, facts, total, isProcessing = false, paymentRef, returned, url = null } = checkout;
    const at = Math.trunc(this.#o.clock.wallTime());
    const { transactionId } = row;
    const adopt = { ref, checkoutUrl: url };
    const request: StatusRequest = {
      transactionId,
      status,
      facts,
      total,
      isProcessing,
      paymentRef,
      returned,
      source,
      adopt,
      at,
      checkAt: at + nextDelayMs(0),
    };
    await this.#o.store.write('shop.recordStatus', request);
    return this.#o.reads.byTransaction(transactionId) ?? row;
  }

  /**
   * Resolves an intent whose outcome is unknown: adopts the provider's payment, retries with the same key, or
   * abandons the intent if it is too old. Rejects if the provider call fails.
   */
  async resolve(row: PaymentRow): Promise<PaymentRow> {
    const { calls, clock, reads, log } = this.#o;
    const { transactionId, createdAt } = row;
    const found = await calls.call((provider) =>
      provider.findByTransaction(transactionId, createdAt - CLOCK_SLACK_MS),
    );
    if (found) {
      log.info('payment.adopted', { transactionId, ref: found.ref });
      return await this.#expireIfReported(await this.adopt(row, found, 'reconcile'));
    }
    if (clock.wallTime() - createdAt < KEY_LIFETIME_MS) {
      return await this.#expireIfReported(await this.request(row, calls.reserve(), false));
    }
    await this.#abandon(transactionId, {
      code: 'PROVIDER_UNCLEAR',
      message: 'the payment provider has no such payment',
      reason: 'no-such-payment',
    });
    return reads.byTransaction(transactionId) ?? row;
  }

  /** Expires a payment reported as failed, unless the caller can retry with the same idempotency key. */
  async #expireIfReported(row: PaymentRow): Promise<PaymentRow> {
    const { providerRef: ref, transactionId } = row;
    if (row.failureReported === 0 || row.clientKey !== null || row.providerStatus !== 'pending' || !ref)
      return row;
    const { calls, log } = this.#o;
    const expired = await calls.call((provider) => provider.expire(ref));
    log.info('payment.expired', { transactionId, status: expired.status });
    return await this.adopt(row, expired, 'reconcile');
  }

  async #recordFailure(row: PaymentRow, error: unknown, isReported: boolean): Promise<void> {
    const { transactionId, attempts } = row;
    const { store, clock, log } = this.#o;
    const at = Math.trunc(clock.wallTime());
    const kind = failureKind(error);
    const stored = toStoredError(error);
    if (kind === 'rejected') return await this.#abandon(transactionId, stored);
    const request: FailureRequest = {
      transactionId,
      error: stored,
      needsNewKey: kind === 'replayed',
      isReported,
      at,
      checkAt: at + nextDelayMs(attempts),
    };
    // If `recordFailure` fails, the intent keeps its previous check time.
    await store.write('shop.recordFailure', request).catch((failure: unknown) => {
      log.error('payment.write_failed', { transactionId, reason: messageOf(failure) });
    });
  }

  async #abandon(transactionId: string, error: StoredError): Promise<void> {
    const at = Math.trunc(this.#o.clock.wallTime());
    const request: AbandonRequest = { transactionId, error, at };
    await this.#o.store.write('shop.abandon', request);
  }
}
