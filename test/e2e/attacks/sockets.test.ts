import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import { type WebSocket as Client, WebSocket } from 'ws';
import { LIMITS } from '../../../src/web/server/fast-express.js';
import { type ApiClients, openApiClients, resetCart } from '../../helpers/api-clients.js';
import { RawSocket } from '../../helpers/raw-socket.js';

/** Connections that only want to be there, and what can be said on a WebSocket. */
const test = suite('attack: sockets');

const HOST = 'Host: localhost\r\n';

let clients: ApiClients;
let port = 0;
let cookie = '';

test.before(async () => {
  clients = await openApiClients();
  port = Number(new URL(clients.gateway.url).port);
  const body = { username: 'bo', password: 'correct horse battery' };
  const { headers } = await clients.anonymous('POST', '/login', { body });
  cookie = headers['set-cookie']?.[0]?.split(';')[0] ?? '';
});
test.after(async () => {
  assert.equal(await clients.gateway.close(), 0);
});

async function crowd(count: number, first: string): Promise<RawSocket[]> {
  const sockets: RawSocket[] = [];
  // A hundred at a time: the kernel keeps no more waiting.
  while (sockets.length < count) {
    const some = await Promise.all(Array.from({ length: 100 }, () => RawSocket.open(port)));
    for (const raw of some) raw.write(first);
    sockets.push(...some);
  }
  return sockets;
}

const CROWDS: Record<string, string> = {
  'that say nothing': '',
  'with half a header': 'POST /login HTTP/1.1\r\nHost:',
  'with half a body': `POST /login HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nContent-Length: 99\r\n\r\n{`,
  'that do not read their answers': `GET /openapi.json HTTP/1.1\r\n${HOST}\r\n`,
};

for (const [name, first] of Object.entries(CROWDS)) {
  test(`beside a thousand sockets ${name} a cart is commanded, and every cart is stopped`, async () => {
    const sockets = await crowd(1000, first);
    for (const { socket } of sockets) socket.pause();
    const { status } = await clients.operator('POST', '/', {
      body: { cartID: 4711, distanceID: 1, angleID: 0 },
    });
    assert.equal(status, 404, 'the command was looked at');
    assert.equal((await clients.customer('POST', '/estop')).status, 200);
    assert.equal((await resetCart(clients.operator)).status, 200);
    for (const raw of sockets) raw.end();
  });
}

test('more sockets than there is room for keep nobody out', async () => {
  const sockets = await crowd(LIMITS.connections + 100, '');
  assert.equal((await clients.customer('POST', '/estop')).status, 200);
  assert.equal((await resetCart(clients.operator)).status, 200);
  assert.ok(sockets.filter(({ socket }) => socket.closed).length >= 100, 'the oldest have gone');
  for (const raw of sockets) raw.end();
});

async function driver(): Promise<Client> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/drive`, {
    headers: { cookie, origin: clients.gateway.url },
  });
  await new Promise((resolve, reject) => socket.once('message', resolve).once('error', reject));
  return socket;
}

/** A frame as a client masks it, of any length and kind. */
function frame(first: number, payload: Buffer, length = payload.length): Buffer {
  const extended = Buffer.alloc(8);
  extended.writeBigUInt64BE(BigInt(length));
  return Buffer.concat([Buffer.from([first, 0x80 | 127]), extended, Buffer.alloc(4), payload]);
}

const FRAMES: Record<string, Buffer> = {
  'without a mask': Buffer.from([0x81, 2, 0x7b, 0x7d]),
  'of a kind that there is not': frame(0x83, Buffer.from('{}')),
  'with bits that nobody agreed on': frame(0xf1, Buffer.from('{}')),
  'that is said to have 2^53 bytes': frame(0x81, Buffer.from('{}'), 2 ** 53 - 1),
  'longer than any word': frame(0x81, Buffer.alloc(100_000, 'a')),
  'of bytes': frame(0x82, randomBytes(100)),
  'that is no UTF-8': frame(0x81, Buffer.from([0xff, 0xfe, 0xfd])),
  'that is no JSON': frame(0x81, Buffer.from('{')),
  'that reaches for prototypes': frame(0x81, Buffer.from('{"__proto__":{"polluted":1}}')),
  'of 200 levels': frame(0x81, Buffer.from(`${'['.repeat(200)}${']'.repeat(200)}`)),
  'that goes on for ever': Buffer.concat([frame(1, Buffer.alloc(400)), frame(0, Buffer.alloc(400))]),
  'that is a ping longer than a ping': frame(0x89, Buffer.alloc(200)),
  'that closes with a code that there is not': frame(0x88, Buffer.from([0, 1])),
};

for (const [name, bytes] of Object.entries(FRAMES)) {
  test(`a frame ${name} ends its drive socket and nothing else`, async () => {
    const other = await driver();
    const raw = await RawSocket.open(port);
    raw.write(
      `GET /drive HTTP/1.1\r\n${HOST}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n` +
        `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\nCookie: ${cookie}\r\nOrigin: http://localhost\r\n\r\n`,
    );
    assert.deepEqual(await raw.answers(1), [101]);
    raw.write(bytes);
    // A close frame has to be answered, or the other end waits for a while.
    await raw.until((heard) => heard.includes('\x88')).catch(() => undefined);
    raw.end();
    assert.equal(other.readyState, WebSocket.OPEN);
    other.terminate();
  });
}

test('who is asked whether he is there and says nothing has his drive socket closed', async () => {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/drive`, {
    headers: { cookie, origin: clients.gateway.url },
    autoPong: false,
  });
  const code = await new Promise((resolve, reject) => {
    socket.once('close', resolve).once('error', reject);
  });
  assert.equal(code, 1006, 'without a word');
});

test('the drive socket after the fiftieth takes the place of the oldest of the same person', async () => {
  const all = await Promise.all(Array.from({ length: 50 }, driver));
  const closed = Promise.race(all.map((socket) => new Promise((resolve) => socket.once('close', resolve))));
  const next = await driver();
  assert.equal(await closed, 1013);
  assert.equal(next.readyState, WebSocket.OPEN);
  assert.equal((await clients.customer('POST', '/estop')).status, 200);
  for (const socket of [...all, next]) socket.terminate();
});

test('ten thousand words in one piece end the socket that said them', async () => {
  const socket = await driver();
  const closed = new Promise((resolve) => socket.once('close', resolve));
  for (let i = 0; i < 10_000; i += 1) socket.send('{"type":"jog","seq":1}');
  assert.ok([1006, 1008].includes(Number(await closed)));
  assert.equal((await clients.anonymous('GET', '/livez')).status, 200);
});

test.run();
