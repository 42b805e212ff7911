import { randomUUID } from 'node:crypto';
import { GatewayError } from '../../shared/errors.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { Statement } from '../../shared/ports/database.js';
import type {
  Checkout,
  CheckoutRequest,
  PaymentFact,
  PaymentProvider,
  SandboxCheckouts,
  SandboxChoice,
  SandboxView,
} from '../../shared/ports/payments.js';
import type { Store } from '../../shared/ports/store.js';
import { SANDBOX_COLUMNS, type SandboxCreate, type SandboxMove, type SandboxRow } from './sandbox-writes.js';

type Call = 'create' | 'get' | 'expire' | 'find';

/** Fault injection for tests. A call rejects if a hook rejects, and hangs while a hook is pending. */
export interface SandboxFaults {
  /** Runs before the call is processed, to simulate a refused connection. */
  before?(call: Call): Promise<void>;
  /** Runs after the call is stored, to simulate a lost response. */
  after?(call: Call): Promise<void>;
}

interface SandboxOptions {
  store: Store;
  clock: Clock;
  faults?: SandboxFaults;
}

/** As with Stripe, a checkout expires after a day. */
const LIFETIME_MS = 86_400_000;
const MOVES = { pay: 'paid', decline: 'declined', cancel: 'expired' } as const;

/** An in-process payment provider with its own table and checkout page. No money is transferred. */
export class Sandbox implements PaymentProvider, SandboxCheckouts {
  readonly name = 'sandbox';
  readonly #o: SandboxOptions;
  readonly #byRef: Statement<SandboxRow>;
  readonly #byTransaction: Statement<SandboxRow>;

  constructor(options: SandboxOptions) {
    this.#o = options;
    const { read } = options.store;
    const rows = `SELECT ${SANDBOX_COLUMNS} FROM sandbox_checkouts`;
    this.#byRef = read.prepare(`${rows} WHERE ref = @ref`);
    this.#byTransaction = read.prepare(
      `${rows} WHERE transaction_id = @transactionId AND created_at >= @sinceMs LIMIT 1`,
    );
  }

  create(request: CheckoutRequest): Promise<Checkout> {
    return this.#answer('create', async () => {
      const { store, clock } = this.#o;
      const ref = `sbx_${randomUUID().replaceAll('-', '')}`;
      const args: SandboxCreate = { ...request, ref, at: Math.trunc(clock.wallTime()) };
      const row = await store.write<SandboxRow | null>('sandbox.create', args);
      if (row?.transactionId === request.transactionId && row.amountMinor === request.amountMinor) return row;
      throw new GatewayError('PROVIDER_UNCLEAR', 'the idempotency key was used for a different payment');
    });
  }

  get(ref: string): Promise<Checkout> {
    return this.#answer('get', async () => this.#find(ref));
  }

  expire(ref: string): Promise<Checkout> {
    return this.#answer('expire', () => this.#move(ref, 'expired'));
  }

  async findByTransaction(transactionId: string, sinceMs: number): Promise<Checkout | undefined> {
    const { faults } = this.#o;
    await faults?.before?.('find');
    const row = this.#byTransaction.get({ transactionId, sinceMs: Math.trunc(sinceMs) });
    await faults?.after?.('find');
    return row && this.#toCheckout(row);
  }

  view(ref: string): SandboxView | undefined {
    const row = this.#byRef.get({ ref });
    return row && { ...row, state: this.#stateOf(row) };
  }

  async choose(ref: string, choice: SandboxChoice): Promise<SandboxView> {
    const row = this.#find(ref);
    if (this.#stateOf(row) !== 'open') return { ...row, state: this.#stateOf(row) };
    return await this.#move(ref, MOVES[choice]);
  }

  async #answer(call: Call, run: () => Promise<SandboxRow>): Promise<Checkout> {
    const { faults } = this.#o;
    await faults?.before?.(call);
    const row = await run();
    await faults?.after?.(call);
    return this.#toCheckout(row);
  }

  #find(ref: string): SandboxRow {
    const row = this.#byRef.get({ ref });
    if (row) return row;
    throw notFound();
  }

  async #move(ref: string, to: SandboxMove['to']): Promise<SandboxRow> {
    const args: SandboxMove = { ref, to };
    const row = await this.#o.store.write<SandboxRow | null>('sandbox.move', args);
    if (row) return row;
    throw notFound();
  }

  #stateOf({ state, createdAt }: SandboxRow): SandboxRow['state'] {
    return state === 'open' && this.#o.clock.wallTime() - createdAt > LIFETIME_MS ? 'expired' : state;
  }

  #toCheckout(row: SandboxRow): Checkout {
    const state = this.#stateOf(row);
    const status = ({ open: 'pending', paid: 'completed', expired: 'failed' } as const)[state];
    const { declines } = row;
    const facts: PaymentFact[] = [{ code: state, text: state }];
    if (declines > 0)
      facts.push({ code: 'declined', text: `declined ${declines} times`, values: [declines] });
    const page = state === 'open' ? { url: `/sandbox/${row.ref}` } : {};
    const { ref, amountMinor, currency } = row;
    return { ref, status, facts, total: { amountMinor, currency }, ...page };
  }
}

function notFound(): GatewayError {
  return new GatewayError('NOT_FOUND', 'the sandbox has no such payment');
}
