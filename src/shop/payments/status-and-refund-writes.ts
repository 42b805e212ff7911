import type { WriteDatabase } from '../../shared/ports/database.js';
import type { Money, PaymentFact, PaymentStatus, Returned } from '../../shared/ports/payments.js';
import {
  factColumns,
  PAYMENT_COLUMNS,
  type PaymentEvent,
  type PaymentRow,
  type Settlement,
} from '../rows.js';
import { emptyBasketFor, moneyDetail, releaseOrder, settleLines } from './settle-writes.js';

export interface StatusRequest {
  transactionId: string;
  status: PaymentStatus;
  facts: readonly PaymentFact[];
  source: 'provider' | 'reconcile';
  /** The provider's payment for an intent in state `creating`. */
  adopt?: { ref: string; checkoutUrl: string | null };
  /** Amount that the provider collects; undefined if the provider does not report it. */
  total?: Money | undefined;
  /** True if the provider is still processing a delayed payment. */
  isProcessing: boolean;
  /** Undefined if the provider does not report it. */
  paymentRef?: string | undefined;
  returned?: Returned | undefined;
  /** Unix time in ms. */
  at: number;
  /** Time of the next check, as Unix time in ms; ignored if the payment's status is final. */
  checkAt: number;
}

export interface ManualRequest {
  orderId: string;
  status: PaymentStatus;
  /** See `actorJson`. */
  actor: string;
  isStrict: boolean;
  at: number;
}

export type ManualResult = 'unknown' | 'done' | 'refused';

const BY_TRANSACTION = `SELECT ${PAYMENT_COLUMNS} FROM payments WHERE transaction_id = @id`;
const BY_ORDER = `SELECT ${PAYMENT_COLUMNS} FROM payments WHERE order_id = @id`;
const ADOPT = `
  UPDATE payments SET provider_ref = @ref, checkout_url = @checkoutUrl, intent_state = 'created', attempts = 0
  WHERE transaction_id = @id`;
const RECORD_STATUS = `
  UPDATE payments SET provider_status = @providerStatus, status = @status, status_source = @source,
    delayed = @delayed,    next_check_at = @checkAt, attempts = attempts + 1, updated_at = @at
  WHERE transaction_id = @id`;
const RETURNED = `
  UPDATE payments SET payment_ref = coalesce(@paymentRef, payment_ref), refunded_minor = @refundedMinor,
    disputed_minor = @disputedMinor, lost_minor = @lostMinor
  WHERE transaction_id = @id`;
const CHECKED = 'UPDATE payments SET next_check_at = NULL WHERE transaction_id = @id';
const MANUAL = `
  UPDATE payments SET status = @status, status_source = 'manual', updated_at = @at WHERE transaction_id = @id`;
const EVENT = `
  INSERT INTO payment_events (transaction_id, source, from_status, to_status, actor, conflict, detail, facts, at)
  VALUES (@transactionId, @source, @fromStatus, @toStatus, @actor, @conflict, @detail, @facts, @at)`;
const COLLECTED =
  'UPDATE payments SET paid_minor = @amountMinor, paid_currency = @currency WHERE transaction_id = @id';
const SETTLED = 'UPDATE payments SET settlement = @settlement WHERE transaction_id = @id';

/**
 * `completed` never changes, and `failed` only changes to `completed`, because the provider then has the money.
 * Returns null for an unknown or abandoned payment.
 */
