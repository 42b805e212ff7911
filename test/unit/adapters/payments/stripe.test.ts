import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { createEmulator } from 'emulate';
import { Stripe } from 'stripe';
import stateful from 'stripe-stateful-mock';
import { test } from 'uvu';
import { openStripe, stripeError } from '../../../../src/adapters/payments/stripe.js';
import {
  type HttpResponse,
  priceBook,
  rows,
  type TestApp,
  type TestAppOptions,
  withTestApp,
} from '../../shop/test-app.js';

const KEY = 'sk_test_1234';
const SECRET = 'whsec_test';

/** Options for a test app whose Stripe adapter calls the API at this address. */
const on = (url: () => string, options: TestAppOptions = {}): TestAppOptions => ({
  ...options,
  provider: (store) =>
    openStripe({ apiKey: KEY, webhookSecret: SECRET, prices: priceBook(store), url: url(), timeoutMs: 1000 }),
});

const emulator = await createEmulator({ service: 'stripe', port: 0 });
const { url: emulatorUrl } = emulator;
const sessions = new Stripe(KEY, { ...partsOf(emulatorUrl), telemetry: false }).checkout.sessions;

function partsOf(url: string): { host: string; port: string; protocol: 'http' } {
  const { hostname, port } = new URL(url);
  return { host: hostname, port, protocol: 'http' };
}

async function complete(ref: string): Promise<void> {
  const { status } = await fetch(`${emulatorUrl}/checkout/${ref}/complete`, {
    method: 'POST',
    redirect: 'manual',
  });
  assert.equal(status, 302);
}

const refOf = (testApp: TestApp, at = 0): string => String(rows(testApp)[at]?.provider_ref);

test(
  'a pending payment of 1999 euro cents completes when it is paid and fails when it expires',
  withTestApp(
    async (testApp) => {
      const first = await testApp.pay();
      assert.match(first.checkoutUrl, /^http:\/\/.*\/checkout\/cs_/);
      const [price] = testApp.sql('SELECT * FROM provider_prices WHERE amount_minor > 0');
      assert.deepEqual([price?.amount_minor, price?.currency], [1999, 'EUR']);
      const session = await sessions.retrieve(refOf(testApp));
      assert.deepEqual(session.metadata, { transaction_id: first.transactionId, order_id: first.orderId });
      assert.equal(await testApp.status(first.transactionId), 'pending');
      await complete(refOf(testApp));
      assert.equal(await testApp.status(first.transactionId), 'completed');
      const second = await testApp.pay();
      assert.equal(testApp.sql('SELECT * FROM provider_prices').length, 2, 'one product, one price');
      await sessions.expire(refOf(testApp, 1));
      assert.equal(await testApp.status(second.transactionId), 'failed');
    },
    on(() => emulatorUrl),
  ),
);

test(
  "finds a checkout session by its metadata after the provider's response is lost",
  withTestApp(
    async (testApp) => {
      const { transactionId } = await testApp.pay();
      const ref = refOf(testApp);
      // Simulates a crash between receiving and saving the provider's response.
      testApp.sql(`UPDATE payments SET provider_ref = NULL, intent_state = 'creating', provider_status = NULL,
        next_check_at = 1`);
      await testApp.shop.reconciler.run();
      await testApp.shop.reconciler.run();
      assert.deepEqual([refOf(testApp), rows(testApp)[0]?.intent_state], [ref, 'created']);
      await complete(ref);
      assert.equal(await testApp.status(transactionId), 'completed');
    },
    on(() => emulatorUrl),
  ),
);

test(
  'recreates a price that is missing from the provider account',
  withTestApp(
    async (testApp) => {
      await testApp.pay();
      testApp.sql("UPDATE provider_prices SET price_ref = 'price_gone' WHERE amount_minor > 0");
      await testApp.pay();
      const [price] = testApp.sql('SELECT * FROM provider_prices WHERE amount_minor > 0');
      assert.notEqual(price?.price_ref, 'price_gone');
    },
    on(() => emulatorUrl),
  ),
);

const signer = new Stripe(KEY);
const signed = (body: string, timestamp?: number): { body: string; headers: Record<string, string> } => ({
  body,
  headers: {
    'stripe-signature': signer.webhooks.generateTestHeaderString({
      payload: body,
      secret: SECRET,
      ...(timestamp === undefined ? {} : { timestamp }),
    }),
  },
});
const event = (id: string, session: string, transaction = ''): string =>
  JSON.stringify({
    id,
    object: 'event',
    type: 'checkout.session.completed',
    data: { object: { id: session, object: 'checkout.session', metadata: { transaction_id: transaction } } },
  });

