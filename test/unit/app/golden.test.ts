import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import { SCOPES } from '../../../src/access/schema.js';
import { APIS } from '../../../src/app/api/apis.js';
import { loadConfig } from '../../../src/app/config.js';
import { type Gateway, openGateway } from '../../../src/app/gateway.js';
import { type PolicyEntry, policyOf } from '../../../src/http/guard/policy.js';
import { PAGE_LANGUAGE_HEADER } from '../../../src/shared/messages/message.js';
import { packageRoot } from '../../../src/shared/package-root.js';
import { FakeClock } from '../../helpers/fake-clock.js';
import {
  ACCEPTS,
  type Answer,
  type Cell,
  callersText,
  formatGolden,
  type Golden,
  keyOf,
  LANGUAGES,
  NETWORKS,
  parseGolden,
  textOf,
} from '../../helpers/golden-answers.js';
import { randomFrom, testSeed } from '../../helpers/random.js';
import { RecordingLog } from '../../helpers/recording-log.js';
import { GIVE_UP_MS, until } from '../../helpers/until.js';

/**
 * Compares the status, the headers and the kind of body of every route with stored data: for each method,
 * `Accept` header, caller, language and network. A run without variables compares a sample of the requests that
 * contains every route with every caller. `GOLDEN=all` compares all requests, and `GOLDEN_WRITE=1` stores the data.
 */
const test = suite('golden responses of every route');

const { GOLDEN = '', GOLDEN_WRITE } = process.env;
const isWrite = GOLDEN_WRITE === '1';
const isAll = isWrite || GOLDEN === 'all';
const random = randomFrom(testSeed());
const FILE = join(packageRoot(), 'test', 'fixtures', 'golden', 'routes.txt');

const PASSWORD = 'correct horse battery';
const ROLES = ['customer', 'operator', 'admin'] as const;
/** The scopes `mqtt:...` are for broker topics and do not give access to any route. */
const KEYS = SCOPES.filter((scope) => !scope.startsWith('mqtt:')).map((scope) => `key:${scope}`);
const CALLERS = ['none', 'expired', ...ROLES, ...KEYS];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;

/** Values of path parameters: existing objects for reads, unknown objects for changes. */
const READ_VALUES: Readonly<Record<string, string>> = {
  ':cartID': '1',
  ':id': '1',
  ':file': 'swagger-ui.css',
  '{*name}': 'favicon.svg',
  '/map/export/:name': 'beacons.csv',
};
const CHANGE_VALUES: Readonly<Record<string, string>> = {
  ':cartID': '1',
  ':provider': 'stripe',
  ':status': 'failed',
};

/** Bodies that are invalid, for routes that would wait for the clock with the body `{}`. */
const BODIES: Readonly<Record<string, string>> = {
  'POST /navigation/calibration/one-shot': '{"id":"none"}',
  'POST /navigation/calibration/board/images': '{"firstId":"none"}',
};

interface Row {
  name: string;
  method: string;
  path: string;
  body: string | undefined;
  cells: readonly Cell[];
}

