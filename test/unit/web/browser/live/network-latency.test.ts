import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { NetworkLatency } from '../../../../../src/web/browser/live/network-latency.js';

/** How a page reckons the time that news spent in the network. Times of the gateway are about 5,000, ours about 100,000. */
const test = suite('how long news waited');

function begun(): NetworkLatency {
  const waited = new NetworkLatency();
  waited.begin(100_000, 100_020, 5000);
  return waited;
}

test('what comes as quickly as the quickest has not waited, and what takes longer has', () => {
  const waited = begun();
  assert.equal(waited.delayMs(5250, 100_270), 0);
  assert.ok(Math.abs(waited.delayMs(5500, 101_320) - 800) < 1);
  assert.equal(waited.delayMs(5750, 100_760), 0, 'quicker than all before');
  assert.ok(Math.abs(waited.delayMs(6000, 101_020) - 10) < 1);
});

test('a snapshot that takes long to arrive has waited since the head of its connection came', () => {
  assert.ok(Math.abs(begun().delayMs(5000, 103_320) - 3300) < 1);
});

test('a connection behind the queue of the last one does not make old news fresh', () => {
  const waited = begun();
  waited.begin(110_000, 111_020, 15_000);
  assert.ok(Math.abs(waited.delayMs(15_000, 111_020) - 1000) < 10);
});

test('a first connection that took too long to come counts from when it was asked for', () => {
  const waited = new NetworkLatency();
  waited.begin(100_000, 102_000, 6990);
  assert.ok(waited.delayMs(6990, 102_000) > 1999);
  waited.begin(103_000, 103_020, 8010);
  assert.equal(waited.delayMs(8010, 103_020), 0, 'the next one shows that it was the gateway that was slow');
});

test('clocks that drift apart by 100 ppm for a day make nothing late', () => {
  const waited = begun();
  for (let s = 1; s < 86_400; s += 1) {
    assert.equal(waited.delayMs(5000 + s * 1000, 100_020 + s * 1000.1), 0);
  }
});

test('a delay that lasts for ten minutes is still told', () => {
  const waited = begun();
  let told = 0;
  for (let s = 1; s <= 600; s += 1) told = waited.delayMs(5000 + s * 1000, 100_820 + s * 1000);
  assert.ok(told > 600, `${told} ms`);
});

test('a clock of ours that jumps ahead makes news late until a new connection proves the jump', () => {
  const waited = begun();
  assert.ok(waited.delayMs(5250, 160_270) > 59_900);
  waited.begin(161_000, 161_020, 6000);
  assert.equal(waited.delayMs(6000, 161_020), 0);
});

test('a clock of ours that stood still makes nothing late', () => {
  const waited = begun();
  assert.equal(waited.delayMs(3_605_000, 100_270), 0);
  assert.equal(waited.delayMs(3_605_250, 100_520), 0);
});

test('a gateway that was started again counts from anew', () => {
  const waited = begun();
  waited.begin(200_000, 200_020, 300);
  assert.equal(waited.delayMs(300, 200_020), 0);
});

test.run();
