import assert from 'node:assert/strict';
import { test } from 'uvu';
import { END_CODES } from '../../../../src/carts/serial/codec/event-reasons.js';
import { Host } from '../host.js';

test('acknowledges and starts a move, and ends it exactly at its target', () => {
  const host = new Host().ready();
  assert.equal(host.move(7, 1000)?.type, 'ACK');
  host.untilStopped();
  assert.deepEqual(host.eventCodes(), ['started:7:0', 'finished:7:0']);
  assert.equal(host.last('EVENT')?.finalMm, 1000);
  const { x, y, heading, speed, motions } = host.controller.snapshot();
  assert.deepEqual([Math.round(x), Math.round(y), heading, speed, motions], [1000, 0, 0, 0, 1]);
});

test('sends the acknowledgement before the motion starts', () => {
  const host = new Host().ready();
  host.frames.length = 0;
  host.move(7, 1000);
  assert.deepEqual(host.frames.map((frame) => frame.type).slice(0, 2), ['ACK', 'EVENT']);
});

test('turns in place first (a positive angle turns left), then drives along the new heading', () => {
  const host = new Host().ready();
  host.move(1, 500, 900);
  host.heartbeatFor(500);
  assert.equal(host.controller.snapshot().x, 0);
  assert.ok(host.controller.snapshot().turnRate > 0);
  host.untilStopped();
  const { x, y, heading } = host.controller.snapshot();
  assert.ok(Math.hypot(x, y - 500) < 0.01);
  assert.equal(Math.round(heading), 90);
  const status = host.last('STATUS');
  // Each wheel travels a quarter circle with a radius of 200 mm, then 500 mm straight ahead.
  const arc = (Math.PI / 2) * 200;
  assert.deepEqual([status?.odoLeftMm, status?.odoRightMm], [Math.round(500 - arc), Math.round(500 + arc)]);
});

test('a move of 1000 mm at 300 mm/s takes 3.33 s plus one ramp of 0.6 s', () => {
  const host = new Host().ready();
  const startMs = host.clock.now();
  host.move(1, 1000);
  while (!host.eventCodes().includes('finished:1:0')) host.heartbeatFor(10);
  const tookMs = host.clock.now() - startMs;
  assert.ok(Math.abs(tookMs - (1000 / 0.3 + 600)) < 60, `${tookMs} ms`);
});

test('limits the speed to the lower of the LIMITS speed and the move speed', () => {
  const host = new Host().ready();
  host.move(1, 2000, 0, { maxSpeedMmps: 200 });
  host.untilStopped();
  const fastest = Math.max(...host.all('STATUS').map((status) => status.speedMmps));
  assert.equal(fastest, 200);
});

test('sends a status every 100 ms in motion and every 500 ms at rest', () => {
  const host = new Host().ready();
  host.heartbeatFor(600);
  host.frames.length = 0;
  host.heartbeatFor(5000);
  assert.equal(host.all('STATUS').length, 10);
  host.move(1, 10_000);
  host.frames.length = 0;
  host.heartbeatFor(2000);
  assert.equal(host.all('STATUS').length, 20);
});

test('rejects a move as BUSY during another motion, and continues that motion', () => {
  const host = new Host().ready();
  host.move(1, 500);
  host.heartbeatFor(200);
  const answer = host.move(2, 500);
  assert.ok(answer?.type === 'NACK' && answer.code === 'BUSY');
  host.untilStopped();
  assert.deepEqual(host.eventCodes(), ['started:1:0', 'finished:1:0']);
});

test('a move received while the cart is stopping starts once the cart is stationary', () => {
  const host = new Host().ready();
  host.move(1, 5000);
  host.heartbeatFor(1500);
  host.stop(2);
  assert.equal(host.move(2, 100)?.type, 'ACK');
  host.untilStopped();
  assert.deepEqual(host.eventCodes(), [
    'started:1:0',
    `cancelled:1:${END_CODES.stop}`,
    'started:2:0',
    'finished:2:0',
  ]);
});

