import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { test } from 'uvu';
import { fastExpress } from '../../../../src/http/server/fast-express.js';
import { RawSocket } from '../../../helpers/raw-socket.js';

const HOST = 'Host: localhost\r\n';
const H2C = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n';
const WEBSOCKET = 'Connection: Upgrade\r\nUpgrade: websocket\r\n';

let server: Server;
let port = 0;
let seen: string[] = [];

test.before(async () => {
  const { app, server: created } = fastExpress();
  app.use((req, res) => {
    let body = '';
    req.setEncoding('utf8');
    req.on('data', (text: string) => {
      body += text;
    });
    req.on('end', () => {
      seen.push(`${req.method} ${req.url} ${body}`.trim());
      res.end('done');
    });
  });
  server = created;
  server.on('upgrade', ({ url }, socket: Socket) => {
    seen.push(`upgrade ${url}`);
    socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});
test.before.each(() => {
  seen = [];
});
test.after(() => {
  server.close();
});

/** Sends the pieces as separate packets and waits until the connection is closed. */
async function send(...pieces: string[]): Promise<RawSocket> {
  const raw = await RawSocket.open(port);
  raw.socket.setNoDelay(true);
  for (const piece of pieces) {
    await new Promise((resolve) => raw.socket.write(piece, 'latin1', resolve));
    await new Promise(setImmediate);
  }
  await raw.closed();
  return raw;
}

const BODY = '{"cartID":2}';
const LENGTH = `Content-Length: ${BODY.length}\r\n`;
const head = (headers: string, method = 'POST', path = '/estop/reset') =>
  `${method} ${path} HTTP/1.1\r\n${HOST}${headers}\r\n`;

for (const [where, pieces] of Object.entries<string[]>({
  'in the same packet': [`${head(H2C + LENGTH)}${BODY}`],
  'in later packets': [head(H2C + LENGTH), BODY.slice(0, 5), BODY.slice(5)],
  'in chunks': [head(`${H2C}Transfer-Encoding: chunked\r\n`), '6\r\n{"cart\r\n', '6\r\nID":2}\r\n0\r\n\r\n'],
  'after a WebSocket upgrade': [`${head(WEBSOCKET + LENGTH)}${BODY}`],
})) {
  test(`reads the body of a request with an ignored Upgrade header (${where}) and closes the connection`, async () => {
    const raw = await send(...pieces);
    assert.deepEqual(seen, [`POST /estop/reset ${BODY}`]);
    assert.deepEqual(raw.statuses, [200]);
    assert.match(raw.received, /^connection: close\r$/im);
  });
}

test('rejects a request with Content-Length and chunked encoding, even with an Upgrade header', async () => {
  const raw = await send(`${head(`${H2C + LENGTH}Transfer-Encoding: chunked\r\n`)}0\r\n\r\n`);
  assert.deepEqual([raw.statuses, seen], [[400], []]);
});

test('responds to the request that precedes a request with an ignored Upgrade header', async () => {
  const raw = await send(`${head('', 'GET', '/a')}${head(H2C + LENGTH)}${BODY}`);
  assert.deepEqual(seen, ['GET /a', `POST /estop/reset ${BODY}`]);
  assert.deepEqual(raw.statuses, [200, 200]);
});

test('discards or fully handles the request that follows a request with an ignored Upgrade header', async () => {
  const raw = await send(`${head(H2C, 'GET', '/a')}${head(LENGTH)}${BODY}`);
  assert.deepEqual(raw.statuses, [200]);
  assert.deepEqual(seen[0], 'GET /a');
  for (const entry of seen.slice(1)) assert.equal(entry, `POST /estop/reset ${BODY}`);
});

test('only a GET /drive request without a body is upgraded, and only to a WebSocket', async () => {
  await send(head(WEBSOCKET, 'GET', '/drive?x=1'));
  assert.deepEqual(seen.splice(0), ['upgrade /drive?x=1']);
  for (const [headers, method, path] of [
    [WEBSOCKET, 'POST', '/drive'],
    [WEBSOCKET, 'GET', '/drive/on'],
    [WEBSOCKET, 'GET', '/driven'],
    [H2C, 'GET', '/drive'],
    [`${WEBSOCKET}Content-Length: 0\r\n`, 'GET', '/drive'],
  ] as const) {
    await send(head(headers, method, path));
    assert.deepEqual(seen.splice(0), [`${method} ${path}`]);
  }
});

test.run();
