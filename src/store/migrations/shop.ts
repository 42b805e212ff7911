import type { Migration } from './migration.js';

/**
 * Times are Unix times in ms; amounts are in minor units. `orders` does not reference `payments`, because an
 * order may have no payment. `payment_events` is append-only.
 */
export const shop: Migration = {
  name: 'shop',
  up(db) {
    db.exec(CATALOGUE);
    db.exec(PAYMENTS);
    db.exec(SANDBOX);
    for (const [when, name] of [
      ['UPDATE', 'no_update'],
      ['DELETE', 'no_delete'],
    ]) {
      db.exec(`
        CREATE TRIGGER payment_events_${name} BEFORE ${when} ON payment_events
        BEGIN SELECT RAISE(ABORT, 'append-only'); END;
      `);
    }
  },
};

const CATALOGUE = `
  CREATE TABLE games (
    id INTEGER PRIMARY KEY,
    sku TEXT UNIQUE,
    title TEXT NOT NULL CHECK (length(title) BETWEEN 1 AND 200),
    price_minor INTEGER NOT NULL CHECK (price_minor >= 0),
    currency TEXT NOT NULL CHECK (currency GLOB '[A-Z][A-Z][A-Z]'),
    active INTEGER NOT NULL DEFAULT 1 CHECK (active IN (0, 1)),
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE cart_items (
    user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    game_id INTEGER NOT NULL REFERENCES games (id),
    quantity INTEGER NOT NULL DEFAULT 1 CHECK (quantity BETWEEN 1 AND 99),
    added_at INTEGER NOT NULL,
    PRIMARY KEY (user_id, game_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX cart_game ON cart_items (game_id);
  CREATE TABLE orders (
    id INTEGER PRIMARY KEY,
    order_id TEXT NOT NULL,
    user_id INTEGER NOT NULL REFERENCES users (id),
    game_id INTEGER NOT NULL REFERENCES games (id),
    quantity INTEGER NOT NULL DEFAULT 1 CHECK (quantity BETWEEN 1 AND 99),
    paid_at INTEGER,
    created_at INTEGER NOT NULL,
    UNIQUE (order_id, user_id, game_id)
  ) STRICT;
  CREATE INDEX orders_game ON orders (game_id);
  CREATE INDEX orders_user ON orders (user_id);
  CREATE TABLE shop_facts (
    name TEXT PRIMARY KEY,
    at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
`;

/** `key_number` counts the idempotency keys used, because providers repeat an earlier failure for a used key. */
const PAYMENTS = `
  CREATE TABLE payments (
    seq INTEGER PRIMARY KEY,
    transaction_id TEXT NOT NULL UNIQUE CHECK (length(transaction_id) = 36),
    order_id TEXT NOT NULL UNIQUE CHECK (length(order_id) BETWEEN 1 AND 64),
    user_id INTEGER REFERENCES users (id),
    amount_minor INTEGER NOT NULL CHECK (amount_minor BETWEEN 1 AND 99999999),
    currency TEXT NOT NULL CHECK (currency GLOB '[A-Z][A-Z][A-Z]'),
    provider TEXT NOT NULL,
    provider_ref TEXT,
    checkout_url TEXT,
    return_url TEXT NOT NULL,
    intent_state TEXT NOT NULL DEFAULT 'creating' CHECK (intent_state IN ('creating', 'created', 'abandoned')),
    status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'completed', 'failed')),
    status_source TEXT NOT NULL DEFAULT 'local' CHECK (status_source IN ('local', 'provider', 'manual')),
    provider_status TEXT CHECK (provider_status IN ('pending', 'completed', 'failed')),
    client_key TEXT,
    request_hash BLOB,
    key_number INTEGER NOT NULL DEFAULT 1,
    attempts INTEGER NOT NULL DEFAULT 0,
    next_check_at INTEGER,
    last_error TEXT,
    told_failed INTEGER NOT NULL DEFAULT 0 CHECK (told_failed IN (0, 1)),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    UNIQUE (provider, provider_ref),
    CHECK ((intent_state = 'created') = (provider_ref IS NOT NULL))
  ) STRICT;
  CREATE UNIQUE INDEX payments_client_key ON payments (client_key) WHERE client_key IS NOT NULL;
  CREATE INDEX payments_due ON payments (next_check_at) WHERE next_check_at IS NOT NULL;
  CREATE INDEX payments_user ON payments (user_id, seq);
  CREATE TABLE payment_events (
    id INTEGER PRIMARY KEY,
    transaction_id TEXT NOT NULL REFERENCES payments (transaction_id),
    source TEXT NOT NULL CHECK (source IN ('local', 'provider', 'webhook', 'manual', 'reconcile')),
    from_status TEXT,
    to_status TEXT NOT NULL,
    provider_event_id TEXT UNIQUE,
    actor TEXT,
    conflict INTEGER NOT NULL DEFAULT 0 CHECK (conflict IN (0, 1)),
    detail TEXT,
    at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX payment_events_tx ON payment_events (transaction_id, id);
  CREATE TABLE provider_prices (
    provider TEXT NOT NULL,
    currency TEXT NOT NULL,
    amount_minor INTEGER NOT NULL,
    price_ref TEXT NOT NULL,
    PRIMARY KEY (provider, currency, amount_minor)
  ) STRICT, WITHOUT ROWID;
`;

/**
 * The embedded provider's data. No other table references it, because other providers store their data elsewhere.
 */
