import assert from 'node:assert/strict';
import { test } from 'uvu';
import { orderLine, orderNotice, recordLine } from '../../../../src/console/shop/context.js';
import { eventText, latestErrorText } from '../../../../src/console/shop/payment-texts.js';
import { type Language, withLanguage } from '../../../../src/i18n/language.js';
import { keyActor } from '../../../../src/shared/actor.js';
import type { PaymentErrorReason } from '../../../../src/shared/ports/payments.js';
import type { PaymentEvent, PaymentRow } from '../../../../src/shop/rows.js';
import { deliver, FakeStripe } from '../../shop/fake-stripe.js';
import { CUSTOMER, OPERATOR, rows, type TestApp, withTestApp } from '../../shop/test-app.js';

const stripe = await FakeStripe.open();
const LANGUAGES: readonly Language[] = ['en', 'nl'];

/** Internal terms of the provider, the database and the program. */
const MACHINE_WORDS =
  /\b[A-Z]+_[A-Z]+\b|\w\/(?:un)?paid|[a-z]{3,}\.[a-z_]{3,}|requires_|canceled|underpaid:|mismatch:|EUR |the buyer chose|\b(?:pending|completed|local|reconcile|webhook|requested|undefined)\b/;

const row: PaymentRow = {
  seq: 1,
  transactionId: 'a3f0c2b4-0000-4000-8000-000000000000',
  orderId: 'o1',
  userId: 2,
  amountMinor: 3949,
  currency: 'EUR',
  provider: 'stripe',
  providerRef: 'cs_1',
  checkoutUrl: null,
  returnUrl: '/shop',
  intentState: 'created',
  status: 'pending',
  statusSource: 'provider',
  providerStatus: 'pending',
  delayed: null,
  paidMinor: null,
  paidCurrency: null,
  paymentRef: null,
  refundedMinor: 0,
  disputedMinor: 0,
  lostMinor: 0,
  settlement: null,
  clientKey: null,
  keyNumber: 1,
  attempts: 0,
  nextCheckAt: null,
  errorCode: null,
  errorReason: null,
  errorMessage: null,
  failureReported: 0,
  createdAt: 1_800_000_000_000,
};
const event: PaymentEvent = {
  id: 1,
  transactionId: row.transactionId,
  source: 'provider',
  fromStatus: 'pending',
  toStatus: 'completed',
  actor: null,
  conflict: 0,
  detail: null,
  facts: [],
  at: row.createdAt,
};
const paid: Partial<PaymentRow> = { status: 'completed', providerStatus: 'completed', paidMinor: 3949 };

const STATUSES: readonly [name: string, change: Partial<PaymentRow>, en: string, nl: string][] = [
  ['whose creation is unclear', { intentState: 'creating' }, 'Being created', 'Wordt aangemaakt'],
  [
    'that the provider rejected',
    { intentState: 'abandoned', status: 'failed' },
    'Not created',
    'Niet aangemaakt',
  ],
  ['that is open', {}, 'Not paid yet', 'Nog niet betaald'],
  ['that is being processed', { delayed: 'processing' }, 'Being processed', 'Wordt verwerkt'],
  ['that is paid', paid, 'Paid', 'Betaald'],
  ['that is partly refunded', { ...paid, refundedMinor: 1 }, 'Partly refunded', 'Gedeeltelijk terugbetaald'],
  ['that is refunded', { ...paid, refundedMinor: 3949 }, 'Refunded', 'Terugbetaald'],
  ['that is disputed', { ...paid, disputedMinor: 3949 }, 'Disputed', 'Betwist'],
  ['whose dispute is lost', { ...paid, lostMinor: 3949 }, 'Dispute lost', 'Betwisting verloren'],
  ['that failed', { status: 'failed', providerStatus: 'failed' }, 'Failed', 'Mislukt'],
  ['whose amount is too low', { ...paid, settlement: 'underpaid' }, 'Underpaid', 'Te weinig betaald'],
];

for (const [name, change, en, nl] of STATUSES) {
  test(`the status of a payment ${name} is described in both languages`, () => {
    const payment = { ...row, ...change };
    const statuses = LANGUAGES.map((language) =>
      withLanguage(language, () => {
        const record = recordLine(payment, { customer: 'bo', lines: [], events: [event] });
        const shown = [orderLine(payment, []), orderNotice(payment), record];
        assert.doesNotMatch(JSON.stringify(shown.map(withoutIds)), MACHINE_WORDS);
        return new Set([orderLine(payment, []), record].map((line) => Reflect.get(line, 'status')));
      }),
    );
    assert.deepEqual(statuses, [new Set([en]), new Set([nl])]);
  });
}

