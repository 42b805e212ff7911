import { messageOf } from '../../shared/errors.js';
import type { Clock, Log, Store } from '../../shared/ports/ports.js';
import type { PaymentReads } from '../reads.js';
import type { PaymentRow } from '../rows.js';
import type { ProviderCalls, Slot } from './calls.js';
import type { Checkout } from './provider.js';
import type { HeardRequest } from './status-writes.js';
import { loginFailed, meaningOf, nextDelayMs, noteOf, refusalOf } from './trouble.js';
import type { AbandonRequest, TroubleRequest } from './trouble-writes.js';

interface CreationDeps {
  store: Store;
  reads: PaymentReads;
  calls: ProviderCalls;
  clock: Clock;
  log: Log;
}

const HOUR_MS = 3_600_000;
/** Providers keep idempotency keys for 24 h: before that, asking again cannot make a second payment. */
const KEY_LIVES_MS = 23 * HOUR_MS;
/** The provider's clock may differ from ours. */
const CLOCK_SLACK_MS = 600_000;

/** Brings a payment from the intent that is kept to an object at the provider, or to the certainty that there is none. */
export class Creation {
  readonly #o: CreationDeps;

  constructor(deps: CreationDeps) {
    this.#o = deps;
  }

  /** Asks the provider for it; `isAwaited`: somebody is told how it went. Rejects with `LOGIN_FAILED` or `INVALID_INPUT` after keeping what went wrong. */
  async ask(row: PaymentRow, slot: Slot, isAwaited = true): Promise<PaymentRow> {
    const { transactionId, orderId, amountMinor, currency, returnUrl, keyNumber } = row;
    const idempotencyKey = keyNumber === 1 ? transactionId : `${transactionId}:${keyNumber}`;
    try {
      const checkout = await slot.call((provider) =>
        provider.create({ transactionId, orderId, amountMinor, currency, idempotencyKey, returnUrl }),
      );
      return await this.adopt(row, checkout, 'provider');
    } catch (error) {
      await this.#note(row, error, isAwaited);
      this.#o.log.warn('payment.not_created', { transactionId, reason: messageOf(error) });
      throw meaningOf(error) === 'refused' ? refusalOf(noteOf(error)) : loginFailed(messageOf(error), error);
    }
  }

  /** Takes the provider's object for ours. */
  async adopt(row: PaymentRow, checkout: Checkout, source: 'provider' | 'reconcile'): Promise<PaymentRow> {
    const { ref, status, detail, total, url = null } = checkout;
    const at = Math.trunc(this.#o.clock.wallTime());
    const { transactionId } = row;
    const adopt = { ref, checkoutUrl: url };
    const request: HeardRequest = {
      ...{ transactionId, status, detail, total, source, adopt, at },
      checkAt: at + nextDelayMs(0),
    };
    await this.#o.store.write('shop.heard', request);
    return this.#o.reads.byTransaction(transactionId) ?? row;
  }

  /**
   * Finds out what became of an intent whose answer was lost: it is at the provider, or is asked for again with the same
   * key, or is too old for that and given up. Rejects when the provider still does not tell.
   */
  async resolve(row: PaymentRow): Promise<PaymentRow> {
    const { calls, clock, reads, log } = this.#o;
    const { transactionId, createdAt } = row;
    const found = await calls.call((provider) =>
      provider.findByTransaction(transactionId, createdAt - CLOCK_SLACK_MS),
    );
    if (found) {
      log.info('payment.adopted', { transactionId, ref: found.ref });
      return await this.#forWhom(await this.adopt(row, found, 'reconcile'));
    }
    if (clock.wallTime() - createdAt < KEY_LIVES_MS) {
      return await this.#forWhom(await this.ask(row, calls.reserve(), false));
    }
    await this.#abandon(transactionId, 'PROVIDER_UNCLEAR: the provider never had it');
    return reads.byTransaction(transactionId) ?? row;
  }

  /** Whoever was told that it failed, and has no key to ask again with, must not find it payable. */
  async #forWhom(row: PaymentRow): Promise<PaymentRow> {
    const { providerRef: ref, transactionId } = row;
    if (row.toldFailed === 0 || row.clientKey !== null || row.providerStatus !== 'pending' || !ref)
      return row;
    const { calls, log } = this.#o;
    const expired = await calls.call((provider) => provider.expire(ref));
    log.info('payment.expired', { transactionId, status: expired.status });
    return await this.adopt(row, expired, 'reconcile');
  }

  async #note(row: PaymentRow, error: unknown, isTold: boolean): Promise<void> {
    const { transactionId, attempts } = row;
    const { store, clock, log } = this.#o;
    const at = Math.trunc(clock.wallTime());
    const meaning = meaningOf(error);
    if (meaning === 'refused') return await this.#abandon(transactionId, noteOf(error));
    const request: TroubleRequest = {
      ...{ transactionId, error: noteOf(error), isKeySpent: meaning === 'spent', isTold, at },
      checkAt: at + nextDelayMs(attempts),
    };
    // The intent stays as it is, and is looked at when it is due.
    await store.write('shop.trouble', request).catch((failure: unknown) => {
      log.error('payment.trouble_not_kept', { transactionId, reason: messageOf(failure) });
    });
  }

  async #abandon(transactionId: string, error: string): Promise<void> {
    const at = Math.trunc(this.#o.clock.wallTime());
    const request: AbandonRequest = { transactionId, error, at };
    await this.#o.store.write('shop.abandon', request);
  }
}
