import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { NetworkLatency } from '../../../../../src/console/browser/live/network-latency.js';

/** In these tests, gateway times are about 5,000 ms and page times about 100,000 ms. */
const test = suite('network latency');

function connected(): NetworkLatency {
  const latency = new NetworkLatency();
  latency.begin(100_000, 100_020, 5000);
  return latency;
}

test('measures delays relative to the fastest event', () => {
  const latency = connected();
  assert.equal(latency.delayMs(5250, 100_270), 0);
  assert.ok(Math.abs(latency.delayMs(5500, 101_320) - 800) < 1);
  assert.equal(latency.delayMs(5750, 100_760), 0, 'faster than all previous events');
  assert.ok(Math.abs(latency.delayMs(6000, 101_020) - 10) < 1);
});

test("measures a slow snapshot's delay relative to the arrival of the response headers", () => {
  assert.ok(Math.abs(connected().delayMs(5000, 103_320) - 3300) < 1);
});

test('reports the delay of a new connection whose events are queued behind those of the previous one', () => {
  const latency = connected();
  latency.begin(110_000, 111_020, 15_000);
  assert.ok(Math.abs(latency.delayMs(15_000, 111_020) - 1000) < 10);
});

test('uses the time of the connection request as the reference if connecting takes too long', () => {
  const latency = new NetworkLatency();
  latency.begin(100_000, 102_000, 6990);
  assert.ok(latency.delayMs(6990, 102_000) > 1999);
  latency.begin(103_000, 103_020, 8010);
  assert.equal(latency.delayMs(8010, 103_020), 0, 'the next connection shows that the gateway was slow');
});

test('does not report a delay after a day of 100 ppm clock drift', () => {
  const latency = connected();
  for (let s = 1; s < 86_400; s += 1) {
    assert.equal(latency.delayMs(5000 + s * 1000, 100_020 + s * 1000.1), 0);
  }
});

test('keeps reporting a delay that has lasted for ten minutes', () => {
  const latency = connected();
  let delayMs = 0;
  for (let s = 1; s <= 600; s += 1) delayMs = latency.delayMs(5000 + s * 1000, 100_820 + s * 1000);
  assert.ok(delayMs > 600, `${delayMs} ms`);
});

test("reports a delay after a jump in the page's clock, until a new connection reveals the jump", () => {
  const latency = connected();
  assert.ok(latency.delayMs(5250, 160_270) > 59_900);
  latency.begin(161_000, 161_020, 6000);
  assert.equal(latency.delayMs(6000, 161_020), 0);
});

test("does not report a delay after the page's clock stops", () => {
  const latency = connected();
  assert.equal(latency.delayMs(3_605_000, 100_270), 0);
  assert.equal(latency.delayMs(3_605_250, 100_520), 0);
});

test('uses a new time reference after a gateway restart', () => {
  const latency = connected();
  latency.begin(200_000, 200_020, 300);
  assert.equal(latency.delayMs(300, 200_020), 0);
});

test.run();
