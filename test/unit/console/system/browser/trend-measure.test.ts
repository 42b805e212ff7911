import assert from 'node:assert/strict';
import { suite } from 'uvu';
import {
  axisOf,
  MEASURES,
  type Measure,
  measureText,
  summary,
} from '../../../../../src/console/system/browser/trend-measure.js';
import { timeOfDay } from '../../../../../src/i18n/format.js';

const test = suite('trend measures');

const AT = [1_767_225_600_000, 1_767_225_601_000, 1_767_225_602_000];

function of(key: Measure['key']): Measure {
  const measure = MEASURES.find((other) => other.key === key);
  assert.ok(measure);
  return measure;
}

test('summarises event-loop lag as its maximum, the time of that maximum, and the median', () => {
  assert.equal(
    summary(of('lagMs'), AT, [1, 41.25, 2]),
    `Maximum 41.3 ms at ${timeOfDay(AT[1] ?? 0)}; median 2.0 ms`,
  );
});

test('summarises speed as a range and reports the duration of gaps', () => {
  assert.equal(
    summary(of('speedMmps'), AT, [-0.3, null, 0.5]),
    'Between −0.30 m/s and 0.50 m/s; no data for 1 s',
  );
});

test('summarises equal trend values as constant', () => {
  assert.equal(summary(of('speedMmps'), AT, [0, 0, 0]), 'Constant 0.00 m/s');
});

test('does not count the time between commands as a gap', () => {
  assert.equal(summary(of('answerMs'), AT, [null, 12, null]), `Maximum 12.0 ms at ${timeOfDay(AT[1] ?? 0)}`);
  assert.equal(measureText(of('answerMs'), null), 'no command');
});

test('reports that there is no data when a chart has no values', () => {
  const summaries = MEASURES.map((measure) => summary(measure, AT, [null, null, null]));
  assert.equal(new Set(summaries).size, MEASURES.length);
  assert.equal(summaries[3], 'No battery data.');
});

test('applies the minimum range to the axis and includes all values', () => {
  assert.deepEqual(axisOf(of('lagMs'), 1, 2), [0, 20]);
  assert.deepEqual(axisOf(of('batteryMv'), 25.4, 25.6), [25, 26]);
  const [low, high] = axisOf(of('speedMmps'), -1, 2);
  assert.ok(low < -1 && high > 2);
});

test.run();
