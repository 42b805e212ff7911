import type { Migration } from './migration.js';

const DAYS_7_MS = 7 * 86_400_000;

/**
 * What a payment collected, and what each order line cost when it was ordered: only a payment of that sum settles them.
 * Lines from before this version take today's price. The record of a payment that failed and was never completed may be
 * deleted after a week; that of any other payment stays append-only.
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
