import assert from 'node:assert/strict';
import { test } from 'uvu';
import { announcementOf, openDiscovery } from '../../../../src/app/composition/discovery.js';
import { localName } from '../../../../src/app/composition/own-names.js';
import type { SettingsService } from '../../../../src/settings/document/settings.js';
import { defaultSettings, type Settings } from '../../../../src/settings/schema/schema.js';
import { Signal } from '../../../../src/shared/signal.js';
import { quietLog, settle } from '../../../helpers/cart-harness.js';
import { FakeClock } from '../../../helpers/fake-clock.js';

const ABOUT = { name: 'Cart 7', cartID: 7, fleet: 'harbour', version: '1.2.3' };

test("announces the gateway's name, address and TXT records", () => {
  assert.deepEqual(announcementOf(ABOUT, new URL('http://localhost:3000'), '3f2a'), {
    name: 'Cart 7 (3f2a)',
    host: 'cartwright-3f2a.local',
    port: 3000,
    txt: { path: '/', cartID: '7', fleet: 'harbour', version: '1.2.3', tls: '0' },
  });
});

test('announces whether TLS is used, and the default port of the URL', () => {
  const { port, txt } = announcementOf(ABOUT, new URL('https://localhost:443'), '3f2a');
  assert.deepEqual([port, txt.tls], [443, '1']);
  assert.equal(announcementOf(ABOUT, new URL('http://localhost:80'), '3f2a').port, 80);
});

test('truncates a long gateway name at a character boundary', () => {
  const { name } = announcementOf(
    { ...ABOUT, name: '🛒'.repeat(64) },
    new URL('http://localhost:3000'),
    '3f2a',
  );
  assert.equal(name, `${'🛒'.repeat(14)} (3f2a)`);
  assert.equal(Buffer.byteLength(name), 63);
});

/**
 * Opens discovery for a gateway that listens on `host`. `announced` records announcements and withdrawals.
 */
function opened(host: string) {
  const announced: string[] = [];
  const current = structuredClone(defaultSettings());
  const changes = new Signal<[Parameters<Parameters<SettingsService['onChange']>[0]>[0]]>();
  const settings = { current, onChange: changes.on.bind(changes) };
  const services = { config: { host }, settings, clock: new FakeClock(), log: quietLog };
  const about = () => ({ ...ABOUT, name: current.gateway.name });
  const discovery = openDiscovery(
    services,
    { facts: { about, url: 'http://localhost:3000' } },
    {
      addresses: () => ['192.168.1.7'],
      announce: async ({ name }) => {
        announced.push(`+${name.replace(/ \(.*/, '')}`);
        return { close: async () => void announced.push('-') };
      },
    },
  );
  const change = async (gateway: Partial<Settings['gateway']>): Promise<void> => {
    const previous = structuredClone(current);
    Object.assign(current.gateway, gateway);
    changes.emit({ changed: ['gateway'], settings: current, previous, restartNeeded: [] });
    await settle();
  };
  return { announced, change, close: async () => discovery?.close() };
}

test('announces a new name immediately, follows the announce setting, and stops announcing on close', async () => {
  const { announced, change, close } = opened('0.0.0.0');
  await settle();
  await change({ name: 'Harbour' });
  await change({ announce: false });
  await change({ announce: true });
  await close();
  assert.deepEqual(announced, ['+Cart 1', '-', '+Harbour', '-', '+Harbour', '-']);
});

test('does not announce a gateway that listens only on loopback', async () => {
  for (const host of ['127.0.0.1', 'localhost', '::1']) {
    const { announced, change, close } = opened(host);
    await change({ name: 'Harbour' });
    await close();
    assert.deepEqual(announced, []);
  }
});

test("a machine's announced host name does not change", () => {
  assert.match(localName(), /^cartwright-[0-9a-f]{4}\.local$/);
  assert.equal(localName(), localName());
});

test.run();
