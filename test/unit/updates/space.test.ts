import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import { packageRoot } from '../../../src/shared/package-root.js';
import { updateSpace } from '../../../src/updates/space.js';

const test = suite('space for an update');
const ARCHIVE_BYTES = 7_000_001;

/** Prints the space in KiB that `check_space` of the update service requires on a full disk. */
const SCRIPT = `
  eval "$(sed -n '/^KEEP_OUT=/p' systemd/switch.sh)"
  eval "$(sed -n '/^RESERVE_KB=/p; /^check_space()/,/^}/p' systemd/update.sh)"
  free_kb() { echo 0; }
  die() { echo $((release_kb + RESERVE_KB)); exit; }
  data=$1 opt=$2 archive_bytes=$3
  check_space`;

test('the gateway requires the same space as the update service', async () => {
  const root = mkdtempSync(join(tmpdir(), 'cartwright-space-'));
  try {
    const dir = join(root, 'data');
    for (const folder of [
      'photos',
      'backups',
      'gateway-backups',
      'updates',
      'black-box',
      'camera-run',
      'tls/ca',
    ])
      mkdirSync(join(dir, folder), { recursive: true });
    const write = (name: string, kib: number): void =>
      writeFileSync(join(dir, name), Buffer.alloc(kib * 1024, 1));
    write('cartwright.db', 900);
    write('cartwright.db-wal', 400);
    write('tls/ca/key.pem', 2);
    write('photos/1.jpg', 500);
    write('updates/archive.part', 300);
    write('estop.json.bak', 50);
    write('revocations.journal', 60);
    const args = ['-euc', SCRIPT, 'bash', dir, root, String(ARCHIVE_BYTES)];
    const required = execFileSync('bash', args, { cwd: packageRoot(), encoding: 'utf8' });
    const { neededBytes, freeBytes } = await updateSpace(ARCHIVE_BYTES, { dir, releaseDir: root });
    assert.equal(Math.floor(neededBytes / 1024), Number(required));
    assert.ok(neededBytes >= 6 * ARCHIVE_BYTES + (64 * 1024 + 1300) * 1024);
    assert.ok(freeBytes > 0);
  } finally {
    rmSync(root, { recursive: true });
  }
});

test.run();
