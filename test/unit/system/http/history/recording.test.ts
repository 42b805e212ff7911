import assert from 'node:assert/strict';
import { test } from 'uvu';
import { recordingOf } from '../../../../../src/system/http/history/page.js';

const STOP_MS = 1_768_000_000_500;
const recordings = [
  { name: 'later.zip', at: STOP_MS + 60_000 },
  { name: 'stop.zip', at: STOP_MS - 500 },
  { name: 'earlier.zip', at: STOP_MS - 60_000 },
];
const nameOf = (at: number, { cartID = 1, view = {} }: { cartID?: number; view?: object } = {}) =>
  recordingOf({ cartID, at, view }, 1, recordings);

test('an E-stop links to the recording that was made at its time', () => {
  assert.equal(nameOf(STOP_MS), 'stop.zip');
});

test('a second stop within 2 s links to the recording of the first stop', () => {
  assert.equal(nameOf(STOP_MS + 1900), 'stop.zip');
});

test('a command links to the recording that was made at its end, not at its start', () => {
  const view = { timeline: [{ ms: 0 }, { ms: 60_000 }] };
  assert.equal(nameOf(STOP_MS, { view }), 'later.zip');
});

test('a stop without a recording at its time has no link', () => {
  assert.equal(nameOf(STOP_MS + 30_000), null);
});

test("another cart's stop has no link, because only this gateway's cart is recorded", () => {
  assert.equal(nameOf(STOP_MS, { cartID: 2 }), null);
});

test.run();
