import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import { userActor } from '../../../src/shared/actor.js';
import { randomFrom, rounds, testSeed } from '../../helpers/random.js';
import { type OpenAccess, type TempAccess, withTempAccess } from '../../unit/access/temp-access.js';
import { PASSWORD } from '../../unit/access/test-app.js';

const KILLS = rounds(5, 50);
const HIGHEST = 80;
const SCRIPT = fileURLToPath(new URL('./revocation-process.js', import.meta.url));

/** Creates an administrator, users and keys with the IDs 2 to `HIGHEST`, and a backup. */
async function seed(temp: TempAccess): Promise<void> {
  const { store, access, close } = await temp.open();
  await access.users.addFirst('anna', PASSWORD, userActor('test'));
  const user = { passwordPhc: 'x', role: 'customer', now: 1, first: false };
  const key = { prefix: '', scopes: '[]', now: 1, expiresAt: null };
  await store.write('access.addKey', { ...key, name: 'key 1', keyHash: Buffer.alloc(32, 1) });
  const writes: Promise<unknown>[] = [];
  for (let id = 2; id <= HIGHEST; id += 1) {
    const username = `user ${id}`;
    writes.push(store.write('access.addUser', { ...user, username, usernameKey: username }));
    writes.push(store.write('access.addKey', { ...key, name: `key ${id}`, keyHash: Buffer.alloc(32, id) }));
  }
  await Promise.all(writes);
  await store.backup();
  await close();
}

async function killAfter(dir: string, acks: number): Promise<string[]> {
  const stdio: ['ignore', 'pipe', 'inherit'] = ['ignore', 'pipe', 'inherit'];
  const child = spawn(process.execPath, [SCRIPT, dir, String(HIGHEST)], { stdio });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (more: string) => {
    text += more;
    if (text.split('\n').length > acks) child.kill('SIGKILL');
  });
  const [signal] = await new Promise<[string | null]>((resolve) => {
    child.on('close', (_code, by) => resolve([by]));
  });
  assert.equal(signal, 'SIGKILL', 'the process ended before it was killed');
  return text.split('\n').slice(0, -1);
}

function revokedIn({ store }: OpenAccess): Set<string> {
  const rows = store.read
    .prepare<{ name: string }>(`
      SELECT 'user ' || id AS name FROM users WHERE disabled_at IS NOT NULL
      UNION ALL SELECT 'key ' || id FROM api_keys WHERE revoked_at IS NOT NULL`)
    .all();
  return new Set(rows.map(({ name }) => name));
}

for (const [name, bringBack] of Object.entries({
  'a restored backup': (temp: TempAccess) => temp.chooseBackup(),
  'recovery from a damaged database': async (temp: TempAccess) => temp.damage(),
  'a normal start': async () => {},
})) {
  test(`exactly the acknowledged revocations persist after each of ${KILLS} SIGKILLs, each followed by ${name}`, async () => {
    const random = randomFrom(testSeed());
    for (let kill = 0; kill < KILLS; kill += 1) {
      await withTempAccess(async (temp) => {
        await seed(temp);
        const acknowledged = await killAfter(temp.dir, Math.ceil(random() * HIGHEST));
        await bringBack(temp);
        const revoked = revokedIn(await temp.open());
        assert.deepEqual(
          acknowledged.filter((one) => !revoked.has(one)),
          [],
        );
        const unexpected = [...revoked].filter((one) => Number(one.split(' ')[1]) % 2 === 1);
        assert.deepEqual(unexpected, []);
      })();
    }
  });
}

test.run();