test(
  'rejects invalid webhooks and stores a valid webhook only once',
  withTestApp(
    async (testApp) => {
      const send = (call: { body: string; headers: Record<string, string> }): Promise<HttpResponse> =>
        testApp.call('POST', '/webhooks/stripe', call);
      const { transactionId } = await testApp.pay();
      const ref = refOf(testApp);
      const good = signed(event('evt_1', ref, transactionId));
      assert.equal((await send({ ...good, body: good.body.replace('evt_1', 'evt_2') })).status, 400);
      for (const offsetS of [-400, 400, 600]) {
        assert.equal((await send(signed(good.body, Math.floor(Date.now() / 1000) + offsetS))).status, 400);
      }
      assert.equal((await send({ ...good, headers: {} })).status, 400);
      assert.equal((await send(signed(event('evt_3', 'cs_unknown')))).status, 200);
      assert.equal((await send(signed('x'.repeat(1024 * 1024)))).status, 413);
      assert.equal((await testApp.call('POST', '/webhooks/mollie', { body: 'id=tr_1' })).status, 404);
      await complete(ref);
      for (const _time of [1, 2]) assert.equal((await send(good)).status, 200);
      const stored = () => testApp.sql("SELECT * FROM payment_events WHERE source = 'webhook'");
      assert.equal(stored().length, 1, 'once');
      // A webhook only triggers a check; the status is read from the provider.
      while (rows(testApp)[0]?.status !== 'completed') await testApp.shop.reconciler.run();
      assert.equal(rows(testApp)[0]?.status, 'completed');
    },
    on(() => emulatorUrl),
  ),
);

const nowS = (): number => Math.floor(Date.now() / 1000);
const hmac = (stamp: string | number, body: string | Buffer, secret = SECRET): string =>
  createHmac('sha256', secret).update(`${stamp}.`).update(body).digest('hex');
const EVENT = event('evt_1', 'cs_1');

/** A header whose timestamp, as it is written, is covered by the signature. */
const stamped = (stamp: string | number): string => `t=${stamp},v1=${hmac(stamp, EVENT)}`;

const readWebhook = async (
  body: string | Buffer,
  header: unknown,
  webhookSecret = SECRET,
): Promise<unknown> => {
  const prices = { find: () => undefined, save: async () => {} };
  const { readHint } = await openStripe({ apiKey: KEY, webhookSecret, prices });
  assert.ok(readHint);
  return readHint(Buffer.from(body), { 'stripe-signature': header as string });
};

for (const [what, header] of [
  [
    'with several signatures, one of them correct',
    () => `t=${nowS()},v1=${hmac(1, EVENT)},v1=${hmac(nowS(), EVENT)}`,
  ],
  ['with signatures of other schemes beside the correct one', () => `${stamped(nowS())},v0=00,v2=00`],
  ['signed 290 s ago', () => stamped(nowS() - 290)],
  ['signed 290 s in the future', () => stamped(nowS() + 290)],
] as const) {
  test(`accepts a webhook ${what}`, async () => {
    const { eventId } = (await readWebhook(EVENT, header())) as { eventId: string };
    assert.equal(eventId, 'evt_1');
  });
}

for (const [what, header] of [
  ['no signature header', () => undefined],
  ['an empty signature header', () => ''],
  ['an array as the signature header', () => [stamped(nowS())]],
  ['a timestamp but no signature', () => `t=${nowS()}`],
  ['a signature but no timestamp', () => `v1=${hmac(nowS(), EVENT)}`],
  ['an empty signature', () => `t=${nowS()},v1=`],
  ['a signature without a value', () => `t=${nowS()},v1`],
  ['the first half of the signature', () => stamped(nowS()).slice(0, -32)],
  ['a signature of scheme v0 only', () => `t=${nowS()},v0=${hmac(nowS(), EVENT)}`],
  ['a signature of scheme v2 only', () => `t=${nowS()},v2=${hmac(nowS(), EVENT)}`],
  ['a signature made with another secret', () => `t=${nowS()},v1=${hmac(nowS(), EVENT, 'whsec_other')}`],
  ['a signature made with the API key', () => `t=${nowS()},v1=${hmac(nowS(), EVENT, KEY)}`],
  ['a signature made with an empty secret', () => `t=${nowS()},v1=${hmac(nowS(), EVENT, '')}`],
  [
    'a signature of the body without the timestamp',
    () => {
      const signature = createHmac('sha256', SECRET).update(EVENT).digest('hex');
      return `t=${nowS()},v1=${signature}`;
    },
  ],
  ['a timestamp from 310 s ago', () => stamped(nowS() - 310)],
  ['a timestamp 310 s in the future', () => stamped(nowS() + 310)],
  ['a new timestamp on an old signature', () => `t=${nowS()},v1=${hmac(nowS() - 1000, EVENT)}`],
  ['an old timestamp before a new one', () => `t=${nowS() - 1000},${stamped(nowS())}`],
  ['a new timestamp before an old one', () => `t=${nowS()},${stamped(nowS() - 1000)}`],
  ['the same timestamp twice', () => `t=${nowS()},${stamped(nowS())}`],
  ['a timestamp with a space', () => `t= ${nowS()},v1=${hmac(nowS(), EVENT)}`],
  ['a timestamp with an exponent', () => stamped('1e9')],
  ['a timestamp followed by text', () => `t=${nowS()}x,v1=${hmac(nowS(), EVENT)}`],
  ['a timestamp with a fraction', () => `t=${nowS()}.9,v1=${hmac(nowS(), EVENT)}`],
  ['a hexadecimal timestamp', () => stamped(`0x${nowS().toString(16)}`)],
  ['a negative timestamp', () => stamped(-1)],
  ['a timestamp that is not a number', () => stamped('NaN')],
  ['a timestamp of 400 digits', () => stamped('9'.repeat(400))],
  ['10,000 incorrect signatures', () => `t=${nowS()}${`,v1=${hmac(1, EVENT)}`.repeat(10_000)}`],
] as const) {
  test(`rejects a webhook with ${what}`, async () => {
    await assert.rejects(readWebhook(EVENT, header()), { code: 'INVALID_INPUT' });
  });
}