export function recordStatus(db: WriteDatabase, request: StatusRequest): PaymentStatus | null {
  const { transactionId: id, adopt, at } = request;
  const row = db.prepare<PaymentRow>(BY_TRANSACTION).get({ id });
  if (!row || row.intentState === 'abandoned') return null;
  if (row.intentState === 'creating') {
    if (!adopt) return null;
    db.prepare(ADOPT).run({ id, ...adopt });
  }
  const reported = reportedStatus(row, request);
  if (isFinal(row.providerStatus) && (row.providerStatus === reported || reported !== 'completed')) {
    db.prepare(CHECKED).run({ id });
    if (recordReturned(db, row, request)) settleReturned(db, id, at);
    return row.providerStatus;
  }
  const status = effectiveStatus(row, reported);
  const conflict = isFinal(reported) && row.statusSource === 'manual' && row.status !== reported;
  const delayed = delayedState(row, reported, request.isProcessing);
  if (reported !== row.providerStatus || delayed !== row.delayed) {
    append(db, row, { ...request, status: reported }, conflict);
  }
  db.prepare(RECORD_STATUS).run({
    id,
    at,
    status,
    providerStatus: reported,
    delayed,
    source: status === row.status ? row.statusSource : 'provider',
    checkAt: isFinal(reported) ? null : request.checkAt,
  });
  const isPaid = reported === 'completed';
  const { total = null } = request;
  if (isPaid && total) db.prepare(COLLECTED).run({ id, ...total });
  recordReturned(db, { ...row, status }, request);
  // Also records the amount that the provider collected if the payment was completed manually.
  if (isPaid || status !== row.status) settle(db, row, status, isPaid ? total : null, at);
  return reported;
}

type Report = Pick<StatusRequest, 'source' | 'at' | 'paymentRef' | 'returned'>;

/** Stores refunds and disputes. Returns true if they changed. */
function recordReturned(db: WriteDatabase, row: PaymentRow, report: Report): boolean {
  const { source, at, paymentRef = null, returned = row } = report;
  const { refundedMinor, disputedMinor, lostMinor } = returned;
  db.prepare(RETURNED).run({ id: row.transactionId, paymentRef, refundedMinor, disputedMinor, lostMinor });
  const facts = changesOf(row, returned);
  if (facts.length === 0) return false;
  append(db, row, { status: row.status, source, facts, at }, false);
  return true;
}

function changesOf(before: PaymentRow, after: Returned): PaymentFact[] {
  const currency = before.paidCurrency ?? before.currency;
  const changes: PaymentFact[] = [];
  for (const [code, name, key] of [
    ['refunded', 'refunded', 'refundedMinor'],
    ['disputed', 'disputed', 'disputedMinor'],
    ['lost', 'lost in a dispute', 'lostMinor'],
  ] as const) {
    const text = `${name}: ${moneyDetail(after[key], currency)}`;
    if (before[key] !== after[key]) changes.push({ code, text, values: [after[key], currency] });
  }
  return changes;
}

/**
 * Stores the refunded amount of a verified webhook, in case the payment cannot be read from the provider. The amount
 * never decreases here, because webhooks arrive in any order; reading the provider corrects it.
 */
export function recordRefund(
  db: WriteDatabase,
  id: string,
  { amountMinor, currency }: Money,
  at: number,
): void {
  const row = db.prepare<PaymentRow>(BY_TRANSACTION).get({ id });
  if (!row || currency !== (row.paidCurrency ?? row.currency)) return;
  const refundedMinor = Math.max(row.refundedMinor, Math.min(amountMinor, row.paidMinor ?? row.amountMinor));
  const { disputedMinor, lostMinor } = row;
  const returned: Returned = { refundedMinor, disputedMinor, lostMinor };
  if (recordReturned(db, row, { source: 'provider', at, returned })) settleReturned(db, id, at);
}

/**
 * Compares the lines with the remaining amount of a completed payment. The basket is not changed, because it may
 * already contain later purchases.
 */
function settleReturned(db: WriteDatabase, id: string, at: number): void {
  const row = db.prepare<PaymentRow>(BY_TRANSACTION).get({ id });
  if (row?.status === 'completed') settle(db, row, row.status, collected(row), at, { keepsBasket: true });
}

/** A webhook reports the failure of a delayed payment before or instead of the provider's other responses. */
function reportedStatus({ delayed }: PaymentRow, { status, isProcessing }: StatusRequest): PaymentStatus {
  return isProcessing && delayed === 'failed' ? 'failed' : status;
}

