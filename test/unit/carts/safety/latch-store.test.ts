import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import type { EmergencyStop } from '../../../../src/carts/command/model.js';
import { latchFile } from '../../../../src/carts/safety/latch-store.js';
import { safetyMessage } from '../../../../src/carts/safety/messages.js';
import { actorName, conditionActor, keyActor, userActor } from '../../../../src/shared/actor.js';

async function withFolder(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'latch-'));
  await run(folder).finally(() => rm(folder, { recursive: true }));
}

const open = (dir: string, recorded: () => EmergencyStop, isRestored = false) =>
  latchFile(dir, { onFull: async () => undefined, recorded, isRestored });

// Fault case 69
test('treats a missing latch file as a latched stop when the records cannot be read', () =>
  withFolder(async (dir) => {
    const file = open(dir, () => {
      throw new Error('SQLITE_IOERR');
    });
    const { kind, by } = await file.load();
    const cause = 'the gateway at startup (the record of the latched stop was missing)';
    assert.deepEqual([kind, actorName(by)], ['REMOTE', cause]);
  }));

test('reports the restore as the cause of the stop when the latch file is missing after a restore', () =>
  withFolder(async (dir) => {
    const { kind, by } = await open(dir, () => 'REMOTE', true).load();
    const cause = 'the restore of a backup';
    assert.deepEqual([kind, actorName(by)], ['REMOTE', cause]);
  }));

test("keeps a latch's state when the file cannot be written again", async () => {
  const missing = join(tmpdir(), 'no-such-folder', 'data');
  assert.equal((await open(missing, () => 'MANUAL').load()).kind, 'MANUAL');
});

test('does not read the records when the latch file exists', () =>
  withFolder(async (dir) => {
    await writeFile(join(dir, 'estop.json'), JSON.stringify({ kind: 'NONE', by: '', at: '' }));
    assert.equal((await open(dir, () => 'REMOTE').load()).kind, 'NONE');
  }));

for (const by of [
  userActor('anna'),
  userActor('key tablet'),
  userActor('gateway gw-2'),
  keyActor('tablet'),
  { ...userActor('anna'), via: 'gw-2' },
  conditionActor('input', safetyMessage('input-lost', { reason: 'EIO' })),
]) {
  test(`a restart preserves the record that ${actorName(by)} (${by.kind}) latched the stop`, () =>
    withFolder(async (dir) => {
      await open(dir, () => 'NONE').save({ kind: 'REMOTE', by, at: '2026-01-01T00:00:00.000Z' });
      assert.deepEqual((await open(dir, () => 'NONE').load()).by, by);
    }));
}

for (const [name, by] of [
  ['anna', userActor('anna')],
  ['key tablet', keyActor('tablet')],
  ['anna (gateway gw-2)', { ...userActor('anna'), via: 'gw-2' }],
  ['the emergency-stop button on the cart', conditionActor('input', safetyMessage('button'))],
  ['a missing estop.json at startup', conditionActor('input', safetyMessage('latch-missing'))],
] as const) {
  test(`reads an earlier version's file in which ${name} latched the stop`, () =>
    withFolder(async (dir) => {
      await writeFile(join(dir, 'estop.json'), JSON.stringify({ kind: 'REMOTE', by: name, at: '' }));
      assert.deepEqual((await open(dir, () => 'NONE').load()).by, by);
    }));
}

test("reads the actor's name from a file with an invalid actor", () =>
  withFolder(async (dir) => {
    const latch = { kind: 'REMOTE', by: 'anna', at: '', actor: { kind: 'robot', id: 'r2', name: 'R2' } };
    await writeFile(join(dir, 'estop.json'), JSON.stringify(latch));
    assert.deepEqual((await open(dir, () => 'NONE').load()).by, userActor('anna'));
  }));

test("stores the actor's name in the field that earlier versions read", () =>
  withFolder(async (dir) => {
    await open(dir, () => 'NONE').save({ kind: 'REMOTE', by: keyActor('tablet'), at: '' });
    assert.equal(JSON.parse(await readFile(join(dir, 'estop.json'), 'utf8')).by, 'key tablet');
  }));

test.run();
