import type { Migration } from './migration.js';

/** `facts` are the codes and values of an event. Earlier versions stored only `detail`, their English text. */
export const paymentFacts: Migration = {
  name: 'payment-facts',
  up(db) {
    db.exec(`
      ALTER TABLE payment_events ADD COLUMN facts TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(facts));
      DROP TRIGGER payment_events_no_update;
    `);
    const events = db.prepare<{ id: number; detail: string }>(
      'SELECT id, detail FROM payment_events WHERE detail IS NOT NULL',
    );
    const update = db.prepare('UPDATE payment_events SET facts = @facts WHERE id = @id');
    for (const { id, detail } of events.all()) update.run({ id, facts: JSON.stringify(factsOf(detail)) });
    db.exec(`
      CREATE TRIGGER payment_events_no_update BEFORE UPDATE ON payment_events
      BEGIN SELECT RAISE(ABORT, 'append-only'); END;
    `);
  },
};

interface Fact {
  code: string;
  values?: (string | number)[];
}

const MONEY = '([A-Z]{3}) (\\d+\\.\\d\\d)';

/** The texts of versions 0.1 and 0.2. The first form that matches applies. */
const FORMS: readonly (readonly [form: RegExp, code: string])[] = [
  [/^(?:requested|asked for)$/, 'requested'],
  [/^basket$/, 'basket'],
  [/^open(?:\/\w+)?$/, 'open'],
  [/^(?:paid|complete\/paid)$/, 'paid'],
  [/^complete\/no_payment_required$/, 'nothing-to-pay'],
  [/^complete\/unpaid$/, 'complete'],
  [/^expired(?:\/\w+)?$/, 'expired'],
  [/^declined (\d+) times$/, 'declined'],
  [/^payment intent succeeded$/, 'transfer-succeeded'],
  [/^payment intent canceled$/, 'transfer-cancelled'],
  [/^payment intent requires_payment_method$/, 'transfer-failed'],
  [/^payment intent unreadable$/, 'transfer-unreadable'],
  [/^payment intent \w+$/, 'transfer-pending'],
  [new RegExp(`^refunded: ${MONEY}$`), 'refunded'],
  [new RegExp(`^disputed: ${MONEY}$`), 'disputed'],
  [new RegExp(`^lost in a dispute: ${MONEY}$`), 'lost'],
  [new RegExp(`^underpaid: ${MONEY} ordered$`), 'underpaid'],
  [new RegExp(`^${MONEY} paid$`), 'collected'],
  [new RegExp(`^${MONEY} paid after refunds$`), 'left'],
  [/^mismatch: the order has lines from another customer(?: after refunds)?$/, 'other-customer'],
  [
    /^mismatch: the order has lines in a currency other than ([A-Z]{3})(?: after refunds)?$/,
    'other-currency',
  ],
  [/^rejected: only a pending payment can be changed$/, 'closed'],
  [/^(?:the )?buyer chose pay$/, 'buyer-paid'],
  [/^(?:the )?buyer chose decline$/, 'buyer-declined'],
  [/^(?:the )?buyer chose cancel$/, 'buyer-cancelled'],
  [/^checkout\.session\.(?:completed|async_payment_succeeded)$/, 'session-paid'],
  [/^checkout\.session\.async_payment_failed$/, 'session-failed'],
  [/^checkout\.session\.expired$/, 'session-expired'],
  [/^refund\.failed$/, 'refund-failed'],
  [/^(?:charge\.refunded|charge\.refund\.\w+|refund\.\w+)$/, 'refund-changed'],
  [/^charge\.dispute\.created$/, 'dispute-opened'],
  [/^charge\.dispute\.closed$/, 'dispute-closed'],
  [/^charge\.dispute\.\w+$/, 'dispute-changed'],
];

/** Texts in an unknown form have no facts. */
function factsOf(detail: string): Fact[] {
  // The event of an abandoned payment contains its error as `CODE: message`.
  const [, code, message = ''] = /^([A-Z]+(?:_[A-Z]+)*): (.*)$/s.exec(detail) ?? [];
  if (code !== undefined) return [{ code: 'error', values: [code, message] }];
  return detail.split(', ').flatMap((part) => factOf(part) ?? []);
}

function factOf(part: string): Fact | undefined {
  for (const [form, code] of FORMS) {
    const found = form.exec(part);
    if (!found) continue;
    const [, first, second] = found;
    if (first === undefined) return { code };
    if (second !== undefined) return { code, values: [Math.round(Number(second) * 100), first] };
    return { code, values: [code === 'declined' ? Number(first) : first] };
  }
  return undefined;
}

/**
 * `payments.error_reason` is more specific than `error_code`. Earlier versions stored the reason only in a
 * message: in `last_error`, and in the facts of the events of abandoned payments.
 */
export const paymentErrorReasons: Migration = {
  name: 'payment-error-reasons',
  up(db) {
    db.exec(`
      ALTER TABLE payments ADD COLUMN error_reason TEXT;
      DROP TRIGGER payment_events_no_update;
    `);
    const errors = db.prepare<{ id: string; message: string }>(
      'SELECT transaction_id AS id, last_error AS message FROM payments WHERE last_error IS NOT NULL',
    );
    const updateError = db.prepare('UPDATE payments SET error_reason = @reason WHERE transaction_id = @id');
    for (const { id, message } of errors.all()) updateError.run({ id, reason: reasonOf(message) });
    const events = db.prepare<{ id: number; code: string; message: string }>(`
      SELECT id, facts ->> '$[0].values[0]' AS code, facts ->> '$[0].values[1]' AS message FROM payment_events
      WHERE facts ->> '$[0].code' = 'error'`);
    const updateEvent = db.prepare('UPDATE payment_events SET facts = @facts WHERE id = @id');
    for (const { id, code, message } of events.all()) {
      const values = [code, reasonOf(message) ?? ''];
      updateEvent.run({ id, facts: JSON.stringify([{ code: 'error', values }]) });
    }
    db.exec(`
      CREATE TRIGGER payment_events_no_update BEFORE UPDATE ON payment_events
      BEGIN SELECT RAISE(ABORT, 'append-only'); END;
    `);
  },
};

/** The messages of version 0.2. */
const REASONS: readonly (readonly [form: RegExp, reason: string])[] = [
  [/^Stripe does not accept this amount: amount too small$/, 'amount-too-small'],
  [/^Stripe does not accept this amount: amount too large$/, 'amount-too-large'],
  [/^Stripe rejected the API key$/, 'key-rejected'],
  [/^Stripe rejected the card/, 'card-declined'],
  [/^Stripe cannot be reached$/, 'unreachable'],
  [/^the payment provider did not respond within/, 'no-response'],
  [/^this payment was created with \w+,/, 'other-provider'],
  [/^the payment provider has no such payment$/, 'no-such-payment'],
];

function reasonOf(message: string): string | null {
  return REASONS.find(([form]) => form.test(message))?.[1] ?? null;
}
