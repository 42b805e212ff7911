import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Stripe } from 'stripe';
import { openStripe } from '../../../src/adapters/payments/stripe.js';
import { type HttpResponse, priceBook, rows, type TestApp, type TestAppOptions } from './test-app.js';

const KEY = 'sk_test_1';
const SECRET = 'whsec_test';
const signer = new Stripe(KEY);

type Json = Record<string, unknown>;

interface FakeEvent {
  body: string;
  headers: Record<string, string>;
}

/** The parts of Stripe's API that the adapter uses. A test changes the objects and sends the events. */
export class FakeStripe {
  readonly sessions = new Map<string, Json>();
  readonly intents = new Map<string, Json>();
  readonly disputes: Json[] = [];
  /** Newest first, as Stripe lists them. */
  readonly events: Json[] = [];
  isDown = false;
  #count = 0;
  readonly #server = createServer((req, res) => void this.#answer(req, res));

  static async open(): Promise<FakeStripe> {
    const fake = new FakeStripe();
    fake.#server.listen(0, '127.0.0.1');
    await new Promise((resolve) => fake.#server.once('listening', resolve));
    return fake;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  options(options: TestAppOptions = {}): TestAppOptions {
    const url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return {
      ...options,
      provider: (store) => openStripe({ apiKey: KEY, webhookSecret: SECRET, prices: priceBook(store), url }),
    };
  }

  /** Changes the session of the newest payment, or of the payment at this position. */
  change(testApp: TestApp, change: Json, at = -1): string {
    const ref = String(rows(testApp).at(at)?.provider_ref);
    Object.assign(this.sessions.get(ref) ?? {}, change);
    return ref;
  }

  /** Completes the checkout with a delayed payment method. */
  delay(testApp: TestApp, intentStatus = 'processing', at = -1): string {
    const intent = `pi_${this.#next()}`;
    this.intents.set(intent, { id: intent, object: 'payment_intent', status: intentStatus });
    const change = { status: 'complete', payment_status: 'unpaid', url: null, payment_intent: intent };
    this.change(testApp, change, at);
    return intent;
  }

  /** Pays the newest payment and returns its charge, which the payment intent contains. */
  pay(testApp: TestApp, at = -1): Json & { amount: number } {
    const intent = `pi_${this.#next()}`;
    this.change(
      testApp,
      { status: 'complete', payment_status: 'paid', url: null, payment_intent: intent },
      at,
    );
    const amount = Number(rows(testApp).at(at)?.amount_minor);
    const charge = {
      id: `ch_${this.#next()}`,
      object: 'charge',
      payment_intent: intent,
      metadata: {},
      amount,
      amount_refunded: 0,
      currency: 'eur',
      disputed: false,
    };
    this.intents.set(intent, { id: intent, status: 'succeeded', latest_charge: charge });
    return charge;
  }

  /** Refunds part of a charge and returns the event. */
  refund(charge: Json, amountMinor: number): FakeEvent {
    charge.amount_refunded = Number(charge.amount_refunded) + amountMinor;
    return this.event('charge.refunded', charge);
  }

  dispute(charge: Json, amountMinor: number, status = 'needs_response'): Json {
    charge.disputed = true;
    const dispute = {
      id: `dp_${this.#next()}`,
      object: 'dispute',
      payment_intent: charge.payment_intent,
      amount: amountMinor,
      currency: 'eur',
      status,
    };
    this.disputes.push(dispute);
    return dispute;
  }

  event(type: string, object: Json): FakeEvent {
    const id = `evt_${this.#next()}`;
    const event = { id, object: 'event', type, data: { object: structuredClone(object) } };
    this.events.unshift(event);
    return signed(JSON.stringify(event));
  }

  #next(): number {
    this.#count += 1;
    return this.#count;
  }

  async #answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    let form = '';
    for await (const chunk of req.setEncoding('utf8')) form += chunk;
    const { pathname, searchParams } = new URL(req.url ?? '', 'http://localhost');
    const object = this.isDown ? undefined : this.#object(pathname, new URLSearchParams(form), searchParams);
    const status = this.isDown ? 503 : object ? 200 : 404;
    const error = { type: 'invalid_request_error', code: 'resource_missing', message: 'no such object' };
    res.writeHead(status, { 'content-type': 'application/json', 'stripe-should-retry': 'false' });
    res.end(JSON.stringify(object ?? { error }));
  }

  #object(path: string, form: URLSearchParams, query: URLSearchParams): Json | undefined {
    const id = path.split('/').at(-1) ?? '';
    if (path === '/v1/products') return { id: 'prod_1' };
    if (path === '/v1/prices') {
      const amount = Number(form.get('unit_amount'));
      return { id: `price_${amount}`, unit_amount: amount, currency: form.get('currency') };
    }
    if (path === '/v1/checkout/sessions') return this.#create(form);
    if (path === '/v1/events') return { object: 'list', data: this.events, has_more: false, url: path };
    if (path === '/v1/disputes') {
      const data = this.disputes.filter(
        ({ payment_intent: intent }) => intent === query.get('payment_intent'),
      );
      return { object: 'list', data, has_more: false, url: path };
    }
    if (path.startsWith('/v1/checkout/sessions/')) return this.sessions.get(id);
    return path.startsWith('/v1/payment_intents/') ? this.intents.get(id) : undefined;
  }

  #create(form: URLSearchParams): Json {
    const id = `cs_${this.#next()}`;
    const session = {
      id,
      object: 'checkout.session',
      status: 'open',
      payment_status: 'unpaid',
      url: `http://checkout.test/${id}`,
      payment_intent: null,
      currency: 'eur',
      amount_total: Number(form.get('line_items[0][price]')?.split('_').at(-1)),
      metadata: { transaction_id: form.get('metadata[transaction_id]') },
    };
    this.sessions.set(id, session);
    return session;
  }
}

function signed(body: string): FakeEvent {
  const signature = signer.webhooks.generateTestHeaderString({ payload: body, secret: SECRET });
  return { body, headers: { 'stripe-signature': signature } };
}

export async function deliver(testApp: TestApp, event: FakeEvent): Promise<HttpResponse> {
  const response = await testApp.call('POST', '/webhooks/stripe', event);
  await testApp.shop.reconciler.run();
  await testApp.shop.reconciler.run();
  return response;
}
