import assert from 'node:assert/strict';
import { test } from 'uvu';
import { announcementOf, localName } from '../../src/compose/discovery.js';

const ABOUT = { name: 'Cart 7', cartID: 7, fleet: 'harbour', version: '1.2.3' };

test('the announcement has the name of the gateway and what to choose by', () => {
  assert.deepEqual(announcementOf(ABOUT, new URL('http://localhost:3000'), '3f2a'), {
    name: 'Cart 7 (3f2a)',
    host: 'cartwright-3f2a.local',
    port: 3000,
    txt: { path: '/', cartID: '7', fleet: 'harbour', version: '1.2.3', tls: '0' },
  });
});

test('TLS is told, and the port that an address leaves out', () => {
  const { port, txt } = announcementOf(ABOUT, new URL('https://localhost:443'), '3f2a');
  assert.deepEqual([port, txt.tls], [443, '1']);
  assert.equal(announcementOf(ABOUT, new URL('http://localhost:80'), '3f2a').port, 80);
});

test('a name that is too long for the DNS is cut between two characters', () => {
  const { name } = announcementOf(
    { ...ABOUT, name: '🛒'.repeat(64) },
    new URL('http://localhost:3000'),
    '3f2a',
  );
  assert.equal(name, `${'🛒'.repeat(14)} (3f2a)`);
  assert.equal(Buffer.byteLength(name), 63);
});

test('a machine keeps its name', () => {
  assert.match(localName(), /^cartwright-[0-9a-f]{4}\.local$/);
  assert.equal(localName(), localName());
});

test.run();
