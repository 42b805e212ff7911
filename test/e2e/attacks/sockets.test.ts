import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { suite } from 'uvu';
import { type WebSocket as Client, WebSocket } from 'ws';
import { type ApiClients, openApiClients, resetCart } from '../../helpers/api-clients.js';
import { RawSocket } from '../../helpers/raw-socket.js';

/** Half of the 4,096 connections for which the gateway has memory. */
const MAX_CONNECTIONS_PER_ADDRESS = 2048;

const test = suite('attack: sockets and WebSocket frames');

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

let attackers = 0;

/**
 * Opens sockets from an address that no other test uses, because an address that has opened many connections may
 * open further ones only slowly.
 */
async function openSockets(count: number, first: string): Promise<RawSocket[]> {
  attackers += 1;
  const address = `127.0.1.${attackers}`;
  const sockets: RawSocket[] = [];
  // Sockets are opened in batches of a hundred, because the kernel's accept queue is short.
  while (sockets.length < count) {
    const some = await Promise.all(Array.from({ length: 100 }, () => RawSocket.open(port, address)));
    for (const raw of some) raw.write(first);
    sockets.push(...some);
  }
  return sockets;
}

const SOCKET_CASES: Record<string, string> = {
  'that send nothing': '',
  'with an incomplete header': 'POST /login HTTP/1.1\r\nHost:',
  'with an incomplete body': `POST /login HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nContent-Length: 99\r\n\r\n{`,
  'that do not read their responses': `GET /openapi.json HTTP/1.1\r\n${HOST}\r\n`,
};

for (const [name, first] of Object.entries(SOCKET_CASES)) {
  test(`accepts commands and stop requests while a thousand sockets ${name} are open`, async () => {
    const sockets = await openSockets(1000, first);
    for (const { socket } of sockets) socket.pause();
    const { status } = await clients.operator('POST', '/', {
      body: { cartID: 4711, distanceID: 1, angleID: 0 },
    });
    assert.equal(status, 404, 'the command reached its validation');
    assert.equal((await clients.customer('POST', '/estop')).status, 200);
    assert.equal((await resetCart(clients.operator)).status, 200);
    for (const raw of sockets) raw.end();
  });
}

test('accepts a stop when the connection limit is exceeded', async () => {
  const sockets = await openSockets(MAX_CONNECTIONS_PER_ADDRESS + 100, '');
  assert.equal((await clients.customer('POST', '/estop')).status, 200);
  assert.equal((await resetCart(clients.operator)).status, 200);
  assert.ok(
    sockets.filter(({ socket }) => socket.closed).length >= 100,
    'the oldest connections were closed',
  );
  for (const raw of sockets) raw.end();
});

async function openDriveSocket(): Promise<Client> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/drive`, {
    headers: { cookie, origin: clients.gateway.url },
  });
  await new Promise((resolve, reject) => socket.once('message', resolve).once('error', reject));
  return socket;
}

/** Creates a masked WebSocket frame. `length` may differ from the payload length. */
function frame(first: number, payload: Buffer, length = payload.length): Buffer {
  const extended = Buffer.alloc(8);
  extended.writeBigUInt64BE(BigInt(length));
  return Buffer.concat([Buffer.from([first, 0x80 | 127]), extended, Buffer.alloc(4), payload]);
}

const FRAMES: Record<string, Buffer> = {
  'without a mask': Buffer.from([0x81, 2, 0x7b, 0x7d]),
  'with an unknown opcode': frame(0x83, Buffer.from('{}')),
  'with reserved bits': frame(0xf1, Buffer.from('{}')),
  'with a length of 2^53': frame(0x81, Buffer.from('{}'), 2 ** 53 - 1),
  'longer than any message': frame(0x81, Buffer.alloc(100_000, 'a')),
  'with binary data': frame(0x82, Buffer.from(Array.from({ length: 100 }, (_, at) => (at * 151) % 256))),
  'with invalid UTF-8': frame(0x81, Buffer.from([0xff, 0xfe, 0xfd])),
  'with invalid JSON': frame(0x81, Buffer.from('{')),
  'with a __proto__ member': frame(0x81, Buffer.from('{"__proto__":{"polluted":1}}')),
  'with 200 nested arrays': frame(0x81, Buffer.from(`${'['.repeat(200)}${']'.repeat(200)}`)),
  'split into endless fragments': Buffer.concat([frame(1, Buffer.alloc(400)), frame(0, Buffer.alloc(400))]),
  'with an oversized ping': frame(0x89, Buffer.alloc(200)),
  'with an invalid close code': frame(0x88, Buffer.from([0, 1])),
};

for (const [name, bytes] of Object.entries(FRAMES)) {
  test(`a frame ${name} closes only the drive socket on which it was sent`, async () => {
    const other = await openDriveSocket();
    const raw = await RawSocket.open(port);
    raw.write(
      `GET /drive HTTP/1.1\r\n${HOST}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n` +
        `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}\r\nCookie: ${cookie}\r\nOrigin: http://localhost\r\n\r\n`,
    );
    assert.deepEqual(await raw.answers(1), [101]);
    raw.write(bytes);
    await raw.until((data) => data.includes('\x88')).catch(() => undefined);
    raw.end();
    assert.equal(other.readyState, WebSocket.OPEN);
    other.terminate();
  });
}

test('closes a drive socket that does not respond to a ping', async () => {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/drive`, {
    headers: { cookie, origin: clients.gateway.url },
    autoPong: false,
  });
  const code = await new Promise((resolve, reject) => {
    socket.once('close', resolve).once('error', reject);
  });
  assert.equal(code, 1006, 'closed without a close frame');
});

test("a user's 51st drive socket replaces that user's oldest drive socket", async () => {
  const all = await Promise.all(Array.from({ length: 50 }, openDriveSocket));
  const closed = Promise.race(all.map((socket) => new Promise((resolve) => socket.once('close', resolve))));
  const next = await openDriveSocket();
  assert.equal(await closed, 1013);
  assert.equal(next.readyState, WebSocket.OPEN);
  assert.equal((await clients.customer('POST', '/estop')).status, 200);
  for (const socket of [...all, next]) socket.terminate();
});

test('the gateway closes a drive socket that sends a burst of 10,000 messages', async () => {
  const socket = await openDriveSocket();
  const closed = new Promise((resolve) => socket.once('close', resolve));
  for (let i = 0; i < 10_000; i += 1) socket.send('{"type":"jog","seq":1}');
  assert.ok([1006, 1008].includes(Number(await closed)));
  assert.equal((await clients.anonymous('GET', '/livez')).status, 200);
});

test.run();