/** Bodies that a decoder or a JSON parser reads as the signed event. */
for (const [what, body] of [
  ['a byte order mark', `\u{feff}${EVENT}`],
  ['a line feed at the end', `${EVENT}\n`],
  ['other whitespace', JSON.stringify(JSON.parse(EVENT), null, 2)],
  ['escaped characters', EVENT.replace('evt_1', '\\u0065vt_1')],
  ['a second ID', EVENT.replace('{', '{"id":"evt_2",')],
  ['UTF-16 encoding', Buffer.from(EVENT, 'utf16le')],
  ['no bytes', ''],
] as const) {
  test(`rejects a webhook whose body was changed after signing to have ${what}`, async () => {
    await assert.rejects(readWebhook(body, stamped(nowS())), { code: 'INVALID_INPUT' });
  });
}

test('rejects a webhook with an invalid byte in place of the signed replacement character', async () => {
  const sent = event('evt_1', 'cs_\u{fffd}');
  const changed = Buffer.from(sent.replace('\u{fffd}', '\xff'), 'latin1');
  const header = `t=${nowS()},v1=${hmac(nowS(), sent)}`;
  await readWebhook(sent, header);
  await assert.rejects(readWebhook(changed, header), { code: 'INVALID_INPUT' });
});

for (const secret of ['', ' ', '\n']) {
  test(`rejects every webhook when the signing secret is ${JSON.stringify(secret)}`, async () => {
    const header = `t=${nowS()},v1=${hmac(nowS(), EVENT, secret)}`;
    await assert.rejects(readWebhook(EVENT, header, secret), { code: 'INVALID_INPUT' });
  });
}

test('rejects webhooks when no signing secret is configured', async () => {
  const provider = await openStripe({
    apiKey: KEY,
    prices: { find: () => undefined, save: async () => {} },
  });
  assert.equal(provider.readHint, undefined);
});

test(
  'stores nothing when the signed timestamp is in the second of two signature headers, or the body is compressed',
  withTestApp(
    async (testApp) => {
      const forged = `t=${nowS()},v1=00`;
      const call = { body: EVENT, headers: { 'stripe-signature': [forged, stamped(nowS())] } };
      assert.equal((await testApp.call('POST', '/webhooks/stripe', call)).status, 400);
      const compressed = {
        body: gzipSync(EVENT),
        headers: { 'stripe-signature': stamped(nowS()), 'content-encoding': 'gzip' },
      };
      assert.equal((await testApp.call('POST', '/webhooks/stripe', compressed)).status, 415);
      assert.deepEqual(testApp.sql("SELECT * FROM payment_events WHERE source = 'webhook'"), []);
    },
    on(() => emulatorUrl),
  ),
);

test(
  'applies a webhook that arrives before the response to the request that creates the checkout session',
  withTestApp(
    async (testApp) => {
      const { transactionId } = await testApp.pay();
      const ref = refOf(testApp);
      await complete(ref);
      testApp.sql(
        `UPDATE payments SET provider_ref = NULL, intent_state = 'creating', provider_status = NULL`,
      );
      const { status } = await testApp.call(
        'POST',
        '/webhooks/stripe',
        signed(event('evt_9', ref, transactionId)),
      );
      assert.equal(status, 200);
      while (rows(testApp)[0]?.status !== 'completed') await testApp.shop.reconciler.run();
      assert.equal(refOf(testApp), ref);
    },
    on(() => emulatorUrl),
  ),
);

