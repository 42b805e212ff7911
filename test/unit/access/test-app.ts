import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type Agent, type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Express } from 'express';
import { Access } from '../../../src/access/access.js';
import { loginRoutes } from '../../../src/access/http/login-routes.js';
import { accessRoutes } from '../../../src/access/http/routes.js';
import type { User } from '../../../src/access/schema.js';
import { type HashCost, hashPassword } from '../../../src/access/users/password-hash.js';
import { APIS } from '../../../src/app/api/apis.js';
import { addAccessPages } from '../../../src/console/access/pages.js';
import { templateDrawings } from '../../../src/console/layout/drawings.js';
import { Pages } from '../../../src/console/layout/pages.js';
import { errorHandler } from '../../../src/http/errors.js';
import type { Role } from '../../../src/http/guard/authenticator.js';
import { accessGuard } from '../../../src/http/guard/guard.js';
import { pageHeaders } from '../../../src/http/guard/headers.js';
import { localCheck, trustProxies } from '../../../src/http/guard/origin.js';
import { policyOf } from '../../../src/http/guard/policy.js';
import { principalOf } from '../../../src/http/guard/principal.js';
import { useDrawings } from '../../../src/http/pages.js';
import { fastExpress } from '../../../src/http/server/fast-express.js';
import { RouteTable } from '../../../src/http/server/route-table.js';
import { addressList } from '../../../src/shared/addresses.js';
import { systemClock } from '../../../src/shared/clock.js';
import { textOf } from '../../../src/shared/messages/message.js';
import { packageRoot } from '../../../src/shared/package-root.js';
import type { Store } from '../../../src/shared/ports/store.js';
import { openStore } from '../../../src/store/store.js';
import { FakeClock } from '../../helpers/fake-clock.js';
import { handlersOf } from '../../helpers/handlers-of.js';
import { RecordingLog } from '../../helpers/recording-log.js';
import { layout } from '../app/api/samples.js';

const WRITER = new URL('../../../src/app/writer-worker.js', import.meta.url);
/** Parameters that make a password hash take 1 ms. */
export const CHEAP: HashCost = { ln: 5, r: 8, p: 1 };
export const PASSWORD = 'correct horse battery';

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  json: Record<string, unknown>;
  /** `name=value` from the `set-cookie` header. */
  cookie: string;
}

export interface Call {
  /** Objects are sent as JSON, strings as form data. */
  body?: object | string;
  headers?: Record<string, string>;
  cookie?: string;
  from?: string;
  /** Keeps connections open; by default, each request has its own connection. */
  agent?: Agent;
}

export interface TestApp {
  dir: string;
  port: number;
  store: Store;
  access: Access;
  clock: FakeClock;
  log: RecordingLog;
  call(method: string, path: string, call?: Call): Promise<Answer>;
  addUser(username: string, role?: Role): Promise<User>;
  /** Logs in from a new address and returns the cookie. */
  login(username: string): Promise<string>;
}

export interface TestAppOptions {
  mode?: 'required' | 'trusted-lan';
  env?: NodeJS.ProcessEnv;
  setupCode?: string;
  hashCost?: HashCost;
  trustedProxies?: readonly string[];
  /** Additional routes, which must be listed in the access policy. */
  routes?: (app: Express, testApp: TestApp) => void;
}

export function withTestApp(
  test: (testApp: TestApp) => Promise<void>,
  options: TestAppOptions = {},
): () => Promise<void> {
  return async () => {
    const dir = mkdtempSync(join(tmpdir(), 'cartwright-access-'));
    const log = new RecordingLog();
    const clock = new FakeClock();
    const store = await openStore({ dir, writer: WRITER, clock: systemClock, log });
    const { mode = 'required', env = {}, hashCost = CHEAP, setupCode } = options;
    const access = await Access.open({ store, clock, log, dataDir: dir, mode, env, hashCost, setupCode });
    const { app, server } = fastExpress({ routes: new RouteTable(policyOf(APIS)) });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const testApp = createTestApp({ dir, port, store, access, clock, log });
    mount(app, testApp, options);
    try {
      await test(testApp);
    } finally {
      server.close();
      server.closeAllConnections();
      await access.close();
      await store.close();
      rmSync(dir, { recursive: true });
    }
  };
}

