import assert from 'node:assert/strict';
import { suite } from 'uvu';
import type { TrendSample } from '../../../../src/system/trends/columns.js';
import { Trend } from '../../../../src/system/trends/trend.js';
import { FakeClock } from '../../../helpers/fake-clock.js';

const test = suite('trend recording');

const EMPTY: TrendSample = { lagMs: null, answerMs: null, speedMmps: null, batteryMv: null };

function started(sample: () => TrendSample): { clock: FakeClock; trend: Trend } {
  const clock = new FakeClock();
  const trend = new Trend({ clock });
  trend.start(sample);
  return { clock, trend };
}

test('takes one sample per second, with its wall-clock time', () => {
  const speeds = [100, 200, null];
  const { clock, trend } = started(() => ({ ...EMPTY, lagMs: 1.5, speedMmps: speeds.shift() ?? null }));
  const begin = clock.wallTime();
  clock.advance(3000);
  assert.deepEqual(trend.columns(), {
    at: [begin + 1000, begin + 2000, begin + 3000],
    lagMs: [1.5, 1.5, 1.5],
    answerMs: [null, null, null],
    speedMmps: [100, 200, null],
    batteryMv: [null, null, null],
  });
});

test('keeps at most 600 rows, which cover ten minutes', () => {
  let count = 0;
  const { clock, trend } = started(() => {
    count += 1;
    return { ...EMPTY, lagMs: count };
  });
  clock.advance(3_600_000);
  const { at, lagMs } = trend.columns();
  assert.equal(at.length, 600);
  assert.equal(lagMs[0], 3001);
  assert.equal(lagMs[599], 3600);
});

test('returns one empty row for a gap in the samples', () => {
  const { clock, trend } = started(() => ({ ...EMPTY, lagMs: 2 }));
  clock.advance(1000);
  clock.stall(10_000);
  clock.advance(2000);
  const { at, lagMs } = trend.columns();
  assert.deepEqual(lagMs.slice(0, 3), [2, null, 2]);
  assert.equal((at[2] ?? 0) - (at[0] ?? 0), 10_000);
});

test('does not take samples after close()', () => {
  let count = 0;
  const { clock, trend } = started(() => {
    count += 1;
    return EMPTY;
  });
  trend.close();
  clock.advance(5000);
  assert.equal(count, 0);
});

test.run();
