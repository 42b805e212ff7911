import assert from 'node:assert/strict';
import { test } from 'uvu';
import { isHost, isHttpUrl } from '../../../../src/shared/validation/hosts.js';

for (const host of ['broker', 'Cart-1.local', 'my_host', '10.0.0.1', '::1', 'fe80::1', '::ffff:10.0.0.1'])
  test(`accepts the host ${host}`, () => assert.equal(isHost(host), true));

for (const host of [
  '',
  'broker:1883',
  'fe80::1%eth0',
  '::1::2',
  '1:2',
  '999.1.1.1',
  '0x7f000001',
  '127.1',
  '::1:99999',
])
  test(`rejects the host "${host}"`, () => assert.equal(isHost(host), false));

for (const url of [
  'http://host',
  'https://Carts.example.org',
  'http://host:80',
  'https://host:443',
  'http://[::1]:8080/a?b',
  'http://10.0.0.1:65535/',
  'http://tiles.local/{z}/{x}/{y}.png',
  'https://[FE80::1]/',
])
  test(`accepts the URL ${url}`, () => assert.equal(isHttpUrl(url), true));

for (const url of [
  'http://host:99999',
  'http://host:0',
  'http://[fe80::1%25eth0]/',
  'http://[fe80::1%eth0]/',
  'http://::1:80',
  'http://[::1::2]/',
  'http://user@host/',
  'http://user:word@host/',
  'ftp://host',
  'http://',
  'http://a b/',
  'http://0x7f000001/',
  'http://2130706433',
  'http://127.1:80',
  'http://999.1.1.1/',
  'http://host:x/',
  'host',
])
  test(`rejects the URL ${url}`, () => assert.equal(isHttpUrl(url), false));

test.run();
