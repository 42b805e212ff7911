import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Sandbox, type SandboxFaults } from '../../../src/adapters/payments/sandbox.js';
import { templateDrawings } from '../../../src/console/layout/drawings.js';
import { Pages } from '../../../src/console/layout/pages.js';
import { addShopPages, shopPageRoutes } from '../../../src/console/shop/routes.js';
import { errorHandler } from '../../../src/http/errors.js';
import { useDrawings } from '../../../src/http/pages.js';
import { fastExpress } from '../../../src/http/server/fast-express.js';
import { ANONYMOUS_ACTOR, keyActor, userActor } from '../../../src/shared/actor.js';
import { systemClock } from '../../../src/shared/clock.js';
import { packageRoot } from '../../../src/shared/package-root.js';
import type { Clock } from '../../../src/shared/ports/clock.js';
import type { PaymentProvider } from '../../../src/shared/ports/payments.js';
import type { Store } from '../../../src/shared/ports/store.js';
import type { ShopPrincipal } from '../../../src/shop/http/principal.js';
import { shopRoutes } from '../../../src/shop/http/routes.js';
import { priceBook, Shop } from '../../../src/shop/shop.js';
import { openPlain } from '../../../src/store/connection.js';
import type { StoreLimits } from '../../../src/store/limits.js';
import { openStore } from '../../../src/store/store.js';
import { handlersOf } from '../../helpers/handlers-of.js';
import { RecordingLog } from '../../helpers/recording-log.js';
import { validateResponses } from '../../helpers/response-validation.js';
import { layout } from '../app/api/samples.js';

export const WRITER = new URL('../../../src/app/writer-worker.js', import.meta.url);
export const OPERATOR: ShopPrincipal = { userId: 1, caller: '1', role: 'operator', actor: userActor('anna') };
export const CUSTOMER: ShopPrincipal = { userId: 2, caller: '2', role: 'customer', actor: userActor('bo') };
export const MACHINE: ShopPrincipal = {
  userId: null,
  caller: 'key 1',
  role: 'operator',
  actor: keyActor('till'),
};
export const ANONYMOUS: ShopPrincipal = {
  userId: null,
  caller: '',
  role: 'anonymous',
  actor: ANONYMOUS_ACTOR,
};

export interface HttpResponse {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** Response body parsed as JSON, or an empty object if the body is not JSON. */
  json: Record<string, unknown>;
}

interface Call {
  /** Objects are sent as JSON; strings and buffers are sent unchanged. */
  body?: unknown;
  /** A header with several values is sent several times. */
  headers?: Record<string, string | string[]>;
}

export interface TestAppOptions {
  provider?: (store: Store) => Promise<PaymentProvider>;
  isStrict?: boolean;
  deadlineMs?: number;
  clock?: Clock;
  limits?: Partial<StoreLimits>;
  wrapStore?: (store: Store) => Store;
}

/** The shop's routes with a real server and store. User 1 is an operator; users 2 and 3 are customers. */
export interface TestApp {
  dir: string;
  port: number;
  store: Store;
  shop: Shop;
  sandbox: Sandbox;
  faults: SandboxFaults;
  caller: { principal: ShopPrincipal };
  log: RecordingLog;
  call(method: string, path: string, call?: Call): Promise<HttpResponse>;
  pay(value?: number, headers?: Record<string, string>): Promise<Created>;
  status(transactionId: string): Promise<unknown>;
  /** Runs SQL on a separate database connection. */
  sql(text: string): Record<string, unknown>[];
}

export interface Created {
  transactionId: string;
  orderId: string;
  checkoutUrl: string;
  /** The sandbox's reference for the payment, taken from `checkoutUrl`. */
  ref: string;
}

