import { parseActor } from '../shared/actor.js';
import type { ReadDatabase, Statement } from '../shared/ports/database.js';
import { EVENT_COLUMNS, PAYMENT_COLUMNS, type PaymentEvent, type PaymentRow } from './rows.js';

const BY_TRANSACTION = `SELECT ${PAYMENT_COLUMNS} FROM payments WHERE transaction_id = @id`;
const BY_ORDER = `SELECT ${PAYMENT_COLUMNS} FROM payments WHERE order_id = @id`;
const NEWEST = `SELECT ${PAYMENT_COLUMNS} FROM payments WHERE seq < @before ORDER BY seq DESC LIMIT @limit`;
const OF_USER = `
  SELECT ${PAYMENT_COLUMNS} FROM payments WHERE user_id = @userId ORDER BY seq DESC LIMIT @limit`;
const EVENTS = `SELECT ${EVENT_COLUMNS} FROM payment_events WHERE transaction_id = @id ORDER BY id LIMIT 200`;
/** Refunds of another provider's payments cannot be read. A check scheduled more than 2 h ahead is also due, because the clock must have been set back. */
const DUE = `
  SELECT ${PAYMENT_COLUMNS} FROM payments INDEXED BY payments_due
  WHERE (next_check_at <= @now OR next_check_at > @now + 7200000)
    AND (provider = @provider OR provider_status IS NOT 'completed') ORDER BY next_check_at LIMIT @limit`;
const CREATING = `
  SELECT ${PAYMENT_COLUMNS} FROM payments INDEXED BY payments_due
  WHERE next_check_at IS NOT NULL AND intent_state = 'creating' ORDER BY seq LIMIT 1000`;
const USERNAME = 'SELECT username AS name FROM users WHERE id = @userId';
const EVENTS_READ_AT = "SELECT at FROM shop_facts WHERE name = 'provider-events'";
const PRICE = `
  SELECT price_ref AS ref FROM provider_prices
  WHERE provider = @provider AND currency = @currency AND amount_minor = @amountMinor`;

interface EventRow extends Omit<PaymentEvent, 'actor' | 'facts'> {
  actor: string | null;
  facts: string;
}

/** Queries on the payment tables; each uses an index. */
export class PaymentReads {
  readonly #byTransaction: Statement<PaymentRow>;
  readonly #byOrder: Statement<PaymentRow>;
  readonly #newest: Statement<PaymentRow>;
  readonly #ofUser: Statement<PaymentRow>;
  readonly #events: Statement<EventRow>;
  readonly #username: Statement<{ name: string }>;
  readonly #due: Statement<PaymentRow>;
  readonly #creating: Statement<PaymentRow>;
  readonly #eventsReadAt: Statement<{ at: number }>;
  readonly #price: Statement<{ ref: string }>;

  constructor(read: ReadDatabase) {
    this.#byTransaction = read.prepare(BY_TRANSACTION);
    this.#byOrder = read.prepare(BY_ORDER);
    this.#newest = read.prepare(NEWEST);
    this.#ofUser = read.prepare(OF_USER);
    this.#events = read.prepare(EVENTS);
    this.#username = read.prepare(USERNAME);
    this.#due = read.prepare(DUE);
    this.#creating = read.prepare(CREATING);
    this.#eventsReadAt = read.prepare(EVENTS_READ_AT);
    this.#price = read.prepare(PRICE);
  }

  byTransaction(id: string): PaymentRow | undefined {
    return this.#byTransaction.get({ id });
  }

  byOrder(id: string): PaymentRow | undefined {
    return this.#byOrder.get({ id });
  }

  newest(limit: number, before = Number.MAX_SAFE_INTEGER): PaymentRow[] {
    return this.#newest.all({ limit, before });
  }

  ofUser(userId: number, limit: number): PaymentRow[] {
    return this.#ofUser.all({ userId, limit });
  }

  /** Returns the customer's username, or undefined if the user has been deleted. */
  username(userId: number): string | undefined {
    return this.#username.get({ userId })?.name;
  }

  /** Returns at most 200 events, oldest first. */
  events(id: string): PaymentEvent[] {
    return this.#events.all({ id }).map(({ actor, facts, ...event }) => ({
      ...event,
      actor: actor === null ? null : parseActor(actor),
      facts: JSON.parse(facts) as PaymentEvent['facts'],
    }));
  }

  /** Returns the payments that are due for a check at `now` (Unix time in ms), earliest first. */
  due(now: number, limit: number, provider: string): PaymentRow[] {
    return this.#due.all({ now, limit, provider });
  }

  /** Returns the Unix time in ms up to which the provider's events have been read. */
  eventsReadAt(): number | undefined {
    return this.#eventsReadAt.get()?.at;
  }

  /** Returns the payments that the provider may or may not have, oldest first. */
  creating(): PaymentRow[] {
    return this.#creating.all();
  }

  price(provider: string, currency: string, amountMinor: number): string | undefined {
    return this.#price.get({ provider, currency, amountMinor })?.ref;
  }
}
