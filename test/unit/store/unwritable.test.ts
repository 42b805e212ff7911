import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import { latchFile } from '../../../src/carts/safety/latch-store.js';
import { safetyMessage } from '../../../src/carts/safety/messages.js';
import type { Latch } from '../../../src/carts/safety/refusals.js';
import { conditionActor } from '../../../src/shared/actor.js';
import { textOf } from '../../../src/shared/messages/message.js';
import type { Store } from '../../../src/shared/ports/store.js';
import { storePaths } from '../../../src/store/paths.js';
import { releaseReserve } from '../../../src/store/recovery/disk-reserve.js';
import { until } from '../../helpers/until.js';
import { canMount, withDisk } from './small-disk.js';
import { hasErrorCode, insert, withTempStore } from './temp-store.js';

/**
 * The store must report why an E-stop latch cannot be saved, independently of other faults and even if
 * nothing is written.
 */
const withMount = canMount() ? test : test.skip;
if (!canMount()) process.stdout.write('skipped: only root can mount a disk\n');

const READ_ONLY = 'the file system is read-only';
const FULL = 'the disk is full';
const LATCH: Latch = {
  kind: 'MANUAL',
  by: conditionActor('input', safetyMessage('button')),
  at: '2026-01-01T00:00:00.000Z',
};
const LIMITS = { minFreeBytes: 1 << 20 };

/**
 * A file system with files open for writing cannot be remounted read-only, so a read-only file system is
 * mounted over it.
 */
async function withReadOnly(dir: string, use: () => Promise<void>): Promise<void> {
  assert.equal(spawnSync('mount', ['-t', 'tmpfs', '-o', 'ro', 'tmpfs', dir]).status, 0);
  try {
    await use();
  } finally {
    spawnSync('umount', [dir]);
  }
}

/** Fills the disk to the last byte. Returns a function that deletes the file that fills the disk. */
function fill(mount: string): () => void {
  const filler = join(mount, 'filler');
  assert.throws(() => writeFileSync(filler, Buffer.alloc(8 << 20)), { code: 'ENOSPC' });
  return () => rmSync(filler);
}

const isUnwritable = (store: Store, reason: string) => () => textOf(store.unwritableReason) === reason;

withMount(
  'reports a file system that becomes read-only while free space is below the limit',
  withTempStore(async ({ open, clock, dir }) => {
    const store = await open({ minFreeBytes: Number.MAX_SAFE_INTEGER });
    assert.match(textOf(store.status().reason), /only \d+ MiB of disk space is free/);
    assert.equal(textOf(store.unwritableReason), '');
    await withReadOnly(dir, async () => {
      clock.advance(1000);
      await until(isUnwritable(store, READ_ONLY));
      clock.advance(2000);
      await assert.rejects(insert(store, 0, 1), hasErrorCode('STORE_FULL'));
      assert.equal(textOf(store.unwritableReason), READ_ONLY);
    });
    clock.advance(2000);
    await until(isUnwritable(store, ''));
    assert.match(textOf(store.status().reason), /only \d+ MiB of disk space is free/);
  }),
);

withMount(
  'reports a file system that becomes read-only while the database is damaged',
  withTempStore(async ({ open, clock, dir, file }) => {
    const first = await open();
    await insert(first, 0, 2000);
    await first.close();
    const store = await open();
    writeFileSync(file, readFileSync(file).fill(0xa5, 4096));
    await assert.rejects(insert(store, 5000, 5001), hasErrorCode('STORE_FAILED', /damaged/));
    assert.equal(textOf(store.unwritableReason), '');
    await withReadOnly(dir, async () => {
      clock.advance(1000);
      await until(isUnwritable(store, READ_ONLY));
      assert.equal(store.status().readOnly, true);
      assert.match(textOf(store.status().reason), /damaged/);
    });
    clock.advance(2000);
    await until(isUnwritable(store, ''));
  }),
);

withMount(
  'reports a read-only file system on which the writer cannot restart',
  withTempStore(async ({ open, clock, dir }) => {
    const store = await open();
    let restart = clock.nextTimer();
    await store.write('test.exit', {}).catch(() => {});
    await restart;
    await withReadOnly(dir, async () => {
      restart = clock.nextTimer();
      clock.advance(500);
      await restart;
      assert.equal(textOf(store.unwritableReason), READ_ONLY);
    });
    clock.advance(1000);
    await until(isUnwritable(store, ''));
    await insert(store, 0, 1);
  }),
);

withMount('reports a full disk until space is freed', () =>
  withDisk(4096, (mount) =>
    withTempStore(async ({ open, clock }) => {
      const store = await open(LIMITS);
      const freeSpace = fill(mount);
      clock.advance(1000);
      await until(isUnwritable(store, FULL));
      const { healthy, readOnly, reason } = store.status();
      assert.deepEqual([healthy, readOnly], [false, false]);
      assert.match(textOf(reason), /only \d+ MiB of disk space is free/);
      freeSpace();
      clock.advance(2000);
      await until(() => store.status().healthy);
      assert.equal(textOf(store.unwritableReason), '');
      await insert(store, 0, 1);
    }, mount)(),
  ),
);

withMount('releases the reserve for the latch on a full disk and creates it again when space is freed', () =>
  withDisk(4096, (mount) =>
    withTempStore(async ({ open, clock, dir }) => {
      const store = await open(LIMITS);
      const paths = storePaths(dir);
      const hasReserve = () => statSync(paths.reserve, { throwIfNoEntry: false })?.size === 512 * 1024;
      const file = latchFile(dir, {
        onFull: () => releaseReserve(paths),
        recorded: () => 'NONE',
        isRestored: false,
      });
      for (const isDetected of [true, false]) {
        assert.ok(hasReserve());
        const freeSpace = fill(mount);
        if (isDetected) {
          clock.advance(1000);
          await until(isUnwritable(store, FULL));
        }
        await file.save(LATCH);
        assert.deepEqual(await file.load(), LATCH);
        assert.equal(existsSync(paths.reserve), false);
        if (isDetected) {
          clock.advance(1000);
          await until(isUnwritable(store, ''));
        }
        freeSpace();
        clock.advance(2000);
        await until(hasReserve);
        await until(() => store.status().healthy);
      }
    }, mount)(),
  ),
);

withMount('keeps the previous latch if no space can be freed for a new one', () =>
  withDisk(4096, async (mount) => {
    let requests = 0;
    const onFull = async (): Promise<void> => {
      requests += 1;
    };
    const file = latchFile(mount, { onFull, recorded: () => 'NONE', isRestored: false });
    await file.save(LATCH);
    assert.equal(requests, 0);
    fill(mount);
    await assert.rejects(file.save({ ...LATCH, kind: 'REMOTE' }), { code: 'ENOSPC' });
    assert.equal(requests, 1);
    assert.deepEqual(await file.load(), LATCH);
  }),
);

test.run();