function withoutIds(line: object): object {
  return { ...line, transactionId: '', refundHref: '', tone: '' };
}

const ERRORS: readonly [code: string, reason: PaymentErrorReason | null, en: string, nl: string][] = [
  [
    'PROVIDER_AMOUNT',
    'amount-too-small',
    'the amount is too small for the payment provider',
    'het bedrag is te klein voor de betaalprovider',
  ],
  [
    'PROVIDER_REFUSED',
    'key-rejected',
    "Stripe rejected the gateway's API key",
    'Stripe weigert de API-sleutel van de gateway',
  ],
  [
    'PROVIDER_REFUSED',
    null,
    'the payment provider rejected the request',
    'de betaalprovider heeft het verzoek geweigerd',
  ],
  [
    'PROVIDER_FAILED',
    null,
    'the payment provider has an internal error',
    'de betaalprovider heeft een interne fout',
  ],
  [
    'PROVIDER_UNCLEAR',
    'unreachable',
    'the payment provider cannot be reached',
    'de betaalprovider is niet bereikbaar',
  ],
  ['STORE_FULL', null, 'the gateway could not store the payment', 'de gateway kon de betaling niet opslaan'],
  [
    'INTERNAL',
    null,
    "internal error: the gateway's log contains the details",
    'interne fout: het logboek van de gateway bevat de details',
  ],
];

for (const [errorCode, errorReason, en, nl] of ERRORS) {
  test(`describes the error ${errorCode} with the reason ${errorReason} in both languages`, () => {
    const payment = { ...row, errorCode, errorReason, errorMessage: 'failed' };
    const texts = LANGUAGES.map((language) => withLanguage(language, () => latestErrorText(payment)));
    assert.deepEqual(texts, [en, nl]);
    const facts = [{ code: 'error' as const, values: [errorCode, errorReason ?? ''] }];
    assert.equal(
      eventText({ ...event, source: 'local', toStatus: 'failed', facts }),
      `Gateway: Failed, ${en}`,
    );
  });
}

test("shows the provider of a payment that the gateway's provider did not create", () => {
  const error = { errorCode: 'PROVIDER_UNCLEAR', errorReason: 'other-provider', errorMessage: 'failed' };
  assert.equal(
    latestErrorText({ ...row, ...error, provider: 'sandbox' }),
    'the payment was created with the sandbox, which this gateway no longer uses',
  );
});

test('an event states its source, the new status, the details and the user', () => {
  const manual: PaymentEvent = { ...event, source: 'manual', actor: keyActor('till') };
  const texts = (): string[] => [
    eventText({ ...event, facts: [{ code: 'paid' }] }),
    eventText({
      ...event,
      fromStatus: 'completed',
      facts: [
        { code: 'refunded', values: [500, 'EUR'] },
        { code: 'disputed', values: [0, 'EUR'] },
      ],
    }),
    eventText(manual),
    eventText({ ...event, source: 'webhook', fromStatus: 'completed', facts: [{ code: 'other' }] }),
  ];
  assert.deepEqual(texts(), [
    'Payment provider: Paid, the payment provider has received the money',
    'Payment provider: €\u00a05.00 refunded, no open dispute',
    'Set manually: Paid, by key till',
    'Message from the payment provider: a change was reported',
  ]);
  assert.deepEqual(withLanguage('nl', texts), [
    'Betaalprovider: Betaald, de betaalprovider heeft het geld ontvangen',
    'Betaalprovider: €\u00a05,00 terugbetaald, geen openstaande betwisting',
    'Handmatig ingesteld: Betaald, door sleutel till',
    'Bericht van de betaalprovider: er is een wijziging gemeld',
  ]);
});

/** Fails if an event that the shop has stored has no text, or if a page shows internal terms. */
async function assertInWords(testApp: TestApp): Promise<void> {
  testApp.caller.principal = OPERATOR;
  for (const { transaction_id: id } of rows(testApp))
    for (const { detail, facts } of testApp.shop.reads.events(String(id))) {
      const known = facts.filter(({ code }) => code !== 'other');
      assert.equal(known.length > 0, detail !== null, String(detail));
    }
  for (const language of LANGUAGES) {
    const headers = { accept: 'text/html', cookie: `language=${language}` };
    for (const path of ['/shop/admin', '/shop']) {
      const { text } = await testApp.call('GET', path, { headers });
      const shown = text
        .slice(text.indexOf('<main'))
        .replace(/<[^>]*>/g, ' ')
        .replaceAll('&#x2F;', '/')
        .replace(/\S{8}-\S{4}-\S+/g, '');
      const [found] = MACHINE_WORDS.exec(shown) ?? [];
      assert.equal(found, undefined, `${path} in ${language}`);
    }
  }
}

