import assert from 'node:assert/strict';
import { test } from 'uvu';
import { seesDetails } from '../../../../src/http/guard/principal.js';
import { type Health, publicHealth } from '../../../../src/system/http/health-routes.js';
import { layout } from '../../app/api/samples.js';

const SECRET = 'anna at /var/lib/secret';

test("removes each component's messages, names and paths from public health data", () => {
  const { carts, ...rest } = layout();
  const full: Health = {
    mode: 'full',
    uptimeS: 1,
    overview: {
      ...rest,
      gateway: { ...rest.gateway, name: SECRET, fleet: SECRET },
      links: {
        broker: { connected: false, embedded: false, reason: SECRET, url: SECRET },
        camera: { ...rest.links.camera, reason: SECRET },
      },
      carts: carts.map((cart) => ({
        ...cart,
        safety: { ...cart.safety, reason: SECRET, resetNeeds: SECRET, stoppedBy: SECRET },
      })),
    },
    faulty: [
      { part: 'database', text: SECRET },
      { part: 'database', text: SECRET },
    ],
    settingsFaults: [{ path: SECRET, message: SECRET }],
    store: {
      healthy: false,
      readOnly: false,
      reason: SECRET,
      notices: [SECRET],
      restoredFrom: SECRET,
      information: [SECRET],
      restored: { name: SECRET, at: 1, by: SECRET, kept: SECRET },
      schemaVersion: 5,
      queueOperations: 0,
      queueBytes: 0,
      writerSilentMs: 0,
      metrics: {} as Health['store']['metrics'],
      lastBackup: { path: SECRET, bytes: 7, at: 1 },
    },
  };
  const shown = publicHealth(full);
  const { safety } = shown.overview.carts[0] ?? {};
  const { overview: all, ...others } = shown;
  const { gateway, links } = all;
  assert.ok(!JSON.stringify({ others, gateway, links, safety }).includes('secret'));
  assert.deepEqual(
    shown.faulty.map(({ text }) => text),
    ['database', 'settings'],
  );
  assert.deepEqual(shown.store.lastBackup, { path: '', bytes: 7, at: 1 });
});

test('shows details only to operators and to clients on a trusted network', () => {
  const user = { kind: 'user', userId: 1, username: 'x', sessionId: 's' } as const;
  assert.equal(seesDetails({ kind: 'anonymous' }), false);
  assert.equal(seesDetails({ ...user, role: 'customer' }), false);
  assert.equal(seesDetails({ ...user, role: 'operator' }), true);
  assert.equal(seesDetails({ kind: 'lan' }), true);
});

test.run();
