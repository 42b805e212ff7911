import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import type { EmergencyStop } from '../../../../src/carts/command/model.js';
import { latchFile } from '../../../../src/carts/safety/latch-store.js';
import { textOf } from '../../../../src/shared/messages/message.js';

async function withFolder(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'latch-'));
  await run(folder).finally(() => rm(folder, { recursive: true }));
}

const open = (dir: string, recorded: () => EmergencyStop) =>
  latchFile(dir, { onFull: async () => undefined, recorded });

// Fault case 69
test('treats a missing latch file as a latched E-stop when the records cannot be read', () =>
  withFolder(async (dir) => {
    const file = open(dir, () => {
      throw new Error('SQLITE_IOERR');
    });
    const { kind, by } = await file.load();
    assert.deepEqual([kind, textOf(by)], ['REMOTE', 'a missing estop.json at startup']);
  }));

test('keeps the state of a latch that could not be saved again', async () => {
  const missing = join(tmpdir(), 'no-such-folder', 'data');
  assert.equal((await open(missing, () => 'MANUAL').load()).kind, 'MANUAL');
});

test('does not read the records when the latch file exists', () =>
  withFolder(async (dir) => {
    await writeFile(join(dir, 'estop.json'), JSON.stringify({ kind: 'NONE', by: '', at: '' }));
    assert.equal((await open(dir, () => 'REMOTE').load()).kind, 'NONE');
  }));

test.run();