const withStripe = (run: (testApp: TestApp) => Promise<void>) => withTestApp(run, stripe.options());

async function buy(testApp: TestApp, value = 39.49): Promise<string> {
  testApp.caller.principal = CUSTOMER;
  const { orderId, transactionId } = await testApp.pay(value);
  const body = { orderId, userId: 2, game_id: 3 };
  assert.equal((await testApp.call('POST', '/payments/order', { body })).status, 201);
  return transactionId;
}

for (const end of ['won', 'lost'] as const) {
  test(
    `the records page describes a refund and a dispute that is ${end}`,
    withStripe(async (testApp) => {
      const id = await buy(testApp);
      const charge = stripe.pay(testApp);
      await testApp.status(id);
      await deliver(testApp, stripe.refund(charge, 1000));
      const dispute = stripe.dispute(charge, 2949);
      await deliver(testApp, stripe.event('charge.dispute.created', dispute));
      dispute.status = end;
      await deliver(testApp, stripe.event('charge.dispute.closed', dispute));
      const { text } = await testApp.call('GET', '/shop/admin', { headers: { accept: 'text/html' } });
      assert.doesNotMatch(text, /charge\.dispute/);
      await assertInWords(testApp);
    }),
  );
}

for (const intent of ['succeeded', 'canceled', 'requires_payment_method', 'processing', 'requires_action']) {
  test(
    `the records page describes a delayed payment when the payment intent is ${intent}`,
    withStripe(async (testApp) => {
      const id = await buy(testApp, 5);
      const ref = stripe.delay(testApp);
      await testApp.status(id);
      stripe.intents.set(ref, { id: ref, object: 'payment_intent', status: intent });
      await deliver(testApp, stripe.event('checkout.session.completed', { id: ref, payment_intent: ref }));
      await testApp.shop.reconciler.run();
      await assertInWords(testApp);
    }),
  );
}

test(
  'the records page describes declined, cancelled and manually changed sandbox payments',
  withTestApp(
    async (testApp) => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' };
      for (const choices of [['decline', 'decline', 'pay'], ['cancel'], ['decline']]) {
        const { ref, transactionId, orderId } = await testApp.pay(0.01);
        const body = { orderId, userId: 1, game_id: 1 };
        await testApp.call('POST', '/payments/order', { body });
        for (const choice of choices)
          await testApp.call('POST', `/sandbox/${ref}`, { body: `choice=${choice}`, headers });
        await testApp.status(transactionId);
        await testApp.shop.reconciler.run();
        await testApp.call('PATCH', `/payments/updateStatus/failed/${orderId}`);
      }
      await assertInWords(testApp);
    },
    { isStrict: true },
  ),
);

test(
  'the shop page shows a notice in the page language when the provider cannot create the payment',
  withTestApp(async (testApp) => {
    testApp.caller.principal = CUSTOMER;
    testApp.faults.before = async () => {
      throw new Error('connect ECONNREFUSED');
    };
    const form = (accept: string, language: Language) => ({
      body: `nonce=${language.repeat(18)}`,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        accept,
        cookie: `language=${language}`,
      },
    });
    await testApp.call('POST', '/shop/basket', { ...form('text/html', 'en'), body: 'game_id=1' });
    const page = await testApp.call('POST', '/shop/checkout', form('text/html', 'nl'));
    assert.equal(page.status, 500);
    assert.match(page.text, /<h2>Betaling niet aangemaakt<\/h2>/);
    assert.match(page.text, /De betaalprovider heeft de betaling niet aangemaakt\./);
    assert.doesNotMatch(page.text, /login failed|ECONNREFUSED/i);
    assert.equal(
      (await testApp.call('POST', '/shop/checkout', form('application/json', 'en'))).json.code,
      'LOGIN_FAILED',
    );
  }),
);

test(
  'the API returns the stored texts of events and errors',
  withTestApp(async (testApp) => {
    const { ref, transactionId } = await testApp.pay(19.99);
    await testApp.sandbox.choose(ref, 'pay');
    await testApp.status(transactionId);
    const [view] = JSON.parse((await testApp.call('GET', '/payments')).text);
    const details = view.events.map(({ detail }: PaymentEvent) => detail);
    assert.deepEqual([details[0], details.at(-1)], ['requested', 'paid']);
  }),
);

test.after(() => stripe.close());
test.run();