async function withServer(listener: RequestListener, run: (url: string) => Promise<void>): Promise<void> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  try {
    await run(addressOf(server));
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

function addressOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const INVALID_ANSWERS: Record<string, RequestListener> = {
  'with HTTP 500 and JSON without an error': (_req, res) => {
    res.writeHead(500, { 'content-type': 'application/json' }).end('{"message":"proxy exploded"}');
  },
  'with an unrelated object': (_req, res) => {
    res.writeHead(200, { 'content-type': 'application/json' }).end('{"id":"cs_x","hello":1}');
  },
  'with a price in a different currency': (_req, res) => {
    const price = { id: 'price_1', unit_amount: 1, currency: 'jpy', object: 'price' };
    res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(price));
  },
  'with null': (_req, res) => void res.writeHead(200, { 'content-type': 'application/json' }).end('null'),
  'with an HTML page': (_req, res) =>
    void res.writeHead(200, { 'content-type': 'text/html' }).end('<html>log in</html>'),
  'with a redirect': (_req, res) => void res.writeHead(302, { location: 'http://captive.local/' }).end(),
  'by dropping the connection': (req) => void req.socket.destroy(),
  never: () => {},
};

for (const [name, listener] of Object.entries(INVALID_ANSWERS)) {
  test(`returns LOGIN_FAILED and does not store a provider reference when the provider responds ${name}`, () =>
    withServer(listener, (url) =>
      withTestApp(
        async (testApp) => {
          const { status, json, text } = await testApp.call('POST', '/payments', { body: { value: 19.99 } });
          assert.deepEqual([status, json.code], [500, 'LOGIN_FAILED'], text);
          const [row] = rows(testApp);
          assert.deepEqual([row?.intent_state, row?.provider_ref], ['creating', null]);
        },
        on(() => url, { deadlineMs: 1500 }),
      )(),
    ));
}

for (const status of [500, 404, 200]) {
  test(`rejects an incomplete checkout session in an HTTP ${status} response`, () =>
    withServer(
      (req, res) => {
        const isSession = req.url?.includes('sessions') ?? false;
        const price = { id: 'price_1', unit_amount: 1999, currency: 'eur' };
        const product = { id: 'prod_1' };
        const session = {
          id: 'cs_1',
          status: 'open',
          payment_status: 'unpaid',
          url: 'http://x/',
          metadata: {},
        };
        const answer = isSession ? session : req.url?.includes('prices') ? price : product;
        res.writeHead(isSession ? status : 200, { 'content-type': 'application/json' });
        res.end(JSON.stringify(answer));
      },
      (url) =>
        withTestApp(
          async (testApp) => {
            const answer = await testApp.call('POST', '/payments', { body: { value: 19.99 } });
            assert.deepEqual([answer.status, answer.json.code], [500, 'LOGIN_FAILED']);
            assert.equal(rows(testApp)[0]?.provider_ref, null);
          },
          on(() => url),
        )(),
    ));
}

test("maps errors from the stateful Stripe mock to the gateway's error codes", async () => {
  const server: Server = stateful.createExpressApp().listen(0);
  await new Promise((resolve) => server.once('listening', resolve));
  const port = String((server.address() as AddressInfo).port);
  const settings = {
    host: '127.0.0.1',
    port,
    protocol: 'http',
    telemetry: false,
    maxNetworkRetries: 0,
  } as const;
  const charge = async (amount: number, source: string, options: object = {}): Promise<string> => {
    const stripe = new Stripe(source === 'no key' ? 'nonsense' : 'sk_test_123', settings);
    try {
      await stripe.charges.create({ amount, currency: 'usd', source }, options);
      return 'made';
    } catch (error) {
      const { code, reason } = stripeError(error);
      return reason === undefined ? code : `${code} ${reason}`;
    }
  };
  try {
    assert.equal(await charge(2000, 'tok_visa', { idempotencyKey: 'a' }), 'made');
    assert.equal(await charge(2001, 'tok_visa', { idempotencyKey: 'a' }), 'PROVIDER_UNCLEAR');
    assert.equal(await charge(1, 'tok_visa'), 'PROVIDER_AMOUNT amount-too-small');
    assert.equal(await charge(100_000_000, 'tok_visa'), 'PROVIDER_AMOUNT amount-too-large');
    assert.equal(await charge(2000, 'tok_chargeDeclined'), 'PROVIDER_REFUSED card-declined');
    assert.equal(await charge(2000, 'no key'), 'PROVIDER_REFUSED key-rejected');
    assert.equal(await charge(2000, 'tok_429'), 'PROVIDER_UNCLEAR');
    assert.equal(await charge(2000, 'tok_500'), 'PROVIDER_FAILED');
    server.close();
    server.closeAllConnections();
    assert.equal(await charge(2000, 'tok_visa'), 'PROVIDER_UNCLEAR unreachable');
    assert.equal(stripeError(new TypeError('null')).code, 'PROVIDER_UNCLEAR');
  } finally {
    server.close();
  }
});

test.after(() => emulator.close());
test.run();
