import assert from 'node:assert/strict';
import { test } from 'uvu';
import { expositionOf } from '../../../src/adapters/prometheus.js';
import { counter, Durations, gauge, histogram, Tally } from '../../../src/shared/metric.js';

test('a bucket counts durations up to and including its upper bound', () => {
  const times = new Durations([0.01, 0.1]);
  for (const ms of [1, 10, 11, 100, 101]) times.record(ms);
  const samples = times.samples({}).map(({ suffix, labels, value }) => [suffix, labels.le, value]);
  assert.deepEqual(samples.slice(0, 3), [
    ['_bucket', '0.01', 2],
    ['_bucket', '0.1', 4],
    ['_bucket', '+Inf', 5],
  ]);
  assert.equal(samples.at(-1)?.[2], 5);
  assert.ok(Math.abs(Number(samples.at(-2)?.[2]) - 0.223) < 1e-9);
});

test('a tally keeps at most 1000 rows and continues to count in those rows', () => {
  const tally = new Tally();
  for (let at = 0; at < 2000; at += 1) tally.add(`word ${at}`);
  tally.add('word 0');
  assert.equal(tally.rows('word').length, 1000);
  assert.deepEqual(tally.rows('word')[0], [{ word: 'word 0' }, 2]);
});

test('renders metrics in the Prometheus text format with escaped labels', async () => {
  const times = new Durations([0.5]);
  times.record(250);
  const { text } = await expositionOf([
    gauge('a_bytes', 'A.', 3),
    counter('b_total', 'B.', [[{ why: 'a "quoted"\nword' }, 2]]),
    histogram('c_seconds', 'C.', [[{ way: 'x' }, times]]),
  ]);
  assert.deepEqual(
    text.split('\n').filter((line) => line !== ''),
    [
      '# HELP a_bytes A.',
      '# TYPE a_bytes gauge',
      'a_bytes 3',
      '# HELP b_total B.',
      '# TYPE b_total counter',
      'b_total{why="a \\"quoted\\"\\nword"} 2',
      '# HELP c_seconds C.',
      '# TYPE c_seconds histogram',
      'c_seconds_bucket{way="x",le="0.5"} 1',
      'c_seconds_bucket{way="x",le="+Inf"} 1',
      'c_seconds_sum{way="x"} 0.25',
      'c_seconds_count{way="x"} 1',
    ],
  );
});

test.run();
