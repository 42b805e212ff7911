import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { type ApiClients, openApiClients } from '../../helpers/api-clients.js';
import { RawSocket, sendOnce } from '../../helpers/raw-socket.js';

const test = suite('attack: malformed HTTP');

const HOST = 'Host: localhost\r\n';
const LIVE = `GET /livez HTTP/1.1\r\n${HOST}\r\n`;
const UPGRADE =
  'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n';

let clients: ApiClients;
let port = 0;

test.before(async () => {
  clients = await openApiClients();
  port = Number(new URL(clients.gateway.url).port);
});
test.after(async () => {
  assert.equal(await clients.gateway.close(), 0, 'exit code, and every response is documented');
});

function post(path: string, headers: string, body: string): string {
  return `POST ${path} HTTP/1.1\r\n${HOST}${headers}\r\n${body}`;
}

/** Requests and their expected statuses; 0 means that the connection is closed without a response. */
const SHAPES: Record<string, [bytes: string, status: number]> = {
  'both Transfer-Encoding and Content-Length': [
    post('/login', 'Transfer-Encoding: chunked\r\nContent-Length: 3\r\n', `0\r\n\r\n${LIVE}`),
    400,
  ],
  'two Content-Length headers': [post('/login', 'Content-Length: 3\r\nContent-Length: 5\r\n', 'abcde'), 400],
  'a non-numeric Content-Length': [post('/login', 'Content-Length: +3\r\n', 'abc'), 400],
  'a transfer coding after chunked': [
    post('/login', 'Transfer-Encoding: chunked, gzip\r\n', '0\r\n\r\n'),
    400,
  ],
  'a chunk without a size': [post('/login', 'Transfer-Encoding: chunked\r\n', 'zz\r\nabc\r\n'), 400],
  'a space before the colon': [`GET /livez HTTP/1.1\r\n${HOST}Content-Length : 3\r\n\r\n`, 400],
  'bare line feeds': ['GET /livez HTTP/1.1\nHost: localhost\n\n', 400],
  'a NUL in the path': [`GET /live\0z HTTP/1.1\r\n${HOST}\r\n`, 400],
  'a CR in the path': [`GET /live\rz HTTP/1.1\r\n${HOST}\r\n`, 400],
  'a NUL in a header': [`GET /livez HTTP/1.1\r\n${HOST}X-A: a\0b\r\n\r\n`, 400],
  'a folded header line': [`GET /livez HTTP/1.1\r\n${HOST}X-A: 1\r\n  2\r\n\r\n`, 400],
  'no Host header': ['GET /livez HTTP/1.1\r\n\r\n', 400],
  'two Host headers': [`GET /livez HTTP/1.1\r\n${HOST}Host: evil.example\r\n\r\n`, 421],
  'two identical Host headers': [`GET /livez HTTP/1.1\r\n${HOST}${HOST}\r\n`, 421],
  'HTTP/1.0 without a Host header': ['GET /health HTTP/1.0\r\n\r\n', 421],
  'HTTP/0.9': ['GET /health\r\n\r\n', 421],
  'HTTP/2 without negotiation': ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  'headers over 16 kB': [`GET /livez HTTP/1.1\r\n${HOST}X-A: ${'a'.repeat(17_000)}\r\n\r\n`, 431],
  'a CONNECT tunnel': [`CONNECT 127.0.0.1:22 HTTP/1.1\r\n${HOST}\r\n`, 0],
  TRACE: [`TRACE /livez HTTP/1.1\r\n${HOST}Cookie: a=b\r\n\r\n`, 405],
  'OPTIONS *': [`OPTIONS * HTTP/1.1\r\n${HOST}\r\n`, 404],
  'an absolute URL': [`GET http://localhost/livez HTTP/1.1\r\n${HOST}\r\n`, 200],
  'an absolute URL of another host': [`GET http://evil.example/livez HTTP/1.1\r\n${HOST}\r\n`, 421],
  'an invalid absolute URL': [`GET http://[::1/livez HTTP/1.1\r\n${HOST}\r\n`, 421],
  'an absolute URL without a host': [`GET http:// HTTP/1.1\r\n${HOST}\r\n`, 421],
  'a path that cannot be decoded': [`GET /docs/%E0%A4%A HTTP/1.1\r\n${HOST}\r\n`, 400],
  'an unsupported expectation': [`GET /livez HTTP/1.1\r\n${HOST}Expect: miracles\r\n\r\n`, 417],
  'an upgrade to h2c': [`GET /livez HTTP/1.1\r\n${HOST}Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n`, 200],
  'a WebSocket handshake without a key': [
    `GET /drive HTTP/1.1\r\n${HOST}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    401,
  ],
  'an upgrade to an invalid absolute URL': [`GET http://[ HTTP/1.1\r\n${HOST}${UPGRADE}\r\n`, 421],
};

for (const [name, [bytes, status]] of Object.entries(SHAPES)) {
  test(`returns ${status || 'no response'} for ${name}`, async () => {
    const response = await sendOnce(port, bytes);
    assert.equal(Number(/^HTTP\/1\.1 (\d{3}) /.exec(response)?.[1] ?? 0), status, response);
    assert.equal((await clients.anonymous('GET', '/livez')).status, 200);
  });
}

test('a smuggled request never receives a response', async () => {
  const raw = await RawSocket.open(port);
  const headers = 'Content-Type: application/json\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n';
  raw.write(post('/login', headers, `5c\r\n${LIVE}`));
  await raw.closed();
  assert.deepEqual(raw.statuses, [400]);
});

test('a WebSocket upgrade pipelined after a login request closes only its own connection', async () => {
  const raw = await RawSocket.open(port);
  const body = JSON.stringify({ username: 'anna', password: 'not this one' });
  const login = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  raw.write(`${post('/login', login, body)}GET /drive HTTP/1.1\r\n${HOST}${UPGRADE}\r\n`);
  await raw.closed();
  assert.ok(!raw.statuses.includes(101));
  assert.equal((await clients.anonymous('GET', '/livez')).status, 200);
});

test('the gateway responds to 100 pipelined requests in order', async () => {
  const raw = await RawSocket.open(port);
  const missing = `GET /nothing-here HTTP/1.1\r\n${HOST}\r\n`;
  raw.write((LIVE + missing).repeat(50));
  assert.deepEqual(await raw.answers(100), Array.from({ length: 50 }, () => [200, 404]).flat());
  raw.end();
});

test('a connection that closes in the middle of a request body does not cause an error', async () => {
  const raw = await RawSocket.open(port);
  raw.write(post('/login', 'Content-Type: application/json\r\nContent-Length: 300\r\n', '{"user'));
  raw.socket.end();
  await raw.closed();
  assert.equal((await clients.anonymous('GET', '/livez')).status, 200);
  assert.deepEqual(
    clients.gateway.log.filter(({ event }) => event === 'request.failed'),
    [],
  );
});

test.run();