test('a move expires if its TTL ends before the cart is stationary', () => {
  const host = new Host().ready();
  host.move(1, 5000);
  host.heartbeatFor(1500);
  host.stop(2);
  host.move(2, 100, 0, { ttlMs: 100 });
  host.untilStopped();
  assert.deepEqual(host.eventCodes().slice(1), [`cancelled:1:${END_CODES.stop}`, 'expired:2:0']);
  assert.equal(host.controller.snapshot().motions, 1);
});

test('rejects a move with a TTL of 0 as expired', () => {
  const host = new Host().ready();
  const answer = host.move(1, 100, 0, { ttlMs: 0 });
  assert.ok(answer?.type === 'NACK' && answer.code === 'EXPIRED');
});

test('a move that exceeds its maximum duration stops and fails', () => {
  const host = new Host().ready();
  host.move(1, 5000, 0, { maxDurationDs: 10 });
  host.untilStopped();
  assert.deepEqual(host.eventCodes(), ['started:1:0', `failed:1:${END_CODES.tooLong}`]);
  const finalMm = host.last('EVENT')?.finalMm ?? 0;
  assert.ok(finalMm > 200 && finalMm < 350, `${finalMm} mm`);
});

for (const [category, powered] of [
  [2, true],
  [1, false],
] as const) {
  test(`stop category ${category} ramps down and leaves the motors ${powered ? 'powered' : 'off'}`, () => {
    const host = new Host().ready();
    host.move(1, 5000);
    host.heartbeatFor(2000);
    const atStop = host.controller.snapshot();
    assert.equal(host.stop(category)?.type, 'ACK');
    assert.equal(host.last('STATUS')?.state, 'STOPPING');
    assert.equal(host.controller.snapshot().enable, true);
    host.untilStopped();
    const after = host.controller.snapshot();
    // Braking from 300 mm/s at 500 mm/s² takes 90 mm.
    assert.ok(Math.abs(after.x - atStop.x - 90) < 5, `${after.x - atStop.x} mm`);
    assert.equal(after.enable, powered);
    assert.equal(host.eventCodes().at(-1), `cancelled:1:${END_CODES.stop}`);
  });
}

test('a category 0 stop is immediate and switches the motors off', () => {
  const host = new Host().ready();
  host.move(1, 5000);
  host.heartbeatFor(2000);
  host.stop(0);
  const { speed, enable, wireId } = host.controller.snapshot();
  assert.deepEqual([speed, enable, wireId], [0, false, 0]);
  assert.equal(host.eventCodes().at(-1), `cancelled:1:${END_CODES.stop}`);
});

test('acknowledges a stop for a different motion but does not stop', () => {
  const host = new Host().ready();
  host.move(1, 300);
  assert.equal(host.stop(2, 99)?.type, 'ACK');
  host.untilStopped();
  assert.equal(host.eventCodes().at(-1), 'finished:1:0');
});

test('a newer jog frame sets the speed, and the jog ends when the lease expires', () => {
  const host = new Host().ready();
  host.jog(5, 100);
  host.heartbeatFor(300);
  host.jog(5, -200);
  host.heartbeatFor(300);
  assert.ok(host.controller.snapshot().speed < 0);
  host.heartbeatFor(1500);
  assert.deepEqual(host.eventCodes(), ['started:5:0', `cancelled:5:${END_CODES.lease}`]);
  assert.equal(host.controller.snapshot().speed, 0);
});

test('a jog ramps down 500 ms after the last jog frame', () => {
  const host = new Host().ready();
  host.jog(5, 300);
  host.heartbeatFor(500);
  assert.equal(host.last('STATUS')?.state, 'STOPPING');
});

