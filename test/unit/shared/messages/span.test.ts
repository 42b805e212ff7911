import assert from 'node:assert/strict';
import { test } from 'uvu';
import { span } from '../../../../src/shared/messages/messages.js';

test('formats a rounded duration in ms, s or min', () => {
  const spans = [0, 4.2, 40, 312, 500, 1000, 4962, 9_949, 9_950, 12_300, 119_499, 180_000];
  assert.deepEqual(
    spans.map((ms) => span(ms).text),
    ['0 ms', '4.2 ms', '40 ms', '310 ms', '500 ms', '1 s', '5 s', '9.9 s', '10 s', '12 s', '119 s', '3 min'],
  );
});

test.run();
