import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import { HEALTHY_MS, RunRecord } from '../../../../src/app/start/run-record.js';
import { FakeClock } from '../../../helpers/fake-clock.js';

const test = suite<{ dir: string }>('run record');

test.before.each((context) => {
  context.dir = mkdtempSync(join(tmpdir(), 'run-record-'));
});
test.after.each(({ dir }) => rmSync(dir, { recursive: true, force: true }));

/** Simulates `times` gateway runs, each of which is killed. */
const killed = (dir: string, times: number): void => {
  for (let run = 0; run < times; run += 1) new RunRecord(dir);
};

test('enters stop-only mode after three consecutive crashes, but not after two', ({ dir }) => {
  killed(dir, 2);
  assert.equal(new RunRecord(dir).isStopOnly, false);
  const fourth = new RunRecord(dir);
  assert.deepEqual([fourth.isStopOnly, fourth.uncleanEnds], [true, 3]);
});

test('a requested stop clears the crash count, regardless of how the process ends', ({ dir }) => {
  killed(dir, 3);
  const run = new RunRecord(dir);
  assert.equal(run.isStopOnly, true);
  run.stopRequested();
  assert.equal(new RunRecord(dir).uncleanEnds, 0);
});

test('does not count requested restarts as crashes', ({ dir }) => {
  for (let run = 0; run < 20; run += 1) {
    const record = new RunRecord(dir);
    assert.deepEqual([record.uncleanEnds, record.delayMs], [0, 0]);
    record.stopRequested();
  }
});

test('a healthy run clears the crash count for the next start', ({ dir }) => {
  const clock = new FakeClock();
  killed(dir, 3);
  const run = new RunRecord(dir);
  run.serving(clock);
  clock.advance(HEALTHY_MS - 1);
  assert.equal(new RunRecord(dir).uncleanEnds, 4);
  const next = new RunRecord(dir);
  next.serving(clock);
  clock.advance(HEALTHY_MS);
  assert.deepEqual([next.isStopOnly, new RunRecord(dir).uncleanEnds], [true, 1]);
});

test('a healthy run does not recreate the run record after a requested stop', ({ dir }) => {
  const clock = new FakeClock();
  const run = new RunRecord(dir);
  run.serving(clock);
  run.stopRequested();
  clock.advance(HEALTHY_MS);
  assert.equal(new RunRecord(dir).uncleanEnds, 0);
});

test('does not count a power cut as a crash', ({ dir }) => {
  killed(dir, 9);
  const afterBoot = mkdtempSync(join(dir, 'boot-'));
  assert.equal(new RunRecord(afterBoot).uncleanEnds, 0);
});

test('delays startup by 2 to 30 s from the second crash in stop-only mode onwards', ({ dir }) => {
  const delays = Array.from({ length: 11 }, () => new RunRecord(dir).delayMs / 1000);
  assert.deepEqual(delays, [0, 0, 0, 0, 2, 4, 8, 16, 30, 30, 30]);
});

test('a failed start delays the next start but does not cause stop-only mode', ({ dir }) => {
  const delays = Array.from({ length: 7 }, () => {
    const run = new RunRecord(dir);
    run.startFailed();
    return [run.isStopOnly, run.delayMs / 1000];
  });
  assert.deepEqual(delays.slice(3), [
    [false, 0],
    [false, 2],
    [false, 4],
    [false, 8],
  ]);
});

test('the crash count is zero when the directory is missing or the file is damaged', ({ dir }) => {
  const none = new RunRecord(undefined);
  none.stopRequested();
  assert.deepEqual([none.uncleanEnds, none.fault], [0, '']);
  const gone = new RunRecord(join(dir, 'gone'));
  gone.stopRequested();
  assert.match(gone.fault, /ENOENT/);
  for (const text of ['', '{"uncleanEnds":', 'null', '{"uncleanEnds":"9","failedStarts":-1,"running":1}']) {
    writeFileSync(join(dir, 'run.json'), text);
    const run = new RunRecord(dir);
    assert.deepEqual([run.uncleanEnds, run.delayMs, run.fault], [0, 0, '']);
  }
});

test.run();
