import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type Request } from 'express';
import { test } from 'uvu';
import { type LocalRules, localCheck, trustProxies } from '../../../../src/http/guard/origin.js';
import { isLocalName, isPrivateAddress } from '../../../../src/http/guard/private-address.js';
import { addressList } from '../../../../src/shared/addresses.js';

test('recognises private addresses', () => {
  const near = ['127.0.0.1', '::1', '::ffff:192.168.1.7', '10.1.2.3', '172.16.0.1', 'fe80::1%eth0'];
  for (const address of near) assert.ok(isPrivateAddress(address), address);
  const far = ['8.8.8.8', '172.32.0.1', '::ffff:93.184.216.34', '2606:4700::1111', '', 'localhost'];
  for (const address of far) assert.ok(!isPrivateAddress(address), address);
});

test('treats names that cannot exist in the public DNS as local', () => {
  for (const name of ['localhost', 'cart-1', 'cart-1.local', 'cart.lan', 'a.home.arpa', '192.168.1.4', '::1'])
    assert.ok(isLocalName(name), name);
  for (const name of ['', 'cart.example.com', 'local.example', 'cart.local.evil.example', '8.8.8.8'])
    assert.ok(!isLocalName(name), name);
});

test('an address list matches every notation of its addresses and rejects invalid entries', () => {
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

/** Returns whether a request that passes through Express with the gateway's proxy setting is trusted. */
async function isTrusted(rules: LocalRules, peer: string, sent: Record<string, string>): Promise<boolean> {
  const app = express();
  trustProxies(app, rules.isProxy);
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
  ['a client on the LAN', NO_PROXY, '192.168.1.7', headers(), true],
  [
    'a LAN client with a public host name',
    NO_PROXY,
    '192.168.1.7',
    headers({ host: 'cart.example.com' }),
    false,
  ],
  ['a LAN client with a public host address', NO_PROXY, '192.168.1.7', headers({ host: '8.8.8.8' }), false],
  ['an internet client', NO_PROXY, '203.0.113.9', headers(), false],
  ['a loopback client of a gateway on the network', NO_PROXY, '127.0.0.1', headers(), false],
  [
    'a loopback client of a gateway that listens only on loopback',
    { ...NO_PROXY, isLoopbackOnly: true },
    '127.0.0.1',
    headers(),
    true,
  ],
  ['an unlisted proxy', NO_PROXY, '192.168.1.7', from('192.168.1.9'), false],
  ['an unlisted proxy that sends only Via', NO_PROXY, '192.168.1.7', headers({ via: '1.1 cache' }), false],
  ['a LAN client through the proxy', NGINX, '127.0.0.1', from('192.168.1.9'), true],
  ['an internet client through the proxy', NGINX, '127.0.0.1', from('203.0.113.9'), false],
  ['an internet client with a forged address', NGINX, '127.0.0.1', from('192.168.1.9, 203.0.113.9'), false],
  ['a LAN client through two proxies', NGINX, '10.0.0.5', from('192.168.1.9, 127.0.0.1'), true],
  ['the proxy without a client address', NGINX, '127.0.0.1', headers(), false],
  ['the proxy with its own address', NGINX, '127.0.0.1', from('127.0.0.1'), false],
  ['the proxy with an invalid address', NGINX, '127.0.0.1', from('unknown'), false],
] as const) {
  test(`${what} is ${isLocal ? '' : 'not '}trusted as local`, async () => {
    assert.equal(await isTrusted(rules, peer, sent), isLocal);
  });
}

test.run();
