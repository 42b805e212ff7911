import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Request } from 'express';
import { test } from 'uvu';
import { isLocalName, isPrivateAddress } from '../../../../src/access/private-address.js';
import { addressList } from '../../../../src/shared/addresses.js';
import { type LocalRules, localCheck } from '../../../../src/web/guard/origin.js';

test('the own network ends where its addresses end', () => {
  const near = ['127.0.0.1', '::1', '::ffff:192.168.1.7', '10.1.2.3', '172.16.0.1', 'fe80::1%eth0'];
  for (const address of near) assert.ok(isPrivateAddress(address), address);
  const far = ['8.8.8.8', '172.32.0.1', '::ffff:93.184.216.34', '2606:4700::1111', '', 'localhost'];
  for (const address of far) assert.ok(!isPrivateAddress(address), address);
});

test('a name is local when the public DNS cannot have it, and an address when it is private', () => {
  for (const name of ['localhost', 'cart-1', 'cart-1.local', 'cart.lan', 'a.home.arpa', '192.168.1.4', '::1'])
    assert.ok(isLocalName(name), name);
  for (const name of ['', 'cart.example.com', 'local.example', 'cart.local.evil.example', '8.8.8.8'])
    assert.ok(!isLocalName(name), name);
});

test('a list of addresses and networks knows its members, however they are written', () => {
  const isOn = addressList(['10.0.0.0/8', '192.168.1.7', '2001:db8::/32']);
  for (const address of ['10.9.9.9', '::ffff:10.0.0.1', '192.168.1.7', '2001:db8::5'])
    assert.ok(isOn(address), address);
  for (const address of ['11.0.0.1', '192.168.1.8', '2001:db9::1', 'unknown', ''])
    assert.ok(!isOn(address), address);
  for (const entry of ['', '10.0.0.0/33', 'proxy', '10.0.0/8', '::/129']) {
    assert.throws(() => addressList([entry]), { code: 'INVALID_INPUT' }, entry);
  }
});

const headers = (more: Record<string, string> = {}) => ({ host: '192.168.1.20:3000', ...more });

/** What the check says of a request, made by Express as the gateway makes it. */
async function judged(rules: LocalRules, peer: string, sent: Record<string, string>): Promise<boolean> {
  const app = express();
  app.set('trust proxy', rules.isProxy);
  let verdict: boolean | undefined;
  app.use((req: Request, res) => {
    Object.defineProperty(req.socket, 'remoteAddress', { value: peer });
    verdict = localCheck(rules)(req);
    res.end();
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const [answer] = await once(
    request({ host: '127.0.0.1', port, headers: sent, agent: false }).end(),
    'response',
  );
  answer.resume();
  server.close();
  assert.ok(verdict !== undefined);
  return verdict;
}

const NO_PROXY: LocalRules = { isLoopbackOnly: false, isProxy: () => false };
const NGINX: LocalRules = { isLoopbackOnly: false, isProxy: addressList(['127.0.0.1', '10.0.0.5']) };
const from = (client: string) => headers({ 'x-forwarded-for': client });

for (const [what, rules, peer, sent, isLocal] of [
  ['a neighbour', NO_PROXY, '192.168.1.7', headers(), true],
  [
    'a neighbour that asks for a public name',
    NO_PROXY,
    '192.168.1.7',
    headers({ host: 'cart.example.com' }),
    false,
  ],
  [
    'a neighbour that asks for a public address',
    NO_PROXY,
    '192.168.1.7',
    headers({ host: '8.8.8.8' }),
    false,
  ],
  ['a client of the internet', NO_PROXY, '203.0.113.9', headers(), false],
  ['this machine, where others can connect', NO_PROXY, '127.0.0.1', headers(), false],
  [
    'this machine, where nobody else can',
    { ...NO_PROXY, isLoopbackOnly: true },
    '127.0.0.1',
    headers(),
    true,
  ],
  ['a proxy that is on no list', NO_PROXY, '192.168.1.7', from('192.168.1.9'), false],
  ['a proxy that only says Via', NO_PROXY, '192.168.1.7', headers({ via: '1.1 cache' }), false],
  ['a neighbour through the proxy', NGINX, '127.0.0.1', from('192.168.1.9'), true],
  ['a client of the internet through the proxy', NGINX, '127.0.0.1', from('203.0.113.9'), false],
  ['a client that forges an address', NGINX, '127.0.0.1', from('192.168.1.9, 203.0.113.9'), false],
  ['a neighbour through two proxies', NGINX, '10.0.0.5', from('192.168.1.9, 127.0.0.1'), true],
  ['the proxy, when it names no client', NGINX, '127.0.0.1', headers(), false],
  ['the proxy, when it names itself', NGINX, '127.0.0.1', from('127.0.0.1'), false],
  ['the proxy, when it names no address', NGINX, '127.0.0.1', from('unknown'), false],
] as const) {
  test(`${what} is ${isLocal ? '' : 'not '}trusted as local`, async () => {
    assert.equal(await judged(rules, peer, sent), isLocal);
  });
}

test.run();
