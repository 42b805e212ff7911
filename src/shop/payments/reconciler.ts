import { GatewayError, messageOf } from '../../shared/errors.js';
import type { Cancel, Clock, Log, Store } from '../../shared/ports/ports.js';
import type { PaymentReads } from '../reads.js';
import type { PaymentRow } from '../rows.js';
import type { ProviderCalls } from './calls.js';
import type { Creation } from './creation.js';
import type { PaymentProvider, PaymentStatus } from './provider.js';
import type { HeardRequest } from './status-writes.js';
import { nextDelayMs, noteOf } from './trouble.js';
import type { TroubleRequest } from './trouble-writes.js';

const LOOK_EVERY_MS = 1000;
const AT_ONCE = 20;

interface ReconcilerDeps {
  store: Store;
  reads: PaymentReads;
  provider: PaymentProvider;
  /** Its own calls: one after the other, and never in the way of a buyer who waits. */
  calls: ProviderCalls;
  creation: Creation;
  /** Payments that somebody works on now, by transaction id. */
  busy: Set<string>;
  clock: Clock;
  log: Log;
}

/** Looks after payments whose end is not known: after a crash, a lost answer, or while the buyer pays. */
export class Reconciler {
  readonly #o: ReconcilerDeps;
  readonly #asking = new Map<string, Promise<PaymentStatus>>();
  #round: Promise<void> | undefined;
  #timers: Cancel[] = [];
  #isEnded = false;

  constructor(deps: ReconcilerDeps) {
    this.#o = deps;
  }

  /** First all intents that a crash may have left, then whatever falls due; nothing while no answer could be kept. */
  start(): void {
    const { clock, reads, store } = this.#o;
    if (store.status().readOnly) return;
    this.#timers.push(clock.every(LOOK_EVERY_MS, () => void this.run()));
    this.#begin(reads.creating());
  }

  /** Looks again at once. */
  kick(): void {
    const cancel = this.#o.clock.after(0, () => {
      this.#timers = this.#timers.filter((timer) => timer !== cancel);
      void this.run();
    });
    this.#timers.push(cancel);
  }

  /** Looks at what is due; resolves when that is done. While one round is under way, it is that one. */
  run(): Promise<void> {
    if (this.#round) return this.#round;
    return this.#begin(this.#o.reads.due(Math.trunc(this.#o.clock.wallTime()), AT_ONCE));
  }

  /** Starts nothing new. A provider that hangs is not waited for. */
  close(): void {
    this.#isEnded = true;
    for (const cancel of this.#timers) cancel();
  }

  /** Brings one payment up to date. Never rejects: what went wrong is kept with it. */
  async reconcile(row: PaymentRow): Promise<void> {
    const { busy, creation, calls, provider } = this.#o;
    const { transactionId } = row;
    if (busy.has(transactionId)) return;
    busy.add(transactionId);
    try {
      if (row.provider !== provider.name) throw otherProvider(row);
      if (row.intentState === 'creating') await creation.resolve(row);
      else await this.refresh(row, 'reconcile', calls);
    } catch (error) {
      await this.#postpone(row, error);
    } finally {
      busy.delete(transactionId);
    }
  }

  /** What the provider says now, kept when it is news; callers who ask for the same payment share one call. */
  refresh(row: PaymentRow, source: HeardRequest['source'], calls: ProviderCalls): Promise<PaymentStatus> {
    const { providerStatus, transactionId } = row;
    if (providerStatus === 'completed' || providerStatus === 'failed') return Promise.resolve(providerStatus);
    const asking = this.#asking.get(transactionId) ?? this.#ask(row, source, calls);
    this.#asking.set(transactionId, asking);
    return asking;
  }

  async #ask(row: PaymentRow, source: HeardRequest['source'], calls: ProviderCalls): Promise<PaymentStatus> {
    const { store, provider, clock } = this.#o;
    const { transactionId, providerRef, attempts } = row;
    try {
      if (row.provider !== provider.name || providerRef === null) throw otherProvider(row);
      const { status, detail, total } = await calls.call((its) => its.get(providerRef));
      // A buyer who asks again and again writes nothing.
      if (status === row.providerStatus && source === 'provider') return status;
      const at = Math.trunc(clock.wallTime());
      const checkAt = at + nextDelayMs(attempts);
      const request: HeardRequest = { transactionId, status, detail, total, source, at, checkAt };
      return (await store.write<PaymentStatus | null>('shop.heard', request)) ?? status;
    } finally {
      this.#asking.delete(transactionId);
    }
  }

  #begin(rows: readonly PaymentRow[]): Promise<void> {
    this.#round = this.#oneByOne(rows).finally(() => {
      this.#round = undefined;
    });
    return this.#round;
  }

  async #oneByOne(rows: readonly PaymentRow[]): Promise<void> {
    for (const row of rows) {
      if (this.#isEnded) return;
      await this.reconcile(row);
    }
  }

  async #postpone({ transactionId, attempts }: PaymentRow, error: unknown): Promise<void> {
    // Kept already, in the words of what went wrong.
    if (error instanceof GatewayError && error.code === 'LOGIN_FAILED') return;
    const { store, clock, log } = this.#o;
    const at = Math.trunc(clock.wallTime());
    const checkAt = at + nextDelayMs(attempts);
    const request: TroubleRequest = {
      ...{ transactionId, error: noteOf(error), at, checkAt },
      isKeySpent: false,
      isTold: false,
    };
    if (attempts === 0) log.warn('payment.unsettled', { transactionId, reason: messageOf(error) });
    await store.write('shop.trouble', request).catch((failure: unknown) => {
      if (!this.#isEnded) log.error('payment.trouble_not_kept', { reason: messageOf(failure) });
    });
  }
}

function otherProvider(row: PaymentRow): GatewayError {
  const text = `this payment was made with ${row.provider}, which is not the provider in use`;
  return new GatewayError('PROVIDER_UNCLEAR', text);
}