const SANDBOX = `
  CREATE TABLE sandbox_checkouts (
    ref TEXT PRIMARY KEY,
    idempotency_key TEXT NOT NULL UNIQUE,
    transaction_id TEXT NOT NULL,
    order_id TEXT NOT NULL,
    amount_minor INTEGER NOT NULL,
    currency TEXT NOT NULL,
    return_url TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'paid', 'expired')),
    declines INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX sandbox_transaction ON sandbox_checkouts (transaction_id);
`;

const DAYS_7_MS = 7 * 86_400_000;

/**
 * Adds the collected amount and the price of each order line. A payment settles an order only if the collected amount
 * covers the total. Existing order lines are given the game's current price. Events of a failed payment can be deleted
 * after a week; other events remain append-only.
 */
export const settlement: Migration = {
  name: 'settlement',
  up(db) {
    db.exec(`
      ALTER TABLE payments ADD COLUMN paid_minor INTEGER CHECK (paid_minor >= 0);
      ALTER TABLE payments ADD COLUMN paid_currency TEXT;
      ALTER TABLE payments ADD COLUMN settlement TEXT CHECK (settlement IN ('settled', 'underpaid', 'mismatch'));
      CREATE INDEX payments_given_up ON payments (updated_at) WHERE status = 'failed' AND next_check_at IS NULL;
      ALTER TABLE orders ADD COLUMN price_minor INTEGER CHECK (price_minor >= 0);
      ALTER TABLE orders ADD COLUMN currency TEXT;
      ALTER TABLE orders ADD COLUMN by_customer INTEGER NOT NULL DEFAULT 0 CHECK (by_customer IN (0, 1));
      UPDATE orders SET (price_minor, currency) = (SELECT price_minor, currency FROM games WHERE id = game_id);
      CREATE INDEX orders_unpaid ON orders (created_at) WHERE by_customer = 1 AND paid_at IS NULL;
      DROP TRIGGER payment_events_no_delete;
      CREATE TRIGGER payment_events_no_delete BEFORE DELETE ON payment_events
      WHEN OLD.at > CAST(unixepoch('subsec') * 1000 AS INTEGER) - ${DAYS_7_MS}
        OR OLD.to_status = 'completed'
        OR (SELECT status FROM payments WHERE transaction_id = OLD.transaction_id) IS NOT 'failed'
      BEGIN SELECT RAISE(ABORT, 'append-only'); END;
    `);
  },
};

/** A payment with a delayed payment method can be pending for days after its checkout was completed. */
export const delayedPayments: Migration = {
  name: 'delayed-payments',
  up(db) {
    db.exec("ALTER TABLE payments ADD COLUMN delayed TEXT CHECK (delayed IN ('processing', 'failed'))");
  },
};

/**
 * Adds refunds and disputes. The status of completed payments is queried once more, because they may have been
 * refunded before this version was installed.
 */
export const refunds: Migration = {
  name: 'refunds',
  up(db) {
    db.exec(`
      ALTER TABLE payments ADD COLUMN payment_ref TEXT;
      ALTER TABLE payments ADD COLUMN refunded_minor INTEGER NOT NULL DEFAULT 0 CHECK (refunded_minor >= 0);
      ALTER TABLE payments ADD COLUMN disputed_minor INTEGER NOT NULL DEFAULT 0 CHECK (disputed_minor >= 0);
      ALTER TABLE payments ADD COLUMN lost_minor INTEGER NOT NULL DEFAULT 0 CHECK (lost_minor >= 0);
      CREATE INDEX payments_payment_ref ON payments (payment_ref) WHERE payment_ref IS NOT NULL;
      UPDATE payments SET next_check_at = CAST(unixepoch('subsec') * 1000 AS INTEGER)
      WHERE provider <> 'sandbox' AND provider_status = 'completed' AND intent_state = 'created';
    `);
  },
};

/** Moves the code of a payment's latest error from `last_error`, which was `CODE: message`, to its own column. */
export const paymentErrors: Migration = {
  name: 'payment-errors',
  up(db) {
    db.exec(`
      ALTER TABLE payments ADD COLUMN error_code TEXT;
      UPDATE payments SET error_code = substr(last_error, 1, instr(last_error, ': ') - 1),
        last_error = substr(last_error, instr(last_error, ': ') + 2)
      WHERE instr(last_error, ': ') > 1
        AND substr(last_error, 1, instr(last_error, ': ') - 1) NOT GLOB '*[^A-Z_]*';
    `);
  },
};

/**
 * `payment_events.actor` is an actor as JSON. Earlier versions stored only the name: `anna`, `key tablet` or, for a
 * trusted network, `trusted network`.
 */
export const paymentActors: Migration = {
  name: 'payment-actors',
  up(db) {
    db.exec(`
      DROP TRIGGER payment_events_no_update;
      UPDATE payment_events SET actor = CASE
        WHEN actor = 'trusted network' THEN json_object('kind', 'user', 'id', '', 'name', actor)
        WHEN substr(actor, 1, 4) = 'key ' THEN json_object('kind', 'key', 'id', substr(actor, 5), 'name', json_object(
          'code', 'shared.key', 'params', json_object('name', substr(actor, 5)), 'text', actor))
        ELSE json_object('kind', 'user', 'id', actor, 'name', actor) END
      WHERE actor IS NOT NULL;
      CREATE TRIGGER payment_events_no_update BEFORE UPDATE ON payment_events
      BEGIN SELECT RAISE(ABORT, 'append-only'); END;
    `);
  },
};