/** Opens the shop with a data directory, which `close` does not delete. */
export async function openTestApp(
  dir: string,
  options: TestAppOptions = {},
): Promise<TestApp & { close(): Promise<void> }> {
  const { clock = systemClock, limits = {}, wrapStore = (store) => store } = options;
  const log = new RecordingLog();
  const store = await openStore({ dir, writer: WRITER, clock: systemClock, log, limits });
  const sql = sqlOn(dir);
  addUsers(sql);
  const faults: SandboxFaults = {};
  const sandbox = new Sandbox({ store, clock, faults });
  const provider = (await options.provider?.(store)) ?? sandbox;
  const { isStrict = false, deadlineMs = 15_000 } = options;
  const shop = new Shop({
    store: wrapStore(store),
    provider,
    currency: 'EUR',
    isStrict,
    clock,
    log,
    deadlineMs,
  });
  await shop.start();
  const caller = { principal: OPERATOR };
  const { app, server } = fastExpress();
  const pages = new Pages({ viewsDir: join(packageRoot(), 'views') });
  const { drawings, add } = templateDrawings(pages, () => layout());
  addShopPages(add);
  useDrawings(app, drawings);
  const principalOf = (): ShopPrincipal => caller.principal;
  const deps = { shop, principalOf, log, sandbox };
  app.use(handlersOf(shopRoutes(deps)), handlersOf(shopPageRoutes(deps)));
  app.use(errorHandler(log, (_req, { body }) => `<!doctype html>${body.message}`));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true });
  const call: TestApp['call'] = (method, path, given = {}) => send(agent, port, method, path, given);
  const undocumented = validateResponses(server);
  const close = async (): Promise<void> => {
    agent.destroy();
    server.close();
    server.closeAllConnections();
    shop.close();
    await store.close();
    assert.deepEqual(undocumented(), []);
  };
  return { dir, port, store, shop, sandbox, faults, caller, log, call, sql, close, ...shortcuts(call) };
}

export function withTestApp(
  test: (testApp: TestApp) => Promise<void>,
  options: TestAppOptions = {},
): () => Promise<void> {
  return async () => {
    const dir = mkdtempSync(join(tmpdir(), 'cartwright-shop-'));
    const testApp = await openTestApp(dir, options);
    try {
      await test(testApp);
    } finally {
      await testApp.close();
      rmSync(dir, { recursive: true });
    }
  };
}

function shortcuts(call: TestApp['call']): Pick<TestApp, 'pay' | 'status'> {
  return {
    async pay(value = 19.99, headers = {}) {
      const { status, json, text } = await call('POST', '/payments', { body: { value }, headers });
      assert.equal(status, 201, text);
      const { transactionId, orderId, checkoutUrl } = json;
      const ref = String(checkoutUrl).split('/').at(-1) ?? '';
      return {
        transactionId: String(transactionId),
        orderId: String(orderId),
        checkoutUrl: String(checkoutUrl),
        ref,
      };
    },
    async status(transactionId) {
      const { status, json, text } = await call('GET', `/payments/${transactionId}/status`);
      assert.equal(status, 200, text);
      assert.deepEqual(Object.keys(json), ['status']);
      return json.status;
    },
  };
}

function addUsers(sql: TestApp['sql']): void {
  for (const [id, name, role] of [
    [1, 'anna', 'operator'],
    [2, 'bo', 'customer'],
    [3, 'cas', 'customer'],
  ]) {
    sql(`INSERT INTO users (id, username, username_key, password_phc, role, created_at, updated_at)
      VALUES (${id}, '${name}', '${name}', '', '${role}', 0, 0) ON CONFLICT DO NOTHING`);
  }
}

function sqlOn(dir: string): TestApp['sql'] {
  return (text) => {
    const db = openPlain(join(dir, 'cartwright.db'), 5000);
    try {
      const statement = db.prepare<[], Record<string, unknown>>(text);
      if (statement.reader) return statement.all();
      statement.run();
      return [];
    } finally {
      db.close();
    }
  };
}

async function send(
  agent: Agent,
  port: number,
  method: string,
  path: string,
  call: Call,
): Promise<HttpResponse> {
  const { body, headers = {} } = call;
  const isRaw = body === undefined || typeof body === 'string' || Buffer.isBuffer(body);
  const bytes = isRaw ? Buffer.from(body ?? '') : Buffer.from(JSON.stringify(body));
  const own =
    body === undefined ? {} : { 'content-type': 'application/json', 'content-length': bytes.length };
  const outgoing = request({
    agent,
    host: '127.0.0.1',
    port,
    method,
    path,
    headers: { ...own, ...headers },
  });
  outgoing.end(bytes.length > 0 ? bytes : undefined);
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of incoming.setEncoding('utf8')) text += chunk;
  const isJson = /json/.test(incoming.headers['content-type'] ?? '') && text !== '';
  const json = (isJson ? JSON.parse(text) : {}) as Record<string, unknown>;
  return { status: incoming.statusCode ?? 0, headers: incoming.headers, text, json };
}

export function rows({ sql }: TestApp): Record<string, unknown>[] {
  return sql('SELECT * FROM payments ORDER BY seq');
}

export { priceBook };
