import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import {
  assumedDecelMmps2,
  brakeTestsView,
  brakingMmps2,
} from '../../../../src/carts/commissioning/brake-test.js';
import { Commissioning, resultsView, STEPS } from '../../../../src/carts/commissioning/commissioning.js';
import { commissioningSummary } from '../../../../src/console/commissioning/labels.js';
import { keyActor, userActor } from '../../../../src/shared/actor.js';
import { textOf } from '../../../../src/shared/messages/message.js';
import { stoppingMm } from '../../../../src/site/zones/stopping.js';
import { FakeClock } from '../../../helpers/fake-clock.js';
import { RecordingLog } from '../../../helpers/recording-log.js';
import { hasErrorCode } from '../../store/temp-store.js';

interface Harness {
  dir: string;
  log: RecordingLog;
  clock: FakeClock;
  open(): Promise<Commissioning>;
}

function inDir(run: (harness: Harness) => Promise<void>): () => Promise<void> {
  return async () => {
    const dir = mkdtempSync(join(tmpdir(), 'cartwright-tour-'));
    const [clock, log] = [new FakeClock(), new RecordingLog()];
    try {
      await run({ dir, log, clock, open: () => Commissioning.open({ dir, clock, log }) });
    } finally {
      rmSync(dir, { recursive: true });
    }
  };
}
const AT = Date.UTC(2026, 0, 1);
const LIMITS = { maxSpeedMmps: 1000 };
const BRAKE = { step: 'brake', outcome: 'passed', speedMmps: '1000', distanceMm: '650', load: ' 80 kg ' };

