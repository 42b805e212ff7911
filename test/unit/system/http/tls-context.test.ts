import assert from 'node:assert/strict';
import { test } from 'uvu';
import { tlsContext } from '../../../../src/system/http/tls-context.js';
import { layout } from '../../gateway/api/samples.js';

test('the HTTPS page lists only the addresses at which other devices reach the gateway', () => {
  const context = tlsContext(layout(), {
    view: {
      ...{ source: 'local', state: 'valid', redirect: 'off', port: 3443, fault: '', ca: null },
      names: ['cart.local', 'localhost', '127.0.0.1', '::1', '192.168.1.20', 'fd00::2'],
      notBefore: '2026-11-01T00:00:00.000Z',
      notAfter: '2027-12-01T00:00:00.000Z',
    },
    caUrl: 'http://192.168.1.20/ca.crt',
    isAdmin: true,
  });
  assert.deepEqual((context as unknown as { links: string[] }).links, [
    'https://cart.local:3443/',
    'https://192.168.1.20:3443/',
    'https://[fd00::2]:3443/',
  ]);
});

test.run();
