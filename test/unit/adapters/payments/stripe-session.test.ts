import assert from 'node:assert/strict';
import { test } from 'uvu';
import { readSession, stripeHint, withIntent } from '../../../../src/adapters/payments/stripe-session.js';
import type { PaymentFact } from '../../../../src/shared/ports/payments.js';

const lastResponse = { statusCode: 200 };
const session = (status: string, paid: string) =>
  readSession({ id: 'cs_1', status, payment_status: paid, url: 'https://stripe.example/cs_1', lastResponse });
const asText = (facts: readonly PaymentFact[]): string[] => facts.map(({ code, text }) => `${code}: ${text}`);

for (const [status, paid, code] of [
  ['open', 'unpaid', 'open'],
  ['expired', 'unpaid', 'expired'],
  ['complete', 'paid', 'paid'],
  ['complete', 'no_payment_required', 'nothing-to-pay'],
  ['complete', 'unpaid', 'complete'],
] as const) {
  test(`a session with status ${status} and ${paid} reports the fact ${code}`, () => {
    assert.deepEqual(asText(session(status, paid).facts), [`${code}: ${status}/${paid}`]);
  });
}

for (const [status, code] of [
  ['succeeded', 'transfer-succeeded'],
  ['canceled', 'transfer-cancelled'],
  ['requires_payment_method', 'transfer-failed'],
  ['processing', 'transfer-pending'],
] as const) {
  test(`reports the fact ${code} for a payment intent with status ${status}`, () => {
    const { facts } = withIntent(session('complete', 'unpaid'), { status, lastResponse });
    assert.deepEqual(asText(facts), ['complete: complete/unpaid', `${code}: payment intent ${status}`]);
  });
}

test('reports the fact transfer-unreadable for a payment intent that the gateway is not permitted to read', () => {
  const { facts } = withIntent(session('complete', 'unpaid'), undefined);
  assert.equal(asText(facts)[1], 'transfer-unreadable: payment intent unreadable');
});

for (const [type, code] of [
  ['checkout.session.completed', 'session-paid'],
  ['checkout.session.async_payment_succeeded', 'session-paid'],
  ['checkout.session.async_payment_failed', 'session-failed'],
  ['checkout.session.expired', 'session-expired'],
  ['refund.failed', 'refund-failed'],
  ['refund.updated', 'refund-changed'],
  ['charge.refunded', 'refund-changed'],
  ['charge.refund.updated', 'refund-changed'],
  ['charge.dispute.created', 'dispute-opened'],
  ['charge.dispute.updated', 'dispute-changed'],
  ['charge.dispute.closed', 'dispute-closed'],
  ['invoice.paid', 'other'],
] as const) {
  test(`an event of type ${type} reports the fact ${code}`, () => {
    assert.deepEqual(asText([stripeHint({ id: 'evt_1', type }).fact]), [`${code}: ${type}`]);
  });
}

test.run();
