import { GatewayError, messageOf } from '../../shared/errors.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { PaymentErrorReason, PaymentProvider, PaymentStatus } from '../../shared/ports/payments.js';
import type { Store } from '../../shared/ports/store.js';
import type { PaymentReads } from '../reads.js';
import type { PaymentRow } from '../rows.js';
import type { CheckoutCreation } from './checkout-creation.js';
import { nextDelayMs, toStoredError } from './errors.js';
import type { FailureRequest } from './failure-writes.js';
import type { ProviderCalls } from './provider-calls.js';
import type { StatusRequest } from './status-and-refund-writes.js';

const CHECK_INTERVAL_MS = 1000;
const BATCH_SIZE = 20;

interface ReconcilerDeps {
  store: Store;
  reads: PaymentReads;
  provider: PaymentProvider;
  /** The reconciler has its own slots, so that its calls do not delay buyers. */
  calls: ProviderCalls;
  creation: CheckoutCreation;
  inProgress: Set<string>;
  clock: Clock;
  log: Log;
}

/** Reads the status of open payments after a crash, after a lost response and during checkout. */
export class Reconciler {
  readonly #o: ReconcilerDeps;
  readonly #refreshing = new Map<string, Promise<PaymentStatus>>();
  #round: Promise<void> | undefined;
  #timers: Cancel[] = [];
  #isClosed = false;

  constructor(deps: ReconcilerDeps) {
    this.#o = deps;
  }

  /** Reconciles intents left open by a crash and starts the checks. Does nothing on a read-only store. */
  start(): void {
    const { clock, reads, store } = this.#o;
    if (store.status().readOnly) return;
    this.#timers.push(clock.every(CHECK_INTERVAL_MS, () => void this.run()));
    this.#begin(reads.creating());
  }

  /** Reconciles due payments in the next event-loop iteration. */
  kick(): void {
    const cancel = this.#o.clock.after(0, () => {
      this.#timers = this.#timers.filter((timer) => timer !== cancel);
      void this.run();
    });
    this.#timers.push(cancel);
  }

  /** If a round of reconciliation is already running, returns that round's promise. */
  run(): Promise<void> {
    if (this.#round) return this.#round;
    const { reads, clock, provider } = this.#o;
    return this.#begin(reads.due(Math.trunc(clock.wallTime()), BATCH_SIZE, provider.name));
  }

  /** Prevents further rounds. Does not wait for active provider calls. */
  close(): void {
    this.#isClosed = true;
    for (const cancel of this.#timers) cancel();
  }

  /** Never rejects; errors are stored with the payment. */
  async reconcile(row: PaymentRow): Promise<void> {
    const { inProgress, creation, calls, provider } = this.#o;
    const { transactionId } = row;
    if (inProgress.has(transactionId)) return;
    inProgress.add(transactionId);
    try {
      if (row.provider !== provider.name) throw otherProvider(row);
      if (row.intentState === 'creating') await creation.resolve(row);
      else await this.refresh(row, 'reconcile', calls);
    } catch (error) {
      await this.#postpone(row, error);
    } finally {
      inProgress.delete(transactionId);
    }
  }

  /** Concurrent calls for a payment share one request to the provider. */
  refresh(row: PaymentRow, source: StatusRequest['source'], calls: ProviderCalls): Promise<PaymentStatus> {
    const { providerStatus, transactionId } = row;
    const isFinal = providerStatus === 'completed' || providerStatus === 'failed';
    // A webhook rechecks even a final payment, because its status may have changed.
    if (isFinal && source === 'provider') return Promise.resolve(providerStatus);
    const refreshing = this.#refreshing.get(transactionId) ?? this.#readStatus(row, source, calls);
    this.#refreshing.set(transactionId, refreshing);
    return refreshing;
  }

  async #readStatus(
    row: PaymentRow,
    source: StatusRequest['source'],
    calls: ProviderCalls,
  ): Promise<PaymentStatus> {
    const { store, provider, clock } = this.#o;
    const { transactionId, providerRef, attempts } = row;
    try {
      if (row.provider !== provider.name || providerRef === null) throw otherProvider(row);
      const {
        status,
        facts,
        total,
        isProcessing = false,
        paymentRef,
        returned,
      } = await calls.call((its) => its.get(providerRef));
      const isUnchanged =
        status === row.providerStatus && row.delayed === (isProcessing ? 'processing' : null);
      // An unchanged status is not stored, so that polling clients cause no writes.
      if (isUnchanged && source === 'provider') return status;
      const at = Math.trunc(clock.wallTime());
      const checkAt = at + nextDelayMs(attempts);
      const request: StatusRequest = {
        transactionId,
        status,
        facts,
        total,
        isProcessing,
        paymentRef,
        returned,
        source,
        at,
        checkAt,
      };
      return (await store.write<PaymentStatus | null>('shop.recordStatus', request)) ?? status;
    } finally {
      this.#refreshing.delete(transactionId);
    }
  }

  #begin(rows: readonly PaymentRow[]): Promise<void> {
    this.#round = this.#reconcileAll(rows).finally(() => {
      this.#round = undefined;
    });
    return this.#round;
  }

  async #reconcileAll(rows: readonly PaymentRow[]): Promise<void> {
    for (const row of rows) {
      if (this.#isClosed) return;
      await this.reconcile(row);
    }
  }

  async #postpone({ transactionId, attempts }: PaymentRow, error: unknown): Promise<void> {
    // Checkout creation has already stored the error.
    if (error instanceof GatewayError && error.code === 'LOGIN_FAILED') return;
    const { store, clock, log } = this.#o;
    const at = Math.trunc(clock.wallTime());
    const checkAt = at + nextDelayMs(attempts);
    const request: FailureRequest = {
      transactionId,
      error: toStoredError(error),
      at,
      checkAt,
      needsNewKey: false,
      isReported: false,
    };
    if (attempts === 0) log.warn('payment.reconcile_failed', { transactionId, reason: messageOf(error) });
    await store.write('shop.recordFailure', request).catch((failure: unknown) => {
      if (!this.#isClosed) log.error('payment.write_failed', { reason: messageOf(failure) });
    });
  }
}

function otherProvider(row: PaymentRow): GatewayError {
  const text = `this payment was created with ${row.provider}, which is not the configured provider`;
  const reason: PaymentErrorReason = 'other-provider';
  return new GatewayError('PROVIDER_UNCLEAR', text, { reason });
}