test('a late frame does not restart a jog that has ended', () => {
  const host = new Host().ready();
  host.jog(5, 100);
  host.heartbeatFor(200);
  host.stop(2);
  host.untilStopped();
  const answer = host.jog(5, 100);
  assert.ok(answer?.type === 'NACK' && answer.code === 'EXPIRED');
  assert.equal(host.controller.snapshot().motions, 1);
});

test('a jog finishes when its speed is set to zero', () => {
  const host = new Host().ready();
  host.jog(5, 100, 300);
  host.heartbeatFor(300);
  host.jog(5, 0);
  host.heartbeatFor(400);
  assert.deepEqual(host.eventCodes(), ['started:5:0', 'finished:5:0']);
});

test('rejects a jog as BUSY during a move', () => {
  const host = new Host().ready();
  host.move(1, 1000);
  const answer = host.jog(5, 100);
  assert.ok(answer?.type === 'NACK' && answer.code === 'BUSY');
});

test('acknowledges a repeated move but does not move again, even after the move has ended', () => {
  const host = new Host().ready();
  host.move(1, 100);
  assert.equal(host.move(1, 100)?.type, 'ACK');
  host.untilStopped();
  assert.equal(host.move(1, 100)?.type, 'ACK');
  host.heartbeatFor(500);
  const { motions, commandsSeen, x } = host.controller.snapshot();
  assert.deepEqual([motions, commandsSeen, Math.round(x)], [1, 3, 100]);
});

test('blocked wheels do not move the cart, draw current and set the stall bit', () => {
  const host = new Host().ready();
  host.move(1, 1000);
  host.heartbeatFor(500);
  const { x } = host.controller.snapshot();
  host.controller.fault('stall', true);
  host.heartbeatFor(500);
  assert.equal(host.controller.snapshot().x, x);
  assert.equal((host.last('STATUS')?.faults ?? 0) & (1 << 6), 1 << 6);
  assert.ok((host.last('STATUS')?.batteryCa ?? 0) > 2000);
  host.controller.fault('stall', false);
  host.untilStopped();
  assert.equal(host.eventCodes().at(-1), 'finished:1:0');
  assert.equal((host.last('STATUS')?.faults ?? 0) & (1 << 6), 0);
});

test('motion heats the motors and drains the battery, and the motors cool down at rest', () => {
  const host = new Host({ physics: { socPercent: 50 } }).ready();
  host.send({ type: 'LIMITS', maxSpeedMmps: 1500, accelMmps2: 500, decelMmps2: 500, omegaMaxDdegps: 900 });
  const before = host.last('STATUS');
  host.move(1, 90_000, 0, { maxSpeedMmps: 1500 });
  host.heartbeatFor(60_000);
  const moving = host.last('STATUS');
  assert.ok((moving?.tempM1C ?? 0) > (before?.tempM1C ?? 0) + 10);
  assert.ok((moving?.batteryMv ?? 0) < (before?.batteryMv ?? 0));
  assert.ok((moving?.soc ?? 100) < 50);
  host.untilStopped();
  host.heartbeatFor(120_000);
  assert.ok((host.last('STATUS')?.tempM1C ?? 99) < (moving?.tempM1C ?? 0));
});

test('catches up on missed control steps, including the heartbeat timeout, when a timer fires late', () => {
  const host = new Host();
  let lateMs = 0;
  const clock = {
    now: () => host.clock.now() + lateMs,
    wallTime: () => host.clock.wallTime(),
    after: host.clock.after.bind(host.clock),
    every: host.clock.every.bind(host.clock),
  };
  const late = new Host({ clock }).ready();
  late.move(1, 5000);
  lateMs = 2000;
  host.clock.advance(10);
  // The cart accelerates for 500 ms (full acceleration takes 600 ms), then ramps down for 500 ms: 62.5 mm
  // each.
  const { x, enable, state } = late.controller.snapshot();
  assert.ok(Math.abs(x - 125) < 5, `${x} mm`);
  assert.deepEqual([enable, state], [false, 'LINK_LOST']);
});

test.run();