/** Paths that differ from a route's path in a trailing slash, in case, or in an encoded letter. */
const VARIANTS: Readonly<Record<string, (path: string) => string>> = {
  slash: (path) => `${path}/`,
  case: (path) => path.toUpperCase(),
  encoded: (path) => path.replace(/[a-z]/i, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
};

function bodyOf(method: string, path: string): string | undefined {
  return ['POST', 'PUT', 'PATCH'].includes(method) ? (BODIES[`${method} ${path}`] ?? '{}') : undefined;
}

function pathOf(path: string, isRead: boolean): string {
  const values = isRead ? READ_VALUES : CHANGE_VALUES;
  return path.replace(/:\w+|\{\*\w+\}/g, (name) => values[path] ?? values[name] ?? '4711');
}

const CELLS: readonly Cell[] = NETWORKS.flatMap((network) =>
  CALLERS.flatMap((caller) =>
    Object.keys(ACCEPTS).flatMap((accept) =>
      LANGUAGES.map((language) => ({ caller, network, accept, language })),
    ),
  ),
);

/** Only programs send API keys, so requests with a key are sent in one language only. */
const DECLARED_CELLS = CELLS.filter(
  ({ caller, language }) => !caller.startsWith('key:') || language === 'en',
);
const isFew = ({ caller }: Cell): boolean =>
  ['none', 'expired', 'admin', 'key:cart:control'].includes(caller);
/** A HEAD request has the access rule of the GET request. */
const HEAD_CELLS = DECLARED_CELLS.filter((cell) => isFew(cell) && cell.language === 'en');
/** Undeclared methods are rejected before the caller's rights are checked. */
const UNDECLARED_CELLS = CELLS.filter((cell) => isFew(cell) && ['html', 'json'].includes(cell.accept));

const oneOf = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;

const oneOfHalf = (cells: readonly Cell[]): Cell[] => (random() < 0.5 ? [oneOf(cells)] : []);
const SAMPLED_KEYS = 2;

/** The responses to these requests change if a route prefers a different media type. */
const isPreference = ({ caller, network, accept, language }: Cell): boolean =>
  caller === 'admin' && network === 'login' && accept === 'any' && language === 'en';

/**
 * Returns all cells of a row or, if only a sample is compared, fewer. For a declared route, these are a random cell for
 * each role and for some keys, and the cell that shows which media type the route prefers. For half of the other rows,
 * it is a single random cell; for the rest, there is none.
 */
function cellsOf(method: string, isDeclared: boolean): readonly Cell[] {
  const cells = isDeclared ? (method === 'HEAD' ? HEAD_CELLS : DECLARED_CELLS) : UNDECLARED_CELLS;
  if (isAll) return cells;
  if (cells !== DECLARED_CELLS) return oneOfHalf(cells);
  const people = CALLERS.filter((name) => !KEYS.includes(name));
  const sampled = [...people, ...Array.from({ length: SAMPLED_KEYS }, () => oneOf(KEYS))];
  const chosen = [...new Set(sampled)].map((name) => oneOf(cells.filter(({ caller }) => caller === name)));
  return [...new Set([...chosen, ...cells.filter(isPreference)])];
}

const VARIANT_CELLS = CELLS.filter(
  ({ caller, network, accept, language }) =>
    (caller === 'none' || caller === 'admin') &&
    network === 'login' &&
    (accept === 'html' || accept === 'json') &&
    language === 'en',
);

function rows(): { rows: Row[]; like: Map<string, string> } {
  const found: Row[] = [];
  const like = new Map<string, string>();
  const entries = policyOf(APIS);
  for (const path of new Set(entries.map((entry) => entry.path))) {
    const declared = new Set(entries.filter((entry) => entry.path === path).map(({ method }) => method));
    for (const method of METHODS) {
      const isRead = method === 'GET' || method === 'HEAD';
      const name = `${method} ${path}`;
      const isDeclared = declared.has((method === 'HEAD' ? 'GET' : method) as PolicyEntry['method']);
      const cells = cellsOf(method, isDeclared);
      found.push({ name, method, path: pathOf(path, isRead), body: bodyOf(method, path), cells });
      if (method === 'HEAD') like.set(name, `GET ${path}`);
    }
    const [method = 'GET'] = declared;
    const body = bodyOf(method, path);
    for (const [kind, change] of Object.entries(VARIANTS)) {
      const own = pathOf(path, method === 'GET');
      if (change(own) === own || own === '/') continue;
      const name = `${method} ${path} (${kind})`;
      found.push({
        name,
        method,
        path: change(own),
        cells: isAll ? VARIANT_CELLS : [oneOf(VARIANT_CELLS)],
        body,
      });
      like.set(name, `${method} ${path}`);
    }
  }
  return { rows: found, like };
}

/** After several logins, a user may log in only once in each of these intervals. */
const LOGIN_INTERVAL_MS = 15_000;

/** A gateway whose clock does not advance once its simulated carts are ready. */
class StoppedGateway {
  readonly #gateway: Gateway;
  readonly #root: string;
  readonly #clock: FakeClock;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #headers = new Map<string, Record<string, string>>();
  readonly url: string;

  private constructor(gateway: Gateway, root: string, clock: FakeClock) {
    this.#gateway = gateway;
    this.#root = root;
    this.#clock = clock;
    this.url = gateway.url;
  }

  static async open(auth: 'required' | 'trusted-lan'): Promise<StoppedGateway> {
    const root = mkdtempSync(join(tmpdir(), 'golden-'));
    const file = join(root, 'config.json');
    const camera = { width: 320, height: 240, framerate: 5 };
    const settings = { mqtt: { port: 0 }, camera };
    writeFileSync(file, JSON.stringify({ dataDir: join(root, 'data'), auth, settings }));
    Object.assign(process.env, { CARTWRIGHT_ADMIN_USER: 'admin', CARTWRIGHT_ADMIN_PASSWORD: PASSWORD });
    const env = { CARTWRIGHT_CONFIG: file, HOST: '127.0.0.1', PORT: '0', HTTPS_PORT: '0' };
    const clock = new FakeClock();
    const stop = runInRealTime(clock);
    const gateway = await openGateway(loadConfig(env, root), { log: new RecordingLog(), clock });
    const stopped = new StoppedGateway(gateway, root, clock);
    try {
      await stopped.#prepare();
    } catch (error) {
      await stopped.close();
      throw error;
    } finally {
      stop();
    }
    return stopped;
  }

  async #prepare(): Promise<void> {
    await this.logIn('admin', 'admin');
    const admin = this.#headers.get('admin') ?? {};
    const post = async (path: string, body: object): Promise<Record<string, unknown>> => {
      const { status, text } = await this.#send('POST', path, {
        headers: { ...admin, 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify(body),
      });
      if (status >= 300) throw new Error(`POST ${path}: ${text}`);
      return JSON.parse(text) as Record<string, unknown>;
    };
    for (const role of ['customer', 'operator'] as const)
      await post('/users', { username: role, password: PASSWORD, role });
    for (const [at, key] of KEYS.entries()) {
      const scope = key.slice('key:'.length);
      const { key: secret } = await post('/keys', { name: `program ${at}`, scopes: [scope] });
      this.#headers.set(key, { 'x-api-key': String(secret) });
    }
    await post('/markers', { id: 1, sizeMm: 150, xMm: 4000, yMm: 0, headingDeg: 90, purpose: 'dock' });
    await post('/beacon', { id: 'dock-north-1', description: 'North', lat: 52.37, long: 4.89 });
    await post('/games', { title: 'Crane', price: 3.5, sku: 'CR-1' });
    this.#headers.set('none', {});
    await this.logIn('operator', 'expired');
    this.#clock.stall(8.5 * 3_600_000);
    for (const role of ROLES) await this.logIn(role, role);
    const get = (path: string): Promise<Response> =>
      this.#send('GET', path, { headers: this.#headers.get('admin') ?? {} });
    await get('/camera/snapshot.jpg');
    await until(async () => {
      const camera = JSON.parse((await get('/camera/state.json')).text) as { phase: string };
      const { text } = await get('/carts');
      const carts = JSON.parse(text) as { safety: { mayMove: boolean }; telemetry?: object }[];
      return (
        camera.phase === 'streaming' &&
        carts.length === 3 &&
        carts.every(({ safety, telemetry }) => safety.mayMove && telemetry)
      );
    });
  }

  /** Logs a user in and uses the session for a caller. */
  async logIn(username: string, caller: string): Promise<void> {
    const body = JSON.stringify({ username, password: PASSWORD });
    const headers = { 'content-type': 'application/json', accept: 'application/json' };
    const answer = await this.#send('POST', '/login', { body, headers });
    const [cookie] = answer.headers['set-cookie']?.[0]?.split(';') ?? [];
    if (cookie === undefined) throw new Error(`the login of ${username} failed: ${answer.text}`);
    this.#headers.set(caller, { cookie, origin: this.url });
  }

  async answer(
    { method, path, body }: Row,
    { caller, accept, language }: Cell,
  ): Promise<Answer & { text: string }> {
    const accepted = ACCEPTS[accept];
    const response = await this.#send(method, path, {
      headers: {
        ...this.#headers.get(caller),
        'accept-language': language,
        ...(accepted === undefined ? {} : { accept: accepted }),
        // Page scripts send this header.
        ...(accept === 'json' ? { [PAGE_LANGUAGE_HEADER]: language } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body,
    });
    if (isLogout(path) && response.status < 400 && ROLES.some((role) => role === caller)) {
      this.#clock.stall(LOGIN_INTERVAL_MS);
      await this.logIn(caller, caller);
    }
    return { ...answerOf(path, response), text: response.text };
  }

  async #send(
    method: string,
    path: string,
    { headers, body }: { headers: Record<string, string>; body?: string | undefined },
  ): Promise<Response> {
    const { port } = new URL(this.url);
    const outgoing = request({
      host: '127.0.0.1',
      port,
      method,
      path,
      agent: this.#agent,
      headers: body === undefined ? headers : { ...headers, 'content-length': Buffer.byteLength(body) },
    });
    outgoing.end(body);
    // The clock does not advance, so a route that waits for it never responds.
    const signal = AbortSignal.timeout(GIVE_UP_MS);
    const [incoming] = (await once(outgoing, 'response', { signal }).catch((cause: unknown) => {
      throw new Error(`no response to ${method} ${path}`, { cause });
    })) as [IncomingMessage];
    const text = await textFrom(incoming);
    return { status: incoming.statusCode ?? 0, headers: incoming.headers, text };
  }

  async close(): Promise<void> {
    const stop = runInRealTime(this.#clock);
    this.#agent.destroy();
    await this.#gateway.close();
    stop();
    rmSync(this.#root, { recursive: true });
  }
}

const isLogout = (path: string): boolean =>
  /^\/(?:logout|logout\/everywhere|account\/sessions\/revoke-others)\b/i.test(path);

interface Response {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

const STEP_MS = 5;

/**
 * Advances a clock in small steps, so that inputs are processed between its timers even on a busy machine.
 */
function runInRealTime(clock: FakeClock): () => void {
  const timer = setInterval(() => clock.advance(STEP_MS), STEP_MS);
  return () => clearInterval(timer);
}

/** Returns the whole body, or only the first chunk of an endless stream. */
async function textFrom(incoming: IncomingMessage): Promise<string> {
  const isEndless = /event-stream|x-mixed-replace/.test(incoming.headers['content-type'] ?? '');
  let text = '';
  for await (const chunk of incoming.setEncoding('utf8')) {
    text += chunk;
    if (isEndless) break;
  }
  return text;
}

const TYPES: Readonly<Record<string, string>> = {
  'text/html; charset=utf-8': 'html',
  'application/json; charset=utf-8': 'json',
};

function answerOf(path: string, { status, headers, text }: Response): Answer {
  const type = headers['content-type'] ?? '-';
  const cookies = headers['set-cookie']?.map((cookie) => cookie.slice(0, cookie.indexOf('=')));
  const parts = {
    allow: headers.allow?.replaceAll(', ', ','),
    location: headers.location && placeOf(headers.location, path),
    www: headers['www-authenticate'],
    cache: headers['cache-control'] === 'no-store' ? undefined : (headers['cache-control'] ?? 'none'),
    vary: headers.vary,
    cookies: cookies?.join(',').replace(/_p\d+/g, '_p<port>'),
    policy: headers['content-security-policy'] === undefined ? 'none' : undefined,
  };
  const given = Object.entries(parts).flatMap(([name, value]) =>
    value === undefined ? [] : `${name}=${value}`,
  );
  const head = [status, TYPES[type] ?? type, ...given, ...(headers.etag ? ['etag'] : [])];
  const isText = /^text\/html|json/.test(type) && text !== '' && (status < 300 || status >= 400);
  return {
    head: head.join(' '),
    facts: isText ? factsOf(type, text) : '',
  };
}

function placeOf(location: string, path: string): string {
  return location
    .replace(`next=${encodeURIComponent(path)}`, 'next=<path>')
    .replace(/[\da-f-]{36}|[\da-f]{8}-\d+/, '<id>')
    .replace(/:\d+/, ':<port>');
}

/** The title of a page without the gateway's name, or the code of an error. */
function factsOf(type: string, text: string): string {
  if (!type.startsWith('text/html')) return /^\{.*"code":"([A-Z_]+)"/s.exec(text)?.[1] ?? '';
  const [, title = ''] = /<title>([^<]*)/.exec(text) ?? [];
  return `"${title.replace(/ – Cart 1$/, '').replace(/["|]/g, "'")}"`;
}

const { rows: ROWS, like } = rows();

/** First the reads, then the changes, whose side effects would alter pages, and last the ends of sessions. */
function orderOf({ method, path }: Row): number {
  if (method === 'GET' || method === 'HEAD') return 0;
  return isLogout(path) ? 2 : 1;
}

const ORDERED = ROWS.toSorted((one, other) => orderOf(one) - orderOf(other));

interface Observed {
  row: Row;
  cell: Cell;
  answer: Answer & { text: string };
}

async function observe(onAnswer: (observed: Observed) => void): Promise<void> {
  for (const network of NETWORKS) {
    const gateway = await StoppedGateway.open(network === 'login' ? 'required' : 'trusted-lan');
    try {
      for (const row of ORDERED) {
        for (const cell of row.cells.filter((one) => one.network === network))
          onAnswer({ row, cell, answer: await gateway.answer(row, cell) });
      }
    } finally {
      await gateway.close();
    }
  }
}

test('every route returns the stored responses', async () => {
  const actual: Golden = new Map(ROWS.map(({ name }) => [name, new Map()]));
  const stored = isWrite ? new Map() : parseGolden(readFileSync(FILE, 'utf8'), CALLERS);
  const changes = new Map<string, Observed[]>();
  await observe((observed) => {
    const { row, cell, answer } = observed;
    actual.get(row.name)?.set(keyOf(cell), { head: answer.head, facts: answer.facts });
    const expected = stored.get(row.name)?.get(keyOf(cell));
    const isSame = expected && textOf(expected) === textOf(answer);
    if (isSame) return;
    const change = `${row.name}\n    stored: ${expected ? textOf(expected) : 'nothing'}\n    now:    ${textOf(answer)}`;
    const list = changes.get(change) ?? [];
    list.push(observed);
    changes.set(change, list);
  });
  if (isWrite) {
    writeFileSync(
      FILE,
      formatGolden(actual, CALLERS, (row) => like.get(row)),
    );
    return;
  }
  const removed = [...stored.keys()].filter((name) => !actual.has(name));
  if (changes.size > 0 || removed.length > 0) assert.fail(report(changes, removed));
});

const MAX_SHOWN = 20;

function report(changes: ReadonlyMap<string, Observed[]>, removed: readonly string[]): string {
  const lines = [...changes].slice(0, MAX_SHOWN).map(([change, list]) => {
    const names = [...new Set(list.map(({ cell }) => `${cell.caller}@${cell.network}`))];
    const [first] = list;
    const sample = first ? `${keyOf(first.cell)}: ${first.answer.text.slice(0, 300)}` : '';
    return `  ${change}\n    for ${list.length} requests of ${callersText(names, CALLERS)}\n    such as ${sample}`;
  });
  const gone = removed.map((name) => `\n  ${name} no longer exists`).join('');
  return `${changes.size} responses have changed:\n${lines.join('\n')}${gone}`;
}

test.run();
