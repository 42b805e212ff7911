import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import { textOf } from '../../../src/shared/messages/message.js';
import { packageRoot } from '../../../src/shared/package-root.js';
import { openPlain } from '../../../src/store/connection.js';
import { storePaths } from '../../../src/store/paths.js';
import { canMount, withDisk } from './small-disk.js';
import { count, hasErrorCode, insert, withTempStore } from './temp-store.js';

const hasCompiler = spawnSync('cc', ['--version']).status === 0;
const withCompiler = hasCompiler ? test : test.skip;
const withMount = canMount() ? test : test.skip;

withCompiler('survives disk errors during writes and recovers', () => {
  const dir = mkdtempSync(join(tmpdir(), 'cartwright-shim-'));
  try {
    const shim = join(dir, 'disk-faults.so');
    const source = join(packageRoot(), 'test', 'helpers', 'disk-faults.c');
    const built = spawnSync('cc', ['-shared', '-fPIC', '-O1', '-o', shim, source, '-ldl'], {
      encoding: 'utf8',
    });
    assert.equal(built.status, 0, built.stderr);
    const script = fileURLToPath(new URL('./faulty-disk.js', import.meta.url));
    const env = { ...process.env, LD_PRELOAD: shim, DISK_FAULT_FILE: join(dir, 'fault') };
    const run = spawnSync(process.execPath, [script], { env, encoding: 'utf8', timeout: 60_000 });
    assert.equal(run.status, 0, `${run.stdout}${run.stderr}`);
  } finally {
    rmSync(dir, { recursive: true });
  }
});

test(
  'a batch fails while another program holds the database lock, and the store recovers afterwards',
  withTempStore(async ({ open, file, clock, log }) => {
    const store = await open({ busyTimeoutMs: 50 });
    const other = openPlain(file, 5000);
    other.exec('BEGIN IMMEDIATE');
    await assert.rejects(
      insert(store, 0, 3),
      hasErrorCode('STORE_FAILED', /another program has locked the database/),
    );
    assert.equal(store.status().healthy, false);
    other.exec('ROLLBACK');
    other.close();
    const recovered = log.next('store.recovered');
    clock.advance(2000);
    await recovered;
    await insert(store, 0, 3);
    assert.deepEqual([store.status().reason, count(store)], ['', 3]);
  }),
);

test(
  'rejects writes and allows reads when free space is below the limit',
  withTempStore(async ({ open }) => {
    await insert(await open(), 0, 2);
    const store = await open({ minFreeBytes: Number.MAX_SAFE_INTEGER });
    await assert.rejects(
      insert(store, 5, 6),
      hasErrorCode('STORE_FULL', /only \d+ MiB of disk space is free/),
    );
    assert.deepEqual([store.status().healthy, count(store)], [false, 2]);
    await assert.rejects(store.backup(), hasErrorCode('STORE_FULL', /not enough free space/));
  }),
);

withMount('rejects the batch on a full disk and recovers when space is freed', () =>
  withDisk(2048, (mount) =>
    withTempStore(async ({ open, clock, log }) => {
      const store = await open({ minFreeBytes: 0 });
      await insert(store, 0, 5);
      const filler = join(mount, 'filler');
      assert.throws(() => writeFileSync(filler, Buffer.alloc(4 << 20)), { code: 'ENOSPC' });
      const text = 'x'.repeat(50_000);
      const writes = [10, 11, 12].map((id) =>
        assert.rejects(
          store.write('test.insert', { id, text }),
          hasErrorCode('STORE_FULL', /the disk is full/),
        ),
      );
      await Promise.all(writes);
      assert.deepEqual([store.status().healthy, count(store)], [false, 5]);
      rmSync(filler);
      const recovered = log.next('store.recovered');
      clock.advance(2000);
      await recovered;
      await store.write('test.insert', { id: 10, text });
      assert.deepEqual([store.status().healthy, count(store)], [true, 6]);
    }, mount)(),
  ),
);

withMount('opens on a full disk, reports the lack of space and accepts writes when space is freed', () =>
  withDisk(4096, (mount) =>
    withTempStore(async ({ open, clock, log }) => {
      const limits = { minFreeBytes: 1 << 20 };
      const before = await open(limits);
      await insert(before, 0, 5);
      await before.close();
      const filler = join(mount, 'filler');
      const fill = () => writeFileSync(filler, Buffer.alloc(8 << 20));
      // The second round passes only if the reserve has been recreated.
      for (const id of [10, 11]) {
        assert.throws(fill, { code: 'ENOSPC' });
        const store = await open(limits);
        assert.match(textOf(store.status().reason), /only \d+ MiB of disk space is free/);
        await assert.rejects(
          insert(store, id, id + 1),
          hasErrorCode('STORE_FULL', /only \d+ MiB of disk space is free/),
        );
        rmSync(filler);
        const recovered = log.next('store.recovered');
        clock.advance(2000);
        await recovered;
        await insert(store, id, id + 1);
        await store.close();
      }
    }, mount)(),
  ),
);

withMount('opens read-only and reports the full disk if there is no space to open the database', () =>
  withDisk(4096, (mount) =>
    withTempStore(async ({ dir, open }) => {
      const before = await open({ minFreeBytes: 1 << 20 });
      await insert(before, 0, 5);
      await before.close();
      // Simulates a disk whose remaining space is reserved for root, so that the store's reserve does not
      // help.
      rmSync(storePaths(dir).reserve);
      assert.throws(() => writeFileSync(join(mount, 'filler'), Buffer.alloc(8 << 20)), { code: 'ENOSPC' });
      const store = await open({ minFreeBytes: 1 << 20 });
      const { readOnly, reason } = store.status();
      assert.deepEqual([readOnly, count(store)], [true, 5]);
      assert.equal(textOf(reason), 'nothing was saved: the disk was full when the gateway started');
      await assert.rejects(insert(store, 5, 6), hasErrorCode('STORE_FULL', /the disk was full/));
      await store.close();
      rmSync(join(mount, 'filler'));
      const again = await open({ minFreeBytes: 1 << 20 });
      await insert(again, 5, 6);
      assert.deepEqual([again.status().readOnly, count(again)], [false, 6]);
    }, mount)(),
  ),
);

withMount('accepts writes again when free space exceeds the limit', () =>
  withDisk(4096, (mount) =>
    withTempStore(async ({ open, clock, log }) => {
      const store = await open({ minFreeBytes: 1 << 20 });
      const filler = join(mount, 'filler');
      writeFileSync(filler, Buffer.alloc(3 << 20));
      // Free space is checked every 250 ms.
      while (store.status().healthy) await store.write('test.create', {}).catch(() => {});
      assert.match(textOf(store.status().reason), /only \d+ MiB of disk space is free/);
      rmSync(filler);
      const recovered = log.next('store.recovered');
      clock.advance(2000);
      await recovered;
      await insert(store, 0, 1);
    }, mount)(),
  ),
);

test.run();
