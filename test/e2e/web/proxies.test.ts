import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { networkInterfaces } from 'node:os';
import { test } from 'uvu';
import { WebSocket } from 'ws';
import { isPrivateAddress } from '../../../src/http/guard/private-address.js';
import { GatewayProcess } from '../../helpers/gateway.js';
import {
  hasCaddy,
  hasNginx,
  type ReverseProxy,
  startDocumentedCaddy,
  startDocumentedNginx,
  startNginx,
} from './proxy-programs.js';

const PASSWORD = 'correct horse battery';
const MOVE = { cartID: 1, distanceID: 50, angleID: 0 };

interface Sent {
  body?: object;
  headers?: Record<string, string>;
  from?: string;
  host?: string;
}

async function sendRequest(port: number, method: string, path: string, sent: Sent = {}) {
  const { body, headers = {}, from = '127.0.0.1', host = '127.0.0.1' } = sent;
  const outgoing = request({
    host,
    port,
    method,
    path,
    localAddress: host === '127.0.0.1' ? from : undefined,
    agent: false,
    headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
  });
  outgoing.end(body && JSON.stringify(body));
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of answer) text += chunk;
  const cookie = answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  return { status: answer.statusCode, text, cookie };
}

const portOf = ({ url }: GatewayProcess): number => Number(new URL(url).port);

/** Returns this machine's private IPv4 address, or undefined if it has none. */
function ownAddress(): string | undefined {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.find(
    ({ family, internal, address }) => family === 'IPv4' && !internal && isPrivateAddress(address),
  )?.address;
}

async function withProxy(
  gateway: GatewayProcess,
  start: (port: number) => Promise<ReverseProxy>,
  run: (port: number) => Promise<void>,
): Promise<void> {
  try {
    const proxy = await start(portOf(gateway));
    try {
      await run(proxy.port);
    } finally {
      await proxy.close();
    }
  } finally {
    await gateway.close();
  }
}

if (!hasNginx) process.stdout.write('SKIPPED: nginx is not installed\n');
if (!hasCaddy) process.stdout.write('SKIPPED: caddy is not installed\n');

if (hasNginx) {
  test('a gateway with a trusted network requires a login for requests from an unlisted proxy', async () => {
    const gateway = await GatewayProcess.start({}, { HOST: '0.0.0.0' });
    // A minimal nginx configuration, without headers that reveal the proxy.
    const plain = (to: number) =>
      startNginx(
        (port) => `server { listen 127.0.0.1:${port}; location / { proxy_pass http://127.0.0.1:${to}; } }`,
      );
    await withProxy(gateway, plain, async (port) => {
      assert.equal((await sendRequest(port, 'POST', '/', { body: MOVE })).status, 401);
      assert.equal((await sendRequest(port, 'GET', '/livez')).status, 200);
      // Requests from the proxy and from a local browser have the same source address.
      assert.equal((await sendRequest(portOf(gateway), 'POST', '/', { body: MOVE })).status, 401);
      const host = ownAddress();
      if (host) assert.equal((await sendRequest(portOf(gateway), 'GET', '/carts', { host })).status, 200);
    });
  });
}

/** Asserts that client addresses, limits and live pages work behind a documented proxy configuration. */
async function assertWorksBehind(start: (port: number) => Promise<ReverseProxy>): Promise<void> {
  const env = {
    CARTWRIGHT_AUTH: 'required',
    CARTWRIGHT_ADMIN_USER: 'anna',
    CARTWRIGHT_ADMIN_PASSWORD: PASSWORD,
  };
  const gateway = await GatewayProcess.start({}, env, { trustedProxies: ['127.0.0.1'] });
  await withProxy(gateway, start, async (port) => {
    const origin = `http://127.0.0.1:${port}`;
    const logIn = (password: string, from: string, forged = '') =>
      sendRequest(port, 'POST', '/login', {
        body: { username: 'anna', password },
        headers: { origin, ...(forged ? { 'x-forwarded-for': forged } : {}) },
        from,
      });
    // Login limits apply to the client address, not to a forged header.
    for (let tries = 0; tries < 5; tries += 1) {
      assert.equal((await logIn('wrong password', '127.0.0.2', `10.0.0.${tries}`)).status, 401);
    }
    assert.equal((await logIn(PASSWORD, '127.0.0.2', '10.0.0.9')).status, 429);
    const { status, cookie } = await logIn(PASSWORD, '127.0.0.3');
    assert.equal(status, 201);

    const headers = { cookie, origin };
    assert.equal((await sendRequest(port, 'POST', '/carts/1/stop', { body: {}, headers })).status, 200);
    const pictures = request({ host: '127.0.0.1', port, path: '/events', headers, agent: false }).end();
    const [stream] = (await once(pictures, 'response')) as [IncomingMessage];
    assert.equal(stream.statusCode, 200);
    await once(stream, 'data');
    stream.destroy();
    const socket = new WebSocket(`ws://127.0.0.1:${port}/drive`, { headers });
    await once(socket, 'message');
    socket.terminate();
  });
}

if (hasNginx) {
  test('the documented nginx configuration forwards client addresses and supports live pages', () =>
    assertWorksBehind(startDocumentedNginx));
}
if (hasCaddy) {
  test('the documented Caddy configuration forwards client addresses and supports live pages', () =>
    assertWorksBehind(startDocumentedCaddy));
}

test.run();
