import assert from 'node:assert/strict';
import { test } from 'uvu';
import { keepTickShape } from '../../../../src/app/start/tick-shape.js';

test('keeps an object in which Node stores a process.nextTick callback', () => {
  const kept: { callback?: unknown } = keepTickShape() ?? {};
  assert.equal(typeof kept.callback, 'function');
  assert.equal(Object.getOwnPropertySymbols(kept).length, 2);
});

test.run();
