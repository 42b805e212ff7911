import assert from 'node:assert/strict';
import { test } from 'uvu';
import { growthPercent } from './measure.js';

const LENGTH = 600;
/** From 140 up to 160 and down at once, a little more than three times, as a heap is. */
const tooth = (at: number): number => 140 + (((at + 90) % 180) / 180) * 20;

test('a straight line grows by what lies between its ends', () => {
  assert.ok(Math.abs(growthPercent([100, 101, 102, 103, 104, 105]) - 5) < 1e-9);
  assert.equal(growthPercent([7, 7, 7]), 0);
});

test('what comes and goes is little growth, and a leak below it is seen', () => {
  const teeth = Array.from({ length: LENGTH }, (_, at) => tooth(at));
  assert.ok(Math.abs(growthPercent(teeth)) < 4);
  const leak = teeth.map((value, at) => value + (15 * at) / LENGTH);
  assert.ok(growthPercent(leak) > 7);
});

test.run();