function mount(app: Express, testApp: TestApp, { routes, trustedProxies = [] }: TestAppOptions): void {
  const { access, log } = testApp;
  const isProxy = addressList(trustedProxies);
  trustProxies(app, isProxy);
  app.use(
    accessGuard({
      access,
      hostnames: ['cart.example'],
      isLocal: localCheck({ isLoopbackOnly: true, isProxy }),
    }),
  );
  app.use(pageHeaders);
  const pages = new Pages({ viewsDir: join(packageRoot(), 'views') });
  const { drawings, add } = templateDrawings(pages, () => layout());
  addAccessPages(add, { access });
  useDrawings(app, drawings);
  app.use(handlersOf(loginRoutes({ access, log })));
  app.use(handlersOf(accessRoutes(access)));
  routes?.(app, testApp);
  // Stubs for the gateway's other routes, which return the principal.
  for (const path of ['/', '/beacons', '/health', '/events', '/variables.json', '/brokerSettings']) {
    app.get(path, (req, res) => void res.json(principalOf(req)));
  }
  for (const path of ['/', '/beacon', '/estop', '/estop/reset', '/backups', '/updateJson', '/payments']) {
    app.post(path, (req, res) => void res.json(principalOf(req)));
  }
  app.post('/carts/:cartID/stop', (req, res) => void res.json(principalOf(req)));
  app.patch('/payments/updateStatus/:status/:orderId', (req, res) => void res.json(principalOf(req)));
  app.get('/secret-door', (_req, res) => void res.json({ open: true }));
  app.use(errorHandler(log, (_req, { body }) => textOf(body.message)));
}

let logins = 0;

function createTestApp(parts: Omit<TestApp, 'call' | 'addUser' | 'login'>): TestApp {
  const { port, store, clock } = parts;
  const call: TestApp['call'] = (method, path, options = {}) => send(port, method, path, options);
  return {
    ...parts,
    call,
    async addUser(username, role = 'customer') {
      const passwordPhc = await hashPassword(PASSWORD, CHEAP);
      const row = { username, usernameKey: username.toLowerCase(), passwordPhc, role, first: false };
      const now = clock.wallTime();
      const userId = await store.write<number>('access.addUser', { ...row, now });
      const state = { disabled: false, passwordRevoked: false, totp: false };
      return { userId, username, role, ...state, createdAt: now };
    },
    async login(username) {
      logins += 1;
      const body = { username, password: PASSWORD };
      const answer = await call('POST', '/login', { body, from: `127.0.1.${1 + (logins % 250)}` });
      if (answer.status !== 201) throw new Error(`the login of ${username} failed: ${answer.text}`);
      return answer.cookie;
    },
  };
}

function send(
  port: number,
  method: string,
  path: string,
  { body, headers, cookie, from, agent }: Call,
): Promise<Answer> {
  const text = typeof body === 'object' ? JSON.stringify(body) : body;
  const type = typeof body === 'object' ? 'application/json' : 'application/x-www-form-urlencoded';
  const sent = {
    ...(text === undefined ? {} : { 'content-type': type }),
    ...(cookie ? { cookie } : {}),
    ...headers,
  };
  return new Promise((resolve, reject) => {
    const options = { port, host: '127.0.0.1', method, path, headers: sent, agent: agent ?? false };
    const req = request({ ...options, ...(from ? { localAddress: from } : {}) }, (res) => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('end', () => {
        const answer = Buffer.concat(chunks).toString('utf8');
        const isJson = res.headers['content-type']?.includes('json');
        resolve({
          status: res.statusCode ?? 0,
          headers: res.headers,
          text: answer,
          json: isJson ? (JSON.parse(answer) as Record<string, unknown>) : {},
          cookie: res.headers['set-cookie']?.[0]?.split(';')[0] ?? '',
        });
      });
    });
    req.on('error', reject);
    req.end(text);
  });
}

export function count(store: Store, table: 'sessions' | 'users'): number {
  return store.read.prepare<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).get()?.n ?? 0;
}
