import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import { openPlain } from '../../../src/store/connection.js';
import { storePaths } from '../../../src/store/paths.js';
import { readMark } from '../../../src/store/recovery/commit-file.js';
import { missingOperations, peekCommitNumber } from '../../../src/store/recovery/commit-number.js';
import { randomFrom, rounds, testSeed } from '../../helpers/random.js';

const KILLS = rounds(20, 200);
/** Number of times that each database is killed and recovered. */
const KILLS_EACH = 10;
const MAX_ACKS = 2000;

/**
 * Runs 64 writers, kills them after about `acks` acknowledgements (immediately if 0) and returns the
 * acknowledged IDs.
 */
async function killAfter(dir: string, firstId: number, acks: number): Promise<number[]> {
  const script = fileURLToPath(new URL('./writer-process.js', import.meta.url));
  const stdio: ['ignore', 'pipe', 'inherit'] = ['ignore', 'pipe', 'inherit'];
  const child = spawn(process.execPath, [script, dir, String(firstId)], { stdio });
  let text = '';
  let lines = 0;
  child.stdout.setEncoding('utf8').on('data', (more: string) => {
    text += more;
    lines += more.split('\n').length - 1;
    if (lines > acks) child.kill('SIGKILL');
  });
  const [signal] = await new Promise<[string | null]>((resolve) => {
    child.on('close', (_code, by) => resolve([by]));
  });
  assert.equal(signal, 'SIGKILL', 'the process ended before it was killed');
  const [ready, ...ids] = text.split('\n').slice(0, -1);
  assert.equal(ready, 'ready');
  return ids.map(Number);
}

/** Asserts that the commit number covers every acknowledgement, and that the next start reports no loss. */
function assertNoneMissing(dir: string, acknowledged: number): void {
  const paths = storePaths(dir);
  const mark = readMark(paths.commitNumber);
  const found = peekCommitNumber(paths.database);
  assert.ok(mark && found && mark.databaseId === found.databaseId);
  assert.ok(mark.operations >= acknowledged, `${mark.operations} of ${acknowledged} are in the mark`);
  assert.equal(missingOperations(mark, found), 0);
  assert.equal(existsSync(paths.lostWrites), false);
}

/** Opens the database with its write-ahead log, and checks its integrity and the acknowledged pairs. */
function inspect(file: string, acknowledged: readonly number[]): void {
  const db = openPlain(file, 5000);
  try {
    assert.deepEqual(db.pragma('integrity_check'), [{ integrity_check: 'ok' }]);
    const find = db.prepare(
      'SELECT lefts.text AS l, rights.text AS r FROM lefts JOIN rights USING (id) WHERE id = ?',
    );
    for (const id of acknowledged) {
      const text = `${id} `.repeat(20);
      assert.deepEqual(find.get(id), { l: text, r: text }, `pair ${id} was acknowledged`);
    }
    const halves = db.prepare(`
      SELECT count(*) FROM lefts FULL JOIN rights USING (id)
      WHERE lefts.text IS NOT rights.text OR lefts.text <> replace(hex(zeroblob(10)), '00', id || ' ' || id || ' ')`);
    assert.equal(halves.pluck().get(), 0, 'no pair is incomplete');
  } finally {
    db.close();
  }
}

test(`every acknowledged transaction from 64 writers survives ${KILLS} SIGKILLs`, async () => {
  let dir = '';
  let acknowledged: number[] = [];
  let total = 0;
  const random = randomFrom(testSeed());
  try {
    for (let kill = 0; kill < KILLS; kill += 1) {
      if (kill % KILLS_EACH === 0) {
        if (dir) rmSync(dir, { recursive: true });
        dir = mkdtempSync(join(tmpdir(), 'cartwright-kill-'));
        acknowledged = [];
      }
      const acks = Math.floor(random() * MAX_ACKS);
      const ids = await killAfter(dir, kill * 1_000_000, acks);
      total += ids.length;
      acknowledged.push(...ids);
      assertNoneMissing(dir, acknowledged.length);
      inspect(join(dir, 'cartwright.db'), acknowledged);
    }
  } finally {
    rmSync(dir, { recursive: true });
  }
  assert.ok(total > KILLS, `${total} acknowledgements`);
  process.stdout.write(`${KILLS} kills, ${total} acknowledged pairs, none lost\n`);
});

test.run();
