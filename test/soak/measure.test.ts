import assert from 'node:assert/strict';
import { test } from 'uvu';
import { floorRise, growthPercent } from './measure.js';

const LENGTH = 600;
/** A sawtooth from 140 to 160, like heap usage; 600 values are a little more than three periods. */
const sawtooth = (at: number): number => 140 + (((at + 90) % 180) / 180) * 20;

test('measures the growth of a straight line as the difference between its first and last values', () => {
  assert.ok(Math.abs(growthPercent([100, 101, 102, 103, 104, 105]) - 5) < 1e-9);
  assert.equal(growthPercent([7, 7, 7]), 0);
});

test('measures little growth in a sawtooth pattern, but detects an underlying leak', () => {
  const teeth = Array.from({ length: LENGTH }, (_, at) => sawtooth(at));
  assert.ok(Math.abs(growthPercent(teeth)) < 4);
  const leak = teeth.map((value, at) => value + (15 * at) / LENGTH);
  assert.ok(growthPercent(leak) > 7);
});

test('temporary descriptors do not count as leaks, but descriptors left open do', () => {
  const busy = Array.from({ length: LENGTH }, (_, at) => 40 + (at % 7));
  assert.equal(floorRise(busy), 0);
  assert.equal(floorRise([...busy.slice(0, -LENGTH / 4), ...busy.slice(-LENGTH / 4).map((n) => n + 6)]), 6);
  const leak = busy.map((value, at) => value + Math.floor((3 * at) / LENGTH));
  assert.equal(floorRise(leak), 2);
});

test.run();
