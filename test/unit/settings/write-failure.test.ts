import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import { readDocument } from '../../../src/settings/document/document.js';
import { GatewayError } from '../../../src/shared/errors.js';
import { textOf } from '../../../src/shared/messages/message.js';
import { idle, type TempSettings, withTempSettings } from './temp-settings.js';

/** Mounts a 64 kB file system on `dir`. Returns false if mounting is not permitted. */
function mountSmall(dir: string): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'none', dir], { stdio: 'pipe' });
    return true;
  } catch {
    process.stdout.write('\n  skipped: mounting a small file system requires root\n');
    return false;
  }
}

async function assertSaveFails(
  { dir, open, read, log }: TempSettings,
  code: string,
  fail: () => void,
): Promise<void> {
  const settings = await open();
  await settings.update({ mqtt: { password: 'hunter2' } }, idle);
  const [text, current, etag] = [read(), settings.current, settings.etag];
  fail();
  const error = await settings.update({ limits: { ttlMs: 900 } }, idle).catch((thrown: unknown) => thrown);
  assert.ok(error instanceof GatewayError);
  assert.equal(error.code, 'WRITE_FAILED');
  assert.ok(error.message.includes(code), error.message);
  assert.ok(!JSON.stringify([error.message, error.info, log.lines]).includes('hunter2'));
  assert.deepEqual([settings.current, settings.etag], [current, etag]);
  if (!existsSync(dir)) return;
  assert.equal(read(), text);
  assert.deepEqual(
    readdirSync(dir).filter((name) => name.includes('.tmp-')),
    [],
  );
}

// Fault case 42
test(
  'a save on a full disk fails with ENOSPC, changes nothing and leaves no temporary file behind',
  withTempSettings({}, async (temp) => {
    if (!mountSmall(temp.dir)) return;
    try {
      await assertSaveFails(temp, 'ENOSPC', () => {
        assert.throws(() => writeFileSync(join(temp.dir, 'filler'), Buffer.alloc(128 * 1024)), /ENOSPC/);
      });
      rmSync(join(temp.dir, 'filler'));
      const settings = await temp.open();
      await settings.update({ limits: { ttlMs: 900 } }, idle);
      assert.equal(settings.current.limits.ttlMs, 900);
    } finally {
      execFileSync('umount', [temp.dir]);
    }
  }),
);

test(
  'a save on a file system that has become read-only fails with EROFS',
  withTempSettings({}, async (temp) => {
    if (!mountSmall(temp.dir)) return;
    try {
      await assertSaveFails(temp, 'EROFS', () => {
        execFileSync('mount', ['-o', 'remount,ro', temp.dir]);
      });
    } finally {
      execFileSync('umount', [temp.dir]);
    }
  }),
);

test(
  'a save in a directory without write permission fails with EACCES',
  withTempSettings({}, async (temp) => {
    if (process.getuid?.() === 0) {
      process.stdout.write('\n  skipped: a directory without permission (root may write everywhere)\n');
      return;
    }
    await assertSaveFails(temp, 'EACCES', () => chmodSync(temp.dir, 0o500)).finally(() =>
      chmodSync(temp.dir, 0o700),
    );
  }),
);

test(
  'a save fails with ENOENT when the data directory is missing',
  withTempSettings({}, async (temp) => {
    await assertSaveFails(temp, 'ENOENT', () => {
      rmSync(temp.dir, { recursive: true });
    });
  }),
);

test(
  'a save fails and leaves the file unchanged when the backup cannot be replaced',
  withTempSettings({}, async (temp) => {
    await assertSaveFails(temp, 'EISDIR', () => {
      rmSync(join(temp.dir, 'variables.json.bak'));
      mkdirSync(join(temp.dir, 'variables.json.bak', 'full'), { recursive: true });
    }).finally(() => rmSync(join(temp.dir, 'variables.json.bak'), { recursive: true }));
  }),
);

test(
  'the settings can be opened when the disk is not writable',
  withTempSettings({}, async (temp) => {
    if (!mountSmall(temp.dir)) return;
    execFileSync('mount', ['-o', 'remount,ro', temp.dir]);
    try {
      const settings = await temp.open();
      assert.match(
        textOf(settings.faults[0]?.message ?? ''),
        /not saved: the file system is read-only \(EROFS\)/,
      );
      assert.equal(settings.invalidReason, '');
    } finally {
      execFileSync('umount', [temp.dir]);
    }
  }),
);

const writer = fileURLToPath(new URL('./dying-writer.js', import.meta.url));

// Fault case 42
test(
  'killing the process at any step of a save leaves a complete file, either old or new, and a complete backup',
  withTempSettings({}, async ({ dir, open, json }) => {
    const first = await open();
    await first.update({ beacons: { maxRangeM: 1 } }, idle);
    await first.close();
    let rangeM = 1;
    const seen = new Set<string>();
    for (let step = 1, died = true; died; step += 1) {
      const newRangeM = step + 1;
      const child = spawnSync(process.execPath, [writer, dir, `${newRangeM}`, `${step}`], {
        encoding: 'utf8',
      });
      died = child.signal === 'SIGKILL';
      assert.ok(died || child.status === 0, child.stderr);
      for (const name of ['variables.json', 'variables.json.bak']) {
        const { invalid, unknown } = readDocument(json(name));
        assert.deepEqual([invalid.size, unknown], [0, []], `${name} after step ${step}`);
      }
      const settings = await open();
      assert.deepEqual(
        [settings.faults, readdirSync(dir).sort()],
        [[], ['settings-history', 'variables.json', 'variables.json.bak']],
      );
      const { maxRangeM } = settings.current.beacons;
      assert.ok(maxRangeM === rangeM || maxRangeM === newRangeM, `after step ${step}`);
      seen.add(maxRangeM === newRangeM ? 'new' : 'old');
      rangeM = maxRangeM;
    }
    assert.deepEqual([...seen], ['old', 'new']);
  }),
);

test.run();
