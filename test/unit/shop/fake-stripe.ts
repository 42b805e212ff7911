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

  event(type: string, object: Json): FakeEvent {
    const id = `evt_${this.#next()}`;
    return signed(JSON.stringify({ id, object: 'event', type, data: { object } }));
  }

  #next(): number {
    this.#count += 1;
    return this.#count;
  }

  async #answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    let form = '';
    for await (const chunk of req.setEncoding('utf8')) form += chunk;
    const { pathname } = new URL(req.url ?? '', 'http://localhost');
    const object = this.isDown ? undefined : this.#object(pathname, new URLSearchParams(form));
    const status = this.isDown ? 503 : object ? 200 : 404;
    const error = { type: 'invalid_request_error', code: 'resource_missing', message: 'no such object' };
    res.writeHead(status, { 'content-type': 'application/json', 'stripe-should-retry': 'false' });
    res.end(JSON.stringify(object ?? { error }));
  }

  #object(path: string, form: URLSearchParams): Json | undefined {
    const id = path.split('/').at(-1) ?? '';
    if (path === '/v1/products') return { id: 'prod_1' };
    if (path === '/v1/prices') {
      const amount = Number(form.get('unit_amount'));
      return { id: `price_${amount}`, unit_amount: amount, currency: form.get('currency') };
    }
    if (path === '/v1/checkout/sessions') return this.#create(form);
    if (path.startsWith('/v1/checkout/sessions/')) return this.sessions.get(id);
    return path.startsWith('/v1/payment_intents/') ? this.intents.get(id) : undefined;
  }

  #create(form: URLSearchParams): Json {
    const id = `cs_${this.#next()}`;
    const session = {
      ...{ id, object: 'checkout.session', status: 'open', payment_status: 'unpaid' },
      ...{ url: `http://checkout.test/${id}`, payment_intent: null, currency: 'eur' },
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
