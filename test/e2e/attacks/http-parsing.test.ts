import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { type ApiClients, openApiClients } from '../../helpers/api-clients.js';
import { RawSocket, sendOnce } from '../../helpers/raw-socket.js';

/** Bytes that no HTTP client would send, to a gateway that wants a login. */
const test = suite('attack: bytes on an HTTP connection');

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
  assert.equal(await clients.gateway.close(), 0, 'it has not crashed, and every answer is in the document');
});

function post(path: string, headers: string, body: string): string {
  return `POST ${path} HTTP/1.1\r\n${HOST}${headers}\r\n${body}`;
}

/** A request, and the status that it has to be answered with; 0 is to be cut off without a word. */
const SHAPES: Record<string, [bytes: string, status: number]> = {
  'Transfer-Encoding beside Content-Length': [
    post('/login', 'Transfer-Encoding: chunked\r\nContent-Length: 3\r\n', `0\r\n\r\n${LIVE}`),
    400,
  ],
  'two lengths': [post('/login', 'Content-Length: 3\r\nContent-Length: 5\r\n', 'abcde'), 400],
  'a length that is no number': [post('/login', 'Content-Length: +3\r\n', 'abc'), 400],
  'an encoding behind chunked': [post('/login', 'Transfer-Encoding: chunked, gzip\r\n', '0\r\n\r\n'), 400],
  'a chunk without a size': [post('/login', 'Transfer-Encoding: chunked\r\n', 'zz\r\nabc\r\n'), 400],
  'a space before the colon': [`GET /livez HTTP/1.1\r\n${HOST}Content-Length : 3\r\n\r\n`, 400],
  'bare line feeds': ['GET /livez HTTP/1.1\nHost: localhost\n\n', 400],
  'a NUL in the path': [`GET /live\0z HTTP/1.1\r\n${HOST}\r\n`, 400],
  'a CR in the path': [`GET /live\rz HTTP/1.1\r\n${HOST}\r\n`, 400],
  'a NUL in a header': [`GET /livez HTTP/1.1\r\n${HOST}X-A: a\0b\r\n\r\n`, 400],
  'a line that goes on in the next': [`GET /livez HTTP/1.1\r\n${HOST}X-A: 1\r\n  2\r\n\r\n`, 400],
  'no host': ['GET /livez HTTP/1.1\r\n\r\n', 400],
  'two hosts': [`GET /livez HTTP/1.1\r\n${HOST}Host: evil.example\r\n\r\n`, 421],
  'the same host twice': [`GET /livez HTTP/1.1\r\n${HOST}${HOST}\r\n`, 421],
  'HTTP/1.0 without a host': ['GET /livez HTTP/1.0\r\n\r\n', 421],
  'HTTP/0.9': ['GET /livez\r\n\r\n', 421],
  'HTTP/2 without asking': ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  'more header than 16 kB': [`GET /livez HTTP/1.1\r\n${HOST}X-A: ${'a'.repeat(17_000)}\r\n\r\n`, 431],
  'a tunnel': [`CONNECT 127.0.0.1:22 HTTP/1.1\r\n${HOST}\r\n`, 0],
  TRACE: [`TRACE /livez HTTP/1.1\r\n${HOST}Cookie: a=b\r\n\r\n`, 405],
  'every path at once': [`OPTIONS * HTTP/1.1\r\n${HOST}\r\n`, 404],
  'a whole address': [`GET http://localhost/livez HTTP/1.1\r\n${HOST}\r\n`, 200],
  'a whole address of another host': [`GET http://evil.example/livez HTTP/1.1\r\n${HOST}\r\n`, 421],
  'an address that is none': [`GET http://[::1/livez HTTP/1.1\r\n${HOST}\r\n`, 421],
  'an address of nothing': [`GET http:// HTTP/1.1\r\n${HOST}\r\n`, 421],
  'a name that cannot be decoded': [`GET /docs/%E0%A4%A HTTP/1.1\r\n${HOST}\r\n`, 400],
  'an expectation that nobody meets': [`GET /livez HTTP/1.1\r\n${HOST}Expect: miracles\r\n\r\n`, 417],
  'an upgrade to something else': [
    `GET /livez HTTP/1.1\r\n${HOST}Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n`,
    200,
  ],
  'a WebSocket without its key': [
    `GET /drive HTTP/1.1\r\n${HOST}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    401,
  ],
  'an upgrade to an address that is none': [`GET http://[ HTTP/1.1\r\n${HOST}${UPGRADE}\r\n`, 421],
};

for (const [name, [bytes, status]] of Object.entries(SHAPES)) {
  test(`${name}: ${status || 'cut off'}`, async () => {
    const heard = await sendOnce(port, bytes);
    assert.equal(Number(/^HTTP\/1\.1 (\d{3}) /.exec(heard)?.[1] ?? 0), status, heard);
    assert.equal((await clients.anonymous('GET', '/livez')).status, 200);
  });
}

test('what is hidden behind the end of a smuggled request is never answered', async () => {
  const raw = await RawSocket.open(port);
  const headers = 'Content-Type: application/json\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n';
  raw.write(post('/login', headers, `5c\r\n${LIVE}`));
  await raw.closed();
  assert.deepEqual(raw.statuses, [400]);
});

test('a WebSocket that is asked for before the answer to a login ends its own connection and nothing else', async () => {
  const raw = await RawSocket.open(port);
  const body = JSON.stringify({ username: 'anna', password: 'not this one' });
  const login = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  raw.write(`${post('/login', login, body)}GET /drive HTTP/1.1\r\n${HOST}${UPGRADE}\r\n`);
  await raw.closed();
  assert.ok(!raw.statuses.includes(101));
  assert.equal((await clients.anonymous('GET', '/livez')).status, 200);
});

test('a hundred requests sent at once are answered in their order', async () => {
  const raw = await RawSocket.open(port);
  const missing = `GET /nothing-here HTTP/1.1\r\n${HOST}\r\n`;
  raw.write((LIVE + missing).repeat(50));
  assert.deepEqual(await raw.answers(100), Array.from({ length: 50 }, () => [200, 404]).flat());
  raw.end();
});

test('a connection that is closed half-way through its body is no failure of the gateway', async () => {
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
