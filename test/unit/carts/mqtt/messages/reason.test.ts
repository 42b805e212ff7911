import assert from 'node:assert/strict';
import { suite } from 'uvu';
import {
  describedReason,
  describeReason,
  knownReason,
} from '../../../../../src/carts/mqtt/messages/reason.js';
import type { ErrorCode } from '../../../../../src/shared/errors.js';

const test = suite('reasons from other gateways');

for (const code of ['OBSTACLE', 'CONTROLLER_FAULT', 'WRITE_FAILED', 'EXPIRED_SESSION'] as const) {
  test(`keeps a known reason code: ${code}`, () => {
    assert.deepEqual(knownReason({ code, text: 'why' }, 'FAILED'), { code, text: 'why' });
  });
}

for (const code of ['BRAKE_WORN', 'toString', 'obstacle', '', 'INTERNAL']) {
  test(`replaces the code "${code}" and keeps the code in the text`, () => {
    assert.deepEqual(knownReason({ code, text: 'why' }, 'REJECTED'), {
      code: 'REJECTED',
      text: `${code}: why`,
    });
  });
}

test('keeps the zone and the free distance', () => {
  const reason = { code: 'ZONE_BLOCKED', text: 'why', zoneId: 'z1', freeDistanceMm: 700 } as const;
  assert.deepEqual(knownReason(reason, 'FAILED'), reason);
});

test('reads a result description written by a gateway of this version', () => {
  const reason = { code: 'RESET_FORBIDDEN' as ErrorCode, text: 'reset it on the cart: it was stopped there' };
  assert.deepEqual(describedReason(describeReason(reason), 'RESET_REFUSED'), reason);
});

for (const [description, text] of [
  ['BRAKE_WORN: replace the pads', 'BRAKE_WORN: replace the pads'],
  ['Brake worn: replace the pads', 'Brake worn: replace the pads'],
  ['INTERNAL: unexpected', 'INTERNAL: unexpected'],
  ['', ''],
] as const) {
  test(`uses the fallback for the result description "${description}"`, () => {
    assert.deepEqual(describedReason(description, 'RESET_REFUSED'), { code: 'RESET_REFUSED', text });
  });
}

test('truncates a result description to 160 characters', () => {
  assert.equal(describeReason({ code: 'FAILED', text: 'x'.repeat(300) }).length, 160);
});

test.run();
