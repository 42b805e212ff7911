import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import { inspectBackup } from '../../../src/backups/archive.js';
import { GatewayProcess } from '../../helpers/gateway.js';
import { randomFrom, rounds, testSeed } from '../../helpers/random.js';
import { until, untilAnswer } from '../../helpers/until.js';
import { ADMINISTRATOR_ENV, loggedIn } from '../store/administrator.js';

const passphrase = 'a passphrase for backups';

/** Adds photos of 1 MB each. */
function addPhotos(gateway: GatewayProcess, count: number): void {
  const folder = join(gateway.dir, 'data/photos');
  mkdirSync(folder, { recursive: true });
  for (let n = 0; n < count; n += 1) {
    const name = `20260504-120000-${String(n).padStart(3, '0')}.jpg`;
    writeFileSync(join(folder, name), Buffer.alloc(1_000_000, n));
  }
}

test('a backup contains the committed data, and neither log nor history contains the passphrase', async () => {
  const gateway = await GatewayProcess.start({}, ADMINISTRATOR_ENV);
  try {
    const request = await loggedIn(gateway);
    const beacon = { id: 'beacon-1' };
    const saved = await request('POST', '/beacon', beacon);
    assert.ok(saved.status < 300, saved.text);
    const made = await request('POST', '/gateway-backups', { passphrase });
    assert.equal(made.status, 201, made.text);
    const { name, sha256 } = made.json() as { name: string; sha256: string };
    const path = join(gateway.dir, 'data/gateway-backups', name);
    const manifest = await inspectBackup({ path, passphrase });
    assert.equal(manifest.tables.beacons, 1);
    assert.equal(manifest.tables.users, 1);
    assert.ok(manifest.parts.some((part) => part.path === 'variables.json'));
    assert.match(sha256, /^[\da-f]{64}$/);

    const inspected = await request('POST', `/gateway-backups/${name}/inspect`, { passphrase });
    assert.deepEqual(inspected.json().problems, []);
    assert.equal((await request('DELETE', `/gateway-backups/${name}`)).status, 200);
    type Entries = { kind: string; person: string; view: { backup: string } }[];
    // History entries are stored after the response.
    const entries = await untilAnswer(
      async () => (await request('GET', '/history?outcome=backup')).json().entries as Entries,
      (found) => found.length === 2,
    );
    assert.deepEqual(
      entries.map((entry) => [entry.kind, entry.person, entry.view.backup]),
      [
        ['backup.deleted', 'anna', name],
        ['backup.made', 'anna', name],
      ],
    );
    await gateway.kill('SIGTERM');
    assert.doesNotMatch(JSON.stringify(gateway.log), /passphrase for/);
    const database = readFileSync(join(gateway.dir, 'data/cartwright.db'), 'latin1');
    assert.doesNotMatch(database, /passphrase for/);
  } finally {
    await gateway.close();
  }
});

// Fault case 80
test('kill -9 during a backup leaves no incomplete backup behind', async () => {
  const random = randomFrom(testSeed());
  const gateway = await GatewayProcess.start({}, ADMINISTRATOR_ENV);
  const folder = join(gateway.dir, 'data/gateway-backups');
  try {
    addPhotos(gateway, 40);
    mkdirSync(folder);
    for (let round = 0; round < rounds(3, 20); round += 1) {
      const request = await loggedIn(gateway);
      const making = request('POST', '/gateway-backups', { passphrase, include: ['photos'] }).catch(() => {});
      const killAfter = Math.floor(random() * 40_000_000);
      const size = (): number => {
        const names = readdirSync(folder).filter((name) => name.endsWith('.cwbackup.part'));
        return names.reduce(
          (sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
          0,
        );
      };
      let isDone = false;
      void making.then(() => {
        isDone = true;
      });
      await until(() => isDone || size() >= killAfter);
      await gateway.kill('SIGKILL');
      await making;
      await gateway.spawn(ADMINISTRATOR_ENV);
      const after = await loggedIn(gateway);
      const { backups } = (await after('GET', '/gateway-backups')).json() as { backups: { name: string }[] };
      assert.deepEqual(readdirSync(folder).toSorted(), backups.map(({ name }) => name).toSorted());
      for (const { name } of backups) await inspectBackup({ path: join(folder, name), passphrase });
    }
  } finally {
    await gateway.close();
  }
});

test.run();
