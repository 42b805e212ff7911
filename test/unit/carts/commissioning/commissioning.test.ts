import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import { Commissioning, resultsView, STEPS } from '../../../../src/carts/commissioning/commissioning.js';
import { commissioningSummary } from '../../../../src/console/commissioning/labels.js';
import { keyActor, userActor } from '../../../../src/shared/actor.js';
import { FakeClock } from '../../../helpers/fake-clock.js';
import { RecordingLog } from '../../../helpers/recording-log.js';
import { hasErrorCode } from '../../store/temp-store.js';

interface Harness {
  dir: string;
  log: RecordingLog;
  open(): Promise<Commissioning>;
}

function inDir(run: (harness: Harness) => Promise<void>): () => Promise<void> {
  return async () => {
    const dir = mkdtempSync(join(tmpdir(), 'cartwright-tour-'));
    const [clock, log] = [new FakeClock(), new RecordingLog()];
    try {
      await run({ dir, log, open: () => Commissioning.open({ dir, clock, log }) });
    } finally {
      rmSync(dir, { recursive: true });
    }
  };
}
const AT = Date.UTC(2026, 0, 1);

test(
  "a step's result, user, time and note survive a restart",
  inDir(async ({ open }) => {
    const step = await (await open()).note(
      { step: 'forward', outcome: 'passed', note: '0.10 m' },
      userActor('anna'),
    );
    assert.equal(step, 'forward');
    assert.deepEqual((await open()).results, {
      forward: { outcome: 'passed', note: '0.10 m', by: userActor('anna'), at: AT },
    });
  }),
);

test(
  'marks only steps without a result as skipped',
  inDir(async ({ open }) => {
    const tour = await open();
    await tour.note({ step: 'wheels', outcome: 'passed' }, userActor('anna'));
    await tour.note({ step: 'estop', outcome: 'failed' }, userActor('anna'));
    await tour.skipRest(userActor('piet'));
    assert.deepEqual([tour.results.wheels?.outcome, tour.results.estop?.outcome], ['passed', 'failed']);
    assert.deepEqual(tour.results.camera, { outcome: 'skipped', note: '', by: userActor('piet'), at: AT });
    assert.equal(Object.keys(tour.results).length, STEPS.length);
    assert.match(
      commissioningSummary(tour.results),
      /^1 of 8 steps passed; failed: E-stop button; skipped: Forward direction, .*Camera, MQTT server\. Last change: /,
    );
  }),
);

test(
  'rejects an invalid step, outcome or note, reports the field and writes nothing',
  inDir(async ({ open, dir }) => {
    const tour = await open();
    for (const [input, sentence] of [
      [{ step: 'dance', outcome: 'passed' }, /^step must be one of wheels, /],
      [{ step: 'wheels', outcome: 'great' }, /^outcome must be one of passed, failed, skipped/],
      [{ step: 'wheels', outcome: 'passed', note: 'x'.repeat(301) }, /^note must be .* 300 characters/],
      [{ step: 'wheels', outcome: 'passed', note: 7 }, /^note /],
    ] as const)
      await assert.rejects(tour.note(input, userActor('anna')), hasErrorCode('INVALID_INPUT', sentence));
    assert.throws(() => readFileSync(join(dir, 'commissioning.json')));
  }),
);

test(
  'logs an unreadable record and ignores invalid entries in an edited record',
  inDir(async ({ open, dir, log }) => {
    const path = join(dir, 'commissioning.json');
    writeFileSync(path, '{half');
    assert.deepEqual((await open()).results, {});
    assert.deepEqual(log.events(), ['commissioning.read_failed']);
    const good = { outcome: 'skipped', note: '', by: 'anna', at: 5 };
    writeFileSync(path, JSON.stringify({ wheels: good, turn: { outcome: 'fine' }, other: good }));
    assert.deepEqual((await open()).results, { wheels: { ...good, by: userActor('anna') } });
  }),
);

test(
  'keeps the API key that recorded a result, and reports its name to programs',
  inDir(async ({ open }) => {
    await (await open()).note({ step: 'wheels', outcome: 'passed' }, keyActor('tablet'));
    const { results } = await open();
    assert.deepEqual(results.wheels?.by, keyActor('tablet'));
    assert.deepEqual(JSON.parse(JSON.stringify(resultsView(results))), {
      wheels: { outcome: 'passed', note: '', by: 'key tablet', at: AT },
    });
  }),
);

test(
  'reads the names in records that version 0.2 wrote',
  inDir(async ({ open, dir }) => {
    const stored = { wheels: { outcome: 'passed', note: '', by: 'key tablet', at: AT } };
    writeFileSync(join(dir, 'commissioning.json'), JSON.stringify(stored));
    const { results } = await open();
    assert.deepEqual(results.wheels?.by, keyActor('tablet'));
    assert.deepEqual(resultsView(results), stored);
  }),
);

test('reports a cart without results as not commissioned', () => {
  assert.equal(commissioningSummary({}), 'This cart has not been commissioned yet.');
});

test.run();