test(
  "a step's result, user, time and note survive a restart",
  inDir(async ({ open }) => {
    const step = await (await open()).note(
      { step: 'forward', outcome: 'passed', note: '0.10 m' },
      userActor('anna'),
      LIMITS,
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
    await tour.note({ step: 'wheels', outcome: 'passed' }, userActor('anna'), LIMITS);
    await tour.note({ step: 'estop', outcome: 'failed' }, userActor('anna'), LIMITS);
    await tour.skipRest(userActor('piet'));
    assert.deepEqual([tour.results.wheels?.outcome, tour.results.estop?.outcome], ['passed', 'failed']);
    assert.deepEqual(tour.results.camera, { outcome: 'skipped', note: '', by: userActor('piet'), at: AT });
    assert.equal(Object.keys(tour.results).length, STEPS.length);
    assert.match(
      commissioningSummary(tour.results),
      /^1 of 10 steps passed; failed: E-stop button; skipped: Forward direction, .*MQTT server, Footprint, Brake test\. Last change: /,
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
      await assert.rejects(
        tour.note(input, userActor('anna'), LIMITS),
        hasErrorCode('INVALID_INPUT', sentence),
      );
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
  'keeps an unreadable record and reports it until it is deleted',
  inDir(async ({ open, dir }) => {
    writeFileSync(join(dir, 'commissioning.json'), '{half');
    const tour = await open();
    await tour.note({ step: 'wheels', outcome: 'passed' }, userActor('anna'), LIMITS);
    const [kept = ''] = readdirSync(dir).filter((name) => name.includes('.damaged-'));
    assert.equal(readFileSync(join(dir, kept), 'utf8'), '{half');
    for (const { fault } of [tour, await open()]) assert.ok(textOf(fault).includes(kept));
    rmSync(join(dir, kept));
    assert.equal((await open()).fault, '');
  }),
);

test(
  'keeps brake tests that are recorded at the same time',
  inDir(async ({ open }) => {
    const tour = await open();
    await Promise.all([
      tour.note(BRAKE, userActor('anna'), LIMITS),
      tour.note({ ...BRAKE, distanceMm: 2000 }, userActor('piet'), LIMITS),
      tour.skipRest(userActor('anna')),
      tour.note({ step: 'wheels', outcome: 'passed' }, userActor('anna'), LIMITS),
    ]);
    const { brakeTests, results } = await open();
    assert.deepEqual([brakeTests.length, results.wheels?.outcome], [2, 'passed']);
  }),
);

test(
  'stored brake tests without a speed have no effect, and very weak ones count as 20 mm/s²',
  inDir(async ({ open, dir }) => {
    const stored = (speedMmps: number) => ({ speedMmps, distanceMm: 20_000, load: '', by: 'anna', at: AT });
    const path = join(dir, 'commissioning.json');
    writeFileSync(path, JSON.stringify({ brakeTests: [stored(0)] }));
    assert.equal(assumedDecelMmps2(800, (await open()).brakeTests), 800);
    writeFileSync(path, JSON.stringify({ brakeTests: [stored(100)] }));
    assert.equal(assumedDecelMmps2(800, (await open()).brakeTests), 20);
  }),
);

test(
  'keeps the API key that recorded a result, and reports its name to programs',
  inDir(async ({ open }) => {
    await (await open()).note({ step: 'wheels', outcome: 'passed' }, keyActor('tablet'), LIMITS);
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

test(
  'keeps every brake test, and assumes the lowest deceleration until it is withdrawn',
  inDir(async ({ open }) => {
    const tour = await open();
    assert.equal(assumedDecelMmps2(800, tour.brakeTests), 800);
    await tour.note(BRAKE, userActor('anna'), LIMITS);
    await tour.note({ ...BRAKE, speedMmps: 500, distanceMm: 400, load: '' }, userActor('piet'), LIMITS);
    await tour.note({ ...BRAKE, distanceMm: 140 }, userActor('anna'), LIMITS);
    // v² / 2d, where d excludes 0.15 s at v.
    assert.deepEqual(
      brakeTestsView(tour.brakeTests).map((test) => (test as { brakingMmps2: unknown }).brakingMmps2),
      [1000, 385, null],
    );
    const again = await open();
    assert.deepEqual(again.brakeTests, tour.brakeTests);
    assert.deepEqual(again.brakeTests[0], {
      speedMmps: 1000,
      distanceMm: 650,
      load: '80 kg',
      by: userActor('anna'),
      at: AT,
    });
    assert.equal(again.results.brake?.note, '1000 mm/s, 140 mm, 80 kg');
    assert.equal(Math.round(assumedDecelMmps2(800, again.brakeTests)), 385);
    assert.equal(Math.round(assumedDecelMmps2(300, again.brakeTests)), 300);
  }),
);

test(
  'a withdrawn brake test stays in the record without effect',
  inDir(async ({ open, clock }) => {
    const tour = await open();
    await tour.note({ ...BRAKE, distanceMm: 5000 }, userActor('anna'), LIMITS);
    assert.ok(assumedDecelMmps2(800, tour.brakeTests) < 110);
    clock.advance(1000);
    await tour.withdrawBrakeTest(String(AT), userActor('boss'));
    const { brakeTests } = await open();
    assert.equal(assumedDecelMmps2(800, brakeTests), 800);
    assert.deepEqual(brakeTests[0]?.withdrawn, { by: userActor('boss'), at: AT + 1000 });
    for (const at of [AT, AT + 1, undefined])
      await assert.rejects(
        tour.withdrawBrakeTest(at, userActor('boss')),
        hasErrorCode('NOT_FOUND', /brake test/),
      );
  }),
);

test(
  'rejects a brake test that is too slow, incomplete or implausible, and writes nothing',
  inDir(async ({ open, dir }) => {
    const tour = await open();
    for (const [change, sentence] of [
      [{ speedMmps: 499 }, /from 500 to 5000 mm\/s/],
      [{ speedMmps: undefined }, /from 500 to 5000 mm\/s/],
      [{ speedMmps: '0.5' }, /whole number/],
      [{ distanceMm: '' }, /from 1 to 20000 mm/],
      [{ distanceMm: 0 }, /from 1 to 20000 mm/],
      [{ distanceMm: 20_000, speedMmps: 500 }, /at least 20 mm/],
      [{ load: 'x'.repeat(101) }, /^load must be .* 100 characters/],
    ] as const)
      await assert.rejects(
        tour.note({ ...BRAKE, ...change }, userActor('anna'), LIMITS),
        hasErrorCode('INVALID_INPUT', sentence),
      );
    assert.throws(() => readFileSync(join(dir, 'commissioning.json')));
    await tour.note({ step: 'brake', outcome: 'failed' }, userActor('anna'), LIMITS);
    assert.deepEqual(tour.brakeTests, []);
  }),
);

test('the assumed stopping distance covers every reaction time at up to twice the tested speed', () => {
  const v = 1000;
  for (const reactionS of [0, 0.05, 0.15, 0.3]) {
    for (const decel of [300, 1000, 3000]) {
      const distanceMm = v * reactionS + v ** 2 / (2 * decel);
      const assumed = brakingMmps2({ speedMmps: v, distanceMm });
      for (const speed of [100, 500, 1000, 2000]) {
        const real = speed * reactionS + speed ** 2 / (2 * decel);
        assert.ok(
          stoppingMm(speed, 0.3, assumed) >= real - 1e-6,
          `${reactionS} s, ${decel} mm/s², ${speed} mm/s`,
        );
      }
    }
  }
});

test('reports a cart without results as not commissioned', () => {
  assert.equal(commissioningSummary({}), 'This cart has not been commissioned yet.');
});

test.run();
