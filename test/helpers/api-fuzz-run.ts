import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { type ApiFuzzer, type FuzzedRequest, openFuzzer } from './api-fuzzer.js';
import type { GatewayProcess } from './gateway.js';
import { OpenApiValidator } from './openapi-validator.js';
import { sendOnce } from './raw-socket.js';

const PASSWORD = 'correct horse battery';
export const FUZZ_ENVIRONMENT = {
  CARTWRIGHT_AUTH: 'required',
  CARTWRIGHT_ADMIN_USER: 'anna',
  CARTWRIGHT_ADMIN_PASSWORD: PASSWORD,
};
const AT_ONCE = 8;
/** Number of characters that are read from a response, enough for a page with its error message. */
const WHOLE_PAGE = 100_000;
/** Number of generation rounds. Generating a request takes ten times as long as handling it. */
const ROUNDS = 8;
const SPLICES = [
  '',
  '"',
  '0',
  '-',
  '9'.repeat(20),
  'null',
  '{}',
  '[[',
  '"a":',
  '\\u0000',
  '\u0000',
  '😀',
  '1e999',
  '{{x}}',
  ' ',
];

/** Routes that end the fuzzer's session, stream endlessly or take a second per request. */
export const EXCLUDED_ROUTES: readonly string[] = [
  'POST /logout',
  'POST /logout/everywhere',
  'POST /account/password',
  'PATCH /users/{userId}',
  'GET /camera/frame',
  'GET /camera/stream.mjpg',
  'GET /events',
  'GET /camera/snapshot.jpg',
  'POST /users/{userId}',
  'GET /runCamera',
  'POST /camera/photo',
  'POST /backups',
  'POST /gateway-backups',
  'POST /users',
];

export interface FuzzOptions {
  /** Session cookie, as returned by `cookieOf`. */
  cookie: string;
  seed?: number;
  /** Called after every 10,000 requests. */
  onProgress?: (sent: number) => void;
}

export interface FuzzReport {
  sent: number;
  /** Number of requests by response status; 0 means that there was no response. */
  byStatus: Map<number, number>;
  /** Number of responses with status 500 or higher, by route and error code. */
  failures: Map<string, number>;
}

interface OutgoingRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: Buffer | string | undefined;
  route: string;
}

/** Raw requests that an HTTP client cannot send. */
const RAW = [
  'GET /livez HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
  'POST /login HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
  'GET http://[ HTTP/1.1\r\nHost: localhost\r\n\r\n',
  `GET /livez HTTP/1.1\r\nHost: localhost\r\n${'x: y\r\n'.repeat(2500)}\r\n`,
  'GET /drive HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  'CONNECT localhost:22 HTTP/1.1\r\nHost: localhost\r\n\r\n',
];
const ODD_HEADERS: Record<string, string>[] = [
  { host: 'evil.example' },
  { origin: 'http://evil.example' },
  { cookie: 'sessie_p1=%00; language=xx; =;;' },
  { accept: 'text/html', 'accept-language': 'nl,*;q=0' },
  { accept: `${'a/b,'.repeat(2000)}`, range: 'bytes=0-0,-1,9-' },
  { 'if-none-match': '"a", W/"b", *', 'idempotency-key': 'x'.repeat(300) },
  { 'content-encoding': 'gzip' },
  { 'content-type': 'application/x-www-form-urlencoded' },
  { 'content-type': 'text/csv; charset=utf-7' },
  { 'x-api-key': '\u00ff'.repeat(100), authorization: 'Bearer x' },
];

