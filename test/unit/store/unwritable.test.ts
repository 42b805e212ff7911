import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import { latchFile } from '../../../src/carts/safety/latch-store.js';
import { textOf } from '../../../src/shared/messages/message.js';
import type { Store } from '../../../src/shared/ports/store.js';
import { storePaths } from '../../../src/store/paths.js';
import { giveUpReserve } from '../../../src/store/recovery/disk-reserve.js';
import { until } from '../../helpers/until.js';
import { canMount, withDisk } from './small-disk.js';
import { hasErrorCode, insert, withTempStore } from './temp-store.js';

/** What keeps the latch of an emergency stop from the disk is told whatever else is wrong, though nobody writes. */
const withMount = canMount() ? test : test.skip;
if (!canMount()) process.stdout.write('skipped: only root can mount a disk\n');

const READ_ONLY = 'the file system is read-only';
const FULL = 'the disk is full';
const LATCH = { kind: 'MANUAL', by: 'the button', at: '2026-01-01T00:00:00.000Z' } as const;
const LIMITS = { minFreeBytes: 1 << 20 };

/** One with files that are written to cannot be remounted by asking; another one on top of it looks the same. */
async function onReadOnly(dir: string, use: () => Promise<void>): Promise<void> {
  assert.equal(spawnSync('mount', ['-t', 'tmpfs', '-o', 'ro', 'tmpfs', dir]).status, 0);
  try {
    await use();
  } finally {
    spawnSync('umount', [dir]);
  }
}

/** Writes to the last byte. Answers what makes room again. */
function fill(mount: string): () => void {
  const filler = join(mount, 'filler');
  assert.throws(() => writeFileSync(filler, Buffer.alloc(8 << 20)), { code: 'ENOSPC' });
  return () => rmSync(filler);
}

const isUnwritable = (store: Store, why: string) => () => textOf(store.unwritable) === why;

withMount(
  'a file system that becomes read-only when there is little room already is told as read-only, and stays so',
  withTempStore(async ({ open, clock, dir }) => {
    const store = await open({ minFreeBytes: Number.MAX_SAFE_INTEGER });
    assert.match(textOf(store.status().reason), /only \d+ MiB are free/);
    assert.equal(textOf(store.unwritable), '');
    await onReadOnly(dir, async () => {
      clock.advance(1000);
      await until(isUnwritable(store, READ_ONLY));
      // Past the attempt of every other second to write again.
      clock.advance(2000);
      await assert.rejects(insert(store, 0, 1), hasErrorCode('STORE_FULL'));
      assert.equal(textOf(store.unwritable), READ_ONLY);
    });
    clock.advance(2000);
    await until(isUnwritable(store, ''));
    assert.match(textOf(store.status().reason), /only \d+ MiB are free/);
  }),
);

withMount(
  'a file system that becomes read-only under a database with a damaged page is told as read-only',
  withTempStore(async ({ open, clock, dir, file }) => {
    const first = await open();
    await insert(first, 0, 2000);
    await first.close();
    const store = await open();
    writeFileSync(file, readFileSync(file).fill(0xa5, 4096));
    await assert.rejects(insert(store, 5000, 5001), hasErrorCode('STORE_FAILED', /damaged/));
    assert.equal(textOf(store.unwritable), '');
    await onReadOnly(dir, async () => {
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
  'a writer that cannot start again on a file system that is read-only tells that it is',
  withTempStore(async ({ open, clock, dir }) => {
    const store = await open();
    let restart = clock.nextTimer();
    await store.write('test.exit', {}).catch(() => {});
    await restart;
    await onReadOnly(dir, async () => {
      restart = clock.nextTimer();
      clock.advance(500);
      await restart;
      assert.equal(textOf(store.unwritable), READ_ONLY);
    });
    clock.advance(1000);
    await until(isUnwritable(store, ''));
    await insert(store, 0, 1);
  }),
);

withMount('a disk that is filled to the last byte is told as full, until there is room', () =>
  withDisk(4096, (mount) =>
    withTempStore(async ({ open, clock }) => {
      const store = await open(LIMITS);
      const makeRoom = fill(mount);
      clock.advance(1000);
      await until(isUnwritable(store, FULL));
      const { healthy, readOnly, reason } = store.status();
      assert.deepEqual([healthy, readOnly], [false, false]);
      assert.match(textOf(reason), /only \d+ MiB are free/);
      makeRoom();
      clock.advance(2000);
      await until(() => store.status().healthy);
      assert.equal(textOf(store.unwritable), '');
      await insert(store, 0, 1);
    }, mount)(),
  ),
);

withMount(
  'what is laid by is given up for the latch on a full disk, and laid by again when there is room',
  () =>
    withDisk(4096, (mount) =>
      withTempStore(async ({ open, clock, dir }) => {
        const store = await open(LIMITS);
        const paths = storePaths(dir);
        const isLaidBy = () => statSync(paths.reserve, { throwIfNoEntry: false })?.size === 512 * 1024;
        const file = latchFile(dir, () => giveUpReserve(paths));
        // The second time nobody has noticed that the disk was full.
        for (const isNoticed of [true, false]) {
          assert.ok(isLaidBy());
          const makeRoom = fill(mount);
          if (isNoticed) {
            clock.advance(1000);
            await until(isUnwritable(store, FULL));
          }
          await file.save(LATCH);
          assert.deepEqual(await file.load(), LATCH);
          assert.equal(existsSync(paths.reserve), false);
          if (isNoticed) {
            clock.advance(1000);
            await until(isUnwritable(store, ''));
          }
          makeRoom();
          clock.advance(2000);
          await until(isLaidBy);
          await until(() => store.status().healthy);
        }
      }, mount)(),
    ),
);

withMount('a latch for which no room can be made is not saved, and the one before it stays', () =>
  withDisk(4096, async (mount) => {
    let asked = 0;
    const file = latchFile(mount, async () => {
      asked += 1;
    });
    await file.save(LATCH);
    assert.equal(asked, 0);
    fill(mount);
    await assert.rejects(file.save({ ...LATCH, kind: 'REMOTE' }), { code: 'ENOSPC' });
    assert.equal(asked, 1);
    assert.deepEqual(await file.load(), LATCH);
  }),
);

test.run();
