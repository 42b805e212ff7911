import assert from 'node:assert/strict';
import { test } from 'uvu';
import { gatewayIdOf } from '../../../src/app/identity.js';

const HOST = 'gateway-in-the-north-hall-beside-the-loading-bay-of-building-12';

test('the ID combines the host name and the cart number', () => {
  assert.equal(gatewayIdOf('pi-1.local', 7), 'pi-1-local-7');
  assert.equal(gatewayIdOf('h'.repeat(62), 1), `${'h'.repeat(62)}-1`);
});

// Fault case 66
test('shortens a long ID to the same value at every start', () => {
  assert.equal(HOST.length, 63);
  const id = gatewayIdOf(HOST, 1);
  assert.equal(id.length, 64);
  assert.equal(gatewayIdOf(HOST, 1), id);
  assert.ok(id.startsWith('gateway-in-the-north-hall-') && id.endsWith('-1'), id);
  assert.match(gatewayIdOf(`${HOST}${'.x'.repeat(80)}`, 65_535), /^[A-Za-z0-9_-]{64}$/);
});

test('gives different hosts and carts different shortened IDs', () => {
  const ids = ['1', '2', '3'].flatMap((end) => [1, 2].map((cart) => gatewayIdOf(`${HOST}${end}`, cart)));
  assert.equal(new Set(ids).size, 6);
});

test.run();
