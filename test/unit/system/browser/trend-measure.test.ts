import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { timeOfDay } from '../../../../src/i18n/format.js';
import {
  axisOf,
  MEASURES,
  type Measure,
  summary,
  valueText,
} from '../../../../src/system/browser/trend-measure.js';

/** What the charts say in words, and how far their axes reach. */
const test = suite('measures of the trend');

const AT = [1_767_225_600_000, 1_767_225_601_000, 1_767_225_602_000];

function of(key: Measure['key']): Measure {
  const measure = MEASURES.find((other) => other.key === key);
  assert.ok(measure);
  return measure;
}

test('the worst moment is told with its time, and what is usual', () => {
  assert.equal(
    summary(of('lagMs'), AT, [1, 41.25, 2]),
    `At most 41.3 ms, at ${timeOfDay(AT[1] ?? 0)}; half the time less than 2.0 ms`,
  );
});

test('speed and battery are told from the lowest to the highest, and for how long nothing was measured', () => {
  assert.equal(
    summary(of('speedMmps'), AT, [-0.3, null, 0.5]),
    'Between −0.30 m/s and 0.50 m/s; not measured for 1 s',
  );
});

test('what never changed is told once', () => {
  assert.equal(summary(of('speedMmps'), AT, [0, 0, 0]), 'Always 0.00 m/s');
});

test('between two commands nothing is missing', () => {
  assert.equal(summary(of('answerMs'), AT, [null, 12, null]), `At most 12.0 ms, at ${timeOfDay(AT[1] ?? 0)}`);
  assert.equal(valueText(of('answerMs'), null), 'no command');
});

test('where nothing was measured at all it is said why', () => {
  const sentences = MEASURES.map((measure) => summary(measure, AT, [null, null, null]));
  assert.equal(new Set(sentences).size, MEASURES.length);
  assert.equal(sentences[3], 'Nothing heard of the battery.');
});

test('noise fills no chart, and what is large still fits', () => {
  assert.deepEqual(axisOf(of('lagMs'), 1, 2), [0, 20]);
  assert.deepEqual(axisOf(of('batteryMv'), 25.4, 25.6), [25, 26]);
  const [low, high] = axisOf(of('speedMmps'), -1, 2);
  assert.ok(low < -1 && high > 2);
});

test.run();
