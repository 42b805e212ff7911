import assert from 'node:assert/strict';
import { test } from 'uvu';
import { isRecordedElsewhere, recordingOf } from '../../../../src/console/history/page.js';

const STOP_MS = 1_768_000_000_500;
const recordings = [
  { name: 'later.zip', at: STOP_MS + 60_000 },
  { name: 'stop.zip', at: STOP_MS - 500 },
  { name: 'earlier.zip', at: STOP_MS - 60_000 },
];
const nameOf = (at: number, { cartID = 1, view = {} }: { cartID?: number; view?: object } = {}) =>
  recordingOf({ cartID, at, view }, 1, recordings);

test('a latched stop links to the recording that was made when the stop was latched', () => {
  assert.equal(nameOf(STOP_MS), 'stop.zip');
});

test('a second stop within 2 s links to the recording of the first stop', () => {
  assert.equal(nameOf(STOP_MS + 1900), 'stop.zip');
});

test('a command links to the recording that was made when the command ended, not when it started', () => {
  const view = { timeline: [{ ms: 0 }, { ms: 60_000 }] };
  assert.equal(nameOf(STOP_MS, { view }), 'later.zip');
});

test('a stop has no link if no recording was made at that time', () => {
  assert.equal(nameOf(STOP_MS + 30_000), null);
});

test('a stop of another cart has no link to a recording', () => {
  assert.equal(nameOf(STOP_MS, { cartID: 2 }), null);
});

const LAYOUT = {
  gateway: { cartID: 1 },
  carts: [
    { cartID: 1, simulated: true },
    { cartID: 2, simulated: false },
    { cartID: 3, simulated: true },
  ],
};
const obstacle = { cartID: 2, outcome: 'failed' as const, reason: 'OBSTACLE' };
const MOVED = { timeline: [{ state: 'ACCEPTED' }, { state: 'RUNNING' }, { state: 'FAILED' }] };
const REFUSED = { timeline: [{ state: 'ACCEPTED' }, { state: 'REJECTED' }] };

test("names the gateway that records another cart's latched stop", () => {
  assert.ok(isRecordedElsewhere({ cartID: 2, outcome: 'estop', reason: '', view: {} }, LAYOUT));
});

for (const reason of ['OBSTACLE', 'SENSOR_SILENT', 'PROTECTIVE_STOP', 'LOOP_LAG']) {
  test(`names the gateway that records another cart's command that ended with ${reason}`, () => {
    assert.ok(isRecordedElsewhere({ ...obstacle, reason, view: MOVED }, LAYOUT));
  });
}

test('does not name another gateway for a command that an obstacle prevented from starting', () => {
  assert.equal(isRecordedElsewhere({ ...obstacle, view: REFUSED }, LAYOUT), false);
});

test('does not name another gateway for a finished command or a command that a person stopped', () => {
  for (const [outcome, reason] of [
    ['cancelled', 'STOPPED'],
    ['finished', ''],
  ] as const)
    assert.equal(isRecordedElsewhere({ cartID: 2, outcome, reason, view: MOVED }, LAYOUT), false);
});

test("does not name another gateway for the gateway's own cart or a simulated cart", () => {
  for (const cartID of [1, 3])
    assert.equal(isRecordedElsewhere({ cartID, outcome: 'estop', reason: '', view: {} }, LAYOUT), false);
});

test.run();