function delayedState(
  { delayed }: PaymentRow,
  reported: PaymentStatus,
  isProcessing: boolean,
): PaymentRow['delayed'] {
  if (reported === 'completed') return null;
  if (delayed === 'failed') return 'failed';
  return isProcessing ? 'processing' : null;
}

/** Keeps a manual status (for example for a cash payment) unless the provider reports `completed`. */
function effectiveStatus(row: PaymentRow, reported: PaymentStatus): PaymentStatus {
  return row.statusSource === 'manual' && reported !== 'completed' ? row.status : reported;
}

/**
 * Sets a payment's status manually. The provider's status does not change; the payment's events record both statuses.
 */
export function setStatus(db: WriteDatabase, request: ManualRequest): ManualResult {
  const { orderId, status, actor, isStrict, at } = request;
  const row = db.prepare<PaymentRow>(BY_ORDER).get({ id: orderId });
  if (!row) return 'unknown';
  const refused = isStrict && status !== row.status && row.status !== 'pending';
  const conflict = isFinal(row.providerStatus) && row.providerStatus !== status;
  const facts: PaymentFact[] = refused
    ? [{ code: 'closed', text: 'rejected: only a pending payment can be changed' }]
    : [];
  append(db, row, { status, source: 'manual', actor, facts, at }, conflict || refused);
  if (refused) return 'refused';
  db.prepare(MANUAL).run({ id: row.transactionId, status, at });
  if (status !== row.status) settle(db, row, status, collected(row), at);
  return 'done';
}

/** Compares the order lines with a completed payment again, after a line has been added. */
export function settleAgain(db: WriteDatabase, orderId: string, at: number): void {
  const row = db.prepare<PaymentRow>(BY_ORDER).get({ id: orderId });
  if (row?.status === 'completed') settle(db, row, row.status, collected(row), at);
}

function collected({ paidMinor: amountMinor, paidCurrency: currency }: PaymentRow): Money | null {
  return amountMinor === null || currency === null ? null : { amountMinor, currency };
}

const LEFT = `
  SELECT refunded_minor + lost_minor AS returnedMinor FROM payments WHERE transaction_id = @id`;

/**
 * Refunds and lost disputes no longer pay for lines; open disputes are undecided.
 * @param total the amount that the provider collected, or null to use the requested amount.
 */
function settle(
  db: WriteDatabase,
  row: PaymentRow,
  status: PaymentStatus,
  total: Money | null,
  at: number,
  { keepsBasket = false } = {},
): void {
  const { transactionId: id, orderId, amountMinor, currency } = row;
  let settlement: Settlement | null = null;
  if (status === 'completed') {
    const paid = total ?? { amountMinor, currency };
    const returnedMinor = db.prepare<{ returnedMinor: number }>(LEFT).get({ id })?.returnedMinor ?? 0;
    const left = { ...paid, amountMinor: Math.max(0, paid.amountMinor - returnedMinor) };
    const { facts, ...settled } = settleLines(db, row, left, { isReduced: returnedMinor > 0, at });
    settlement = settled.settlement;
    if (facts.length > 0) append(db, row, { status, source: 'local', facts, at }, false);
    else if (!keepsBasket) emptyBasketFor(db, row);
  } else {
    releaseOrder(db, orderId);
  }
  db.prepare(SETTLED).run({ id, settlement });
}

interface StatusEvent {
  status: PaymentStatus;
  source: PaymentEvent['source'];
  actor?: string;
  facts: readonly PaymentFact[];
  at: number;
}

function append(db: WriteDatabase, row: PaymentRow, event: StatusEvent, conflict: boolean): void {
  const { status: toStatus, source, actor = null, facts, at } = event;
  const { transactionId, status: fromStatus } = row;
  db.prepare(EVENT).run({
    transactionId,
    source,
    fromStatus,
    toStatus,
    actor,
    conflict: conflict ? 1 : 0,
    at,
    ...factColumns(facts),
  });
}

function isFinal(status: PaymentStatus | null): boolean {
  return status === 'completed' || status === 'failed';
}
