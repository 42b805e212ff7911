import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { type ApiFuzzer, type FuzzedRequest, openFuzzer } from './api-fuzzer.js';
import { ApiJudge } from './api-judge.js';
import type { GatewayProcess } from './gateway.js';
import { sayOnce } from './raw-socket.js';

const PASSWORD = 'correct horse battery';
/** What a gateway is started with to be fuzzed. */
export const FUZZED = {
  CARTWRIGHT_AUTH: 'required',
  CARTWRIGHT_ADMIN_USER: 'anna',
  CARTWRIGHT_ADMIN_PASSWORD: PASSWORD,
};
const AT_ONCE = 8;
/** Characters of an answer that are kept: a page with its reason. */
const WHOLE_PAGE = 100_000;
/** To make one takes ten times as long as to answer it. */
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

/** These end the fuzzer's own session, answer for ever, or take a second of work each. */
export const LEFT_OUT: readonly string[] = [
  ...['POST /logout', 'POST /logout/everywhere', 'POST /account/password', 'PATCH /users/{userId}'],
  ...['GET /camera/frame', 'GET /camera/stream.mjpg', 'GET /events', 'GET /camera/snapshot.jpg'],
  ...['POST /users/{userId}', 'GET /runCamera', 'POST /camera/photo', 'POST /backups', 'POST /users'],
];

export interface FuzzOptions {
  /** Of `cookieOf`. */
  cookie: string;
  seed?: number;
  /** Hears of every ten thousandth request. */
  told?: (asked: number) => void;
}

export interface FuzzReport {
  asked: number;
  /** Requests by status; 0 is no answer. */
  byStatus: Map<number, number>;
  /** Answers of 500 and more, by route and code. */
  failures: Map<string, number>;
}

interface Sent {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: Buffer | string | undefined;
  route: string;
}

/** Ends of a line that no client would send. */
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

/** Sends a gateway that many requests, some at a time: made of its own document, half of them broken, odd ones between. */
export async function fuzz(gateway: GatewayProcess, count: number, o: FuzzOptions): Promise<FuzzReport> {
  const port = Number(new URL(gateway.url).port);
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const report: FuzzReport = { asked: 0, byStatus: new Map(), failures: new Map() };
  const { cookie, seed = 1, told } = o;
  const requests = endless(await openFuzzer(new ApiJudge().document), seed);
  const work = async (): Promise<void> => {
    while (report.asked < count) {
      report.asked += 1;
      if (report.asked % 10_000 === 0) told?.(report.asked);
      if (report.asked % 50 === 0) await sayOnce(port, RAW[(report.asked / 50) % RAW.length] ?? '');
      else
        note(
          report,
          await send(port, agent, dressed(requests.next().value, report.asked, { cookie, gateway })),
        );
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  agent.destroy();
  return report;
}

/** What the document makes, over and over: each time something else is put into the middle of it. */
function* endless(fuzzer: ApiFuzzer, seed: number): Generator<FuzzedRequest, never> {
  const rounds = Array.from({ length: ROUNDS }, (_, at) => fuzzer.requests(seed + at));
  const made = rounds.flat().filter(({ route }) => !LEFT_OUT.includes(route));
  yield* made;
  for (let at = seed; ; at += 1) {
    const { asked, ...request } = made[at % made.length] as FuzzedRequest;
    const { body } = asked;
    yield { ...request, asked: { ...asked, ...(Buffer.isBuffer(body) ? { body: spliced(body, at) } : {}) } };
  }
}

/** The bytes with something else instead of some of them, at a place that the number chooses. */
function spliced(bytes: Buffer, at: number): Buffer {
  const place = (at * 7919) % (bytes.length + 1);
  const other = SPLICES[at % SPLICES.length] ?? '';
  return Buffer.concat([bytes.subarray(0, place), Buffer.from(other), bytes.subarray(place + (at % 5))]);
}

/** Most as the administrator, some as nobody, some with odd headers. */
function dressed(
  { route, method, path, asked }: FuzzedRequest,
  at: number,
  { cookie, gateway }: { cookie: string; gateway: GatewayProcess },
): Sent {
  const own = at % 7 === 0 ? {} : { cookie, origin: gateway.url };
  const odd = at % 5 === 0 ? ODD_HEADERS[(at / 5) % ODD_HEADERS.length] : {};
  const body = asked.body as Buffer | undefined;
  return {
    route,
    method,
    path,
    body,
    headers: { accept: 'application/json', ...asked.headers, ...own, ...odd },
  };
}

/** The session of the administrator. A fuzzed gateway soon takes no more logins from this address. */
export async function cookieOf(url: string): Promise<string> {
  const body = JSON.stringify({ username: 'anna', password: PASSWORD });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${url}/login`, { method: 'POST', headers, body });
  const [cookie = ''] = answer.headers.get('set-cookie')?.split(';') ?? [];
  if (!answer.ok || !cookie) throw new Error(`the login failed with ${answer.status}`);
  return cookie;
}

interface Told {
  route: string;
  status: number;
  text: string;
}

async function send(port: number, agent: Agent, { method, path, headers, body, route }: Sent): Promise<Told> {
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

function note({ byStatus, failures }: FuzzReport, { route, status, text }: Told): void {
  byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
  if (status !== 0 && status < 500) return;
  const [, inJson, onPage] = /"code":"(\w+)"|<p class="quiet">[^<]+, (\w+)<\/p>/.exec(text) ?? [];
  const isTold = text.includes('class="panel outcome"');
  const code = inJson ?? onPage ?? (isTold ? 'TOLD_ON_PAGE' : text.slice(0, 80));
  const key = `${status} ${route} ${code}`;
  failures.set(key, (failures.get(key) ?? 0) + 1);
}

/** Answers of 500 that the log does not explain, and what ended or nearly ended the process. */
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
