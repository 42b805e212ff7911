import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'uvu';
import { Pages } from '../../../../src/console/layout/pages.js';
import { httpsText, tlsContext } from '../../../../src/console/tls/context.js';
import { packageRoot } from '../../../../src/shared/package-root.js';
import { layout } from '../../app/api/samples.js';

test('the HTTPS page lists only the addresses at which other devices can reach the gateway', () => {
  const context = tlsContext(layout(), {
    view: {
      source: 'local',
      state: 'valid',
      redirect: 'off',
      port: 3443,
      fault: '',
      ca: null,
      names: ['cart.local', 'localhost', '127.0.0.1', '::1', '192.168.1.20', 'fd00::2'],
      notBefore: '2026-11-01T00:00:00.000Z',
      notAfter: '2027-12-01T00:00:00.000Z',
    },
    caUrl: 'http://192.168.1.20/ca.crt',
    isAdmin: true,
    isSecure: true,
  });
  assert.deepEqual((context as unknown as { links: string[] }).links, [
    'https://cart.local:3443/',
    'https://192.168.1.20:3443/',
    'https://[fd00::2]:3443/',
  ]);
});

function htmlOf(
  isAdmin: boolean,
  ca: { name: string; fingerprint: string; notAfter: string } | null,
  isSecure = true,
): string {
  const dates = ca ? ['2026-11-01T00:00:00.000Z', '2027-12-01T00:00:00.000Z'] : [null, null];
  const [notBefore = null, notAfter = null] = dates;
  const context = tlsContext(layout(), {
    view: {
      source: ca ? 'local' : 'none',
      state: ca ? 'valid' : 'none',
      redirect: 'off',
      port: 3443,
      fault: '',
      ca,
      names: ['cart.local'],
      notBefore,
      notAfter,
    },
    caUrl: 'http://192.168.1.20/ca.crt',
    isAdmin,
    isSecure,
  });
  return new Pages({ viewsDir: join(packageRoot(), 'views') }).render('tls/tls', context);
}

test('the HTTPS page shows the steps for each device before a certificate exists', () => {
  const before = htmlOf(true, null);
  assert.match(before, /<p>After the certificate/);
  assert.match(before, /<h3>Android<\/h3>[\s\S]*<h3>Install as an app<\/h3>/);
  assert.doesNotMatch(before, /ca\.crt|Replace the CA|QR code for/);
  const ca = { name: 'Cart 1 CA', fingerprint: 'AA:BB', notAfter: '2036-12-01T00:00:00.000Z' };
  assert.match(
    htmlOf(true, ca),
    /href="\/ca\.crt"[\s\S]*QR code for[\s\S]*<h3>Android<\/h3>[\s\S]*Replace the CA/,
  );
  assert.doesNotMatch(htmlOf(false, ca), /Replace the CA|<p>After the certificate/);
});

test('the redirect can be turned on only on a page opened over HTTPS', () => {
  const ca = { name: 'Cart 1 CA', fingerprint: 'AA:BB', notAfter: '2036-12-01T00:00:00.000Z' };
  assert.match(htmlOf(true, ca, true), /action="\/system\/tls\/redirect"/);
  assert.doesNotMatch(htmlOf(true, ca, false), /action="\/system\/tls\/redirect"/);
});

test('the System page shows whether HTTPS is on and whether pages are redirected', () => {
  const none = { notBefore: null, notAfter: null, ca: null, names: [] };
  const off = httpsText({ ...none, source: 'none', state: 'none', port: null, redirect: 'off', fault: '' });
  const on = (redirect: 'on' | 'off') =>
    httpsText({ ...none, source: 'local', state: 'valid', port: 3443, redirect, fault: '' });
  assert.equal(new Set([off, on('off'), on('on')]).size, 3);
});

test.run();