/** Sends `count` requests generated from the OpenAPI document, half of them malformed, several in parallel. */
export async function fuzz(gateway: GatewayProcess, count: number, o: FuzzOptions): Promise<FuzzReport> {
  const port = Number(new URL(gateway.url).port);
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const report: FuzzReport = { sent: 0, byStatus: new Map(), failures: new Map() };
  const { cookie, seed = 1, onProgress } = o;
  const requests = requestStream(await openFuzzer(new OpenApiValidator().document), seed);
  const work = async (): Promise<void> => {
    while (report.sent < count) {
      report.sent += 1;
      if (report.sent % 10_000 === 0) onProgress?.(report.sent);
      if (report.sent % 50 === 0) await sendOnce(port, RAW[(report.sent / 50) % RAW.length] ?? '');
      else
        record(
          report,
          await send(port, agent, withHeaders(requests.next().value, report.sent, { cookie, gateway })),
        );
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  agent.destroy();
  return report;
}

/** Yields the generated requests, then repeats them endlessly, each time with a different mutation. */
function* requestStream(fuzzer: ApiFuzzer, seed: number): Generator<FuzzedRequest, never> {
  const rounds = Array.from({ length: ROUNDS }, (_, at) => fuzzer.requests(seed + at));
  const made = rounds.flat().filter(({ route }) => !EXCLUDED_ROUTES.includes(route));
  yield* made;
  for (let at = seed; ; at += 1) {
    const { options, ...request } = made[at % made.length] as FuzzedRequest;
    const { body } = options;
    yield {
      ...request,
      options: { ...options, ...(Buffer.isBuffer(body) ? { body: splice(body, at) } : {}) },
    };
  }
}

/** Replaces some bytes; `at` selects their position and the replacement. */
function splice(bytes: Buffer, at: number): Buffer {
  const place = (at * 7919) % (bytes.length + 1);
  const other = SPLICES[at % SPLICES.length] ?? '';
  return Buffer.concat([bytes.subarray(0, place), Buffer.from(other), bytes.subarray(place + (at % 5))]);
}

/**
 * Adds headers to a request. Most requests come from the administrator, some from an anonymous client; some
 * have unusual headers.
 */
function withHeaders(
  { route, method, path, options }: FuzzedRequest,
  at: number,
  { cookie, gateway }: { cookie: string; gateway: GatewayProcess },
): OutgoingRequest {
  const own = at % 7 === 0 ? {} : { cookie, origin: gateway.url };
  const odd = at % 5 === 0 ? ODD_HEADERS[(at / 5) % ODD_HEADERS.length] : {};
  const body = options.body as Buffer | undefined;
  return {
    route,
    method,
    path,
    body,
    headers: { accept: 'application/json', ...options.headers, ...own, ...odd },
  };
}

/**
 * Logs in as the administrator before fuzzing starts, because the gateway soon rejects logins from this
 * address.
 */
export async function cookieOf(url: string): Promise<string> {
  const body = JSON.stringify({ username: 'anna', password: PASSWORD });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}/login`, { method: 'POST', headers, body });
  const [cookie = ''] = answer.headers.get('set-cookie')?.split(';') ?? [];
  if (!answer.ok || !cookie) throw new Error(`the login failed with ${answer.status}`);
  return cookie;
}

interface FuzzResponse {
  route: string;
  status: number;
  text: string;
}

async function send(
  port: number,
  agent: Agent,
  { method, path, headers, body, route }: OutgoingRequest,
): Promise<FuzzResponse> {
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  try {
    const outgoing = request({
      host: '127.0.0.1',
      port,
      agent,
      method,
      path,
      headers: { ...headers, ...length },
    });
    outgoing.end(body);
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
    let text = '';
    for await (const chunk of incoming.setEncoding('latin1')) if (text.length < WHOLE_PAGE) text += chunk;
    return { route, status: incoming.statusCode ?? 0, text };
  } catch (error) {
    return { route, status: 0, text: String(error) };
  }
}

function record({ byStatus, failures }: FuzzReport, { route, status, text }: FuzzResponse): void {
  byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
  if (status !== 0 && status < 500) return;
  const [, inJson, onPage] = /"code":"(\w+)"|<p class="quiet">[^<]+, (\w+)<\/p>/.exec(text) ?? [];
  const isOnPage = text.includes('class="panel outcome"');
  const code = inJson ?? onPage ?? (isOnPage ? 'SHOWN_ON_PAGE' : text.slice(0, 80));
  const key = `${status} ${route} ${code}`;
  failures.set(key, (failures.get(key) ?? 0) + 1);
}

/** Returns dropped connections, crashes, and 500 responses whose cause is not in the log. */
export function unexplained({ failures }: FuzzReport, log: readonly Record<string, unknown>[]): string[] {
  const causes = log.filter(({ event }) => event === 'request.failed').length;
  const count = (start: string): number =>
    [...failures].reduce((sum, [key, times]) => sum + (key.startsWith(start) ? times : 0), 0);
  const internal = [...failures.keys()].filter((key) => key.startsWith('500') && key.endsWith(' INTERNAL'));
  const crashes = log.filter(({ event }) => /crashed|unhandled/i.test(String(event)));
  return [
    ...(internal.length > causes ? [`${count('500')} answers of 500 and ${causes} causes in the log`] : []),
    ...[...failures.keys()].filter((key) => /^(0|50[234]) /.test(key) && !/ [A-Z_]+$/.test(key)),
    ...crashes.map((line) => JSON.stringify(line)),
  ];
}
