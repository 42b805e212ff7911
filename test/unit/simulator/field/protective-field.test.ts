import assert from 'node:assert/strict';
import { test } from 'uvu';
import { BLOCKED, BUMPERS, CAPS, FAULTS, type FrameOf } from '../../../../src/carts/serial/codec/codec.js';
import { END_CODES } from '../../../../src/carts/serial/codec/event-reasons.js';
import type { Wall } from '../../../../src/simulator/field/plan.js';
import { Host } from '../host.js';

/** The front of the cart is at x = 300. */
const wallAt = (x: number): Wall => ({ x1: x, y1: -2000, x2: x, y2: 2000 });
const FIELD = { type: 'FIELD', marginMm: 100, reactionMs: 100, flags: 1 } as const;

function ready(...walls: Wall[]): Host {
  const host = new Host({ protectiveField: true });
  host.controller.setWalls(walls);
  host.ready();
  host.send(FIELD);
  host.clock.advance(60);
  return host;
}

function codeOf(host: Host, seq: number): string | undefined {
  const reply = host.replyTo(seq);
  return reply?.type === 'NACK' ? reply.code : reply?.type;
}

function lastRanges(host: Host): FrameOf<'RANGES'> {
  const ranges = host.last('RANGES');
  assert.ok(ranges);
  return ranges;
}

test('reports the capability and the sensors only if the controller has a protective field', () => {
  const plain = new Host().ready();
  assert.equal((plain.last('HELLO_R')?.caps ?? 0) & CAPS.protectiveField, 0);
  assert.equal(codeOf(plain, plain.send({ type: 'SENSORS' })), 'UNSUPPORTED');
  assert.equal(codeOf(plain, plain.send(FIELD)), 'UNSUPPORTED');
  const host = ready();
  assert.notEqual((host.last('HELLO_R')?.caps ?? 0) & CAPS.protectiveField, 0);
  host.send({ type: 'SENSORS' });
  const sensors = host.last('SENSORS_R')?.sensors ?? [];
  assert.deepEqual(sensors[0], { angleDdeg: 0, fieldOfViewDeg: 27, maxRangeCm: 300 });
  assert.deepEqual(sensors.map(({ angleDdeg }) => angleDdeg).sort(), [-900, 0, 0, 0, 1800, 1800, 900].sort());
});

test('sends RANGES frames only after a FIELD frame, every 100 ms in motion and every 500 ms at rest', () => {
  const host = new Host({ protectiveField: true }).ready();
  host.heartbeatFor(1000);
  assert.equal(host.all('RANGES').length, 0);
  host.send(FIELD);
  assert.equal(host.all('RANGES').length, 1);
  host.heartbeatFor(2000);
  assert.equal(host.all('RANGES').length, 5);
  host.move(1, 5000);
  host.frames.length = 0;
  host.heartbeatFor(2000);
  assert.ok(host.all('RANGES').length >= 20);
  host.hello(7);
  host.frames.length = 0;
  host.heartbeatFor(1000);
  assert.equal(host.all('RANGES').length, 0, 'a new session has not sent a FIELD');
});

test('rejects a FIELD frame that switches the field off or sets an unknown flag', () => {
  const host = ready();
  assert.equal(codeOf(host, host.send({ ...FIELD, flags: 0 })), 'UNSUPPORTED');
  assert.equal(codeOf(host, host.send({ ...FIELD, flags: 3 })), 'RANGE');
  assert.equal(codeOf(host, host.send({ ...FIELD, marginMm: 0, reactionMs: 0 })), 'ACK');
});

// Fault case 44
test('stops before a wall, reports code 9 and fault bit 11, and rejects motion towards the wall', () => {
  const host = ready(wallAt(1500));
  host.move(1, 5000);
  host.untilStopped();
  const { x, enable, contacts } = host.controller.snapshot();
  assert.equal(contacts, 0);
  assert.ok(x > 900 && x < 1150, `stopped at ${x}`);
  assert.equal(enable, false);
  assert.deepEqual(host.eventCodes(), ['started:1:0', `failed:1:${END_CODES.obstacle}`]);
  host.heartbeatFor(600);
  const status = host.last('STATUS');
  assert.equal(status?.state, 'IDLE');
  assert.equal((status?.faults ?? 0) & FAULTS.obstacle, FAULTS.obstacle);
  assert.deepEqual(
    host
      .all('EVENT')
      .filter(({ event, retry }) => event === 'fault' && !retry)
      .map(({ code }) => code),
    [11],
  );
});

test('blocks turning and the direction of a near obstacle, and releases both beyond the margin plus 100 mm', () => {
  const host = ready(wallAt(380));
  assert.equal(lastRanges(host).blocked, BLOCKED.forward | BLOCKED.turning);
  assert.equal(host.move(1, 500)?.type, 'NACK');
  assert.equal(
    codeOf(
      host,
      host.send({
        type: 'MOVE',
        wireId: 2,
        distanceMm: 0,
        angleDdeg: 900,
        maxSpeedMmps: 300,
        ttlMs: 1500,
        maxDurationDs: 0,
      }),
    ),
    'FAULT',
  );
  assert.equal((host.jog(3, 100) as { code?: string } | undefined)?.code, 'FAULT');
  assert.equal(host.move(4, -80)?.type, 'ACK');
  host.untilStopped();
  assert.equal(host.move(5, 50)?.type, 'NACK', 'the obstacle is at 160 mm, within margin + 100 mm');
  host.move(6, -80);
  host.untilStopped();
  host.clock.advance(60);
  assert.equal(lastRanges(host).blocked, 0);
  assert.equal(host.move(7, 50)?.type, 'ACK');
});

test('switches motor enable off immediately when a bumper is pressed, and accepts the opposite direction', () => {
  const host = ready();
  host.move(1, 5000);
  host.heartbeatFor(1000);
  host.controller.fault('bumper', true, BUMPERS.frontRight);
  host.clock.advance(10);
  const { enable, speed } = host.controller.snapshot();
  assert.deepEqual({ enable, speed }, { enable: false, speed: 0 });
  assert.deepEqual(host.eventCodes().at(-1), `failed:1:${END_CODES.obstacle}`);
  assert.equal(lastRanges(host).bumpers, BUMPERS.frontRight);
  assert.equal(host.move(2, 100)?.type, 'NACK');
  assert.equal(host.move(3, -100)?.type, 'ACK');
  host.untilStopped();
  host.controller.fault('bumper', false);
  host.clock.advance(60);
  assert.equal(host.move(4, 100)?.type, 'ACK');
});

test('begins to stop within 250 ms of the last measurement of a silent sensor', () => {
  let slowestMs = 0;
  for (let offsetMs = 0; offsetMs < 50; offsetMs += 1) {
    const host = ready();
    host.move(1, 5000);
    host.heartbeatFor(1000);
    host.clock.advance(offsetMs);
    // The sensor's last measurement is up to 50 ms old when the fault occurs.
    host.controller.fault('sensorSilent', true, 5);
    let silentMs = 0;
    const ageMs = host.clock.now() % 50;
    while (host.controller.snapshot().state === 'RUNNING' && silentMs < 1000) {
      host.clock.advance(1);
      silentMs += 1;
      if (silentMs % 100 === 0) host.heartbeat();
    }
    slowestMs = Math.max(slowestMs, silentMs + ageMs);
    assert.ok(silentMs + ageMs <= 250, `${silentMs} ms after the fault, ${ageMs} ms after the measurement`);
    host.untilStopped();
    assert.deepEqual(host.eventCodes().at(-1), `failed:1:${END_CODES.sensorSilent}`);
    host.heartbeatFor(600);
    assert.equal(host.last('STATUS')?.state, 'FAULT');
    assert.equal(host.move(2, 100)?.type, 'NACK');
    host.controller.fault('sensorSilent', false);
    host.heartbeatFor(100);
    assert.equal(host.move(3, 100)?.type, 'ACK');
    host.controller.close();
  }
  process.stdout.write(`\n  a silent sensor stops the cart within ${slowestMs} ms of its last measurement\n`);
});

test('a pause of the simulation does not count as a silent sensor', () => {
  const host = ready();
  host.move(1, 5000);
  host.heartbeatFor(1000);
  host.clock.stall(400);
  host.heartbeatFor(2000);
  assert.deepEqual(host.eventCodes(), ['started:1:0']);
});

test('the straight part of a MOVE stops for an obstacle that is ahead after the turn', () => {
  // The wall is to the left of the cart, so it is ahead after a turn of 90 degrees.
  const host = ready({ x1: -2000, y1: 900, x2: 2000, y2: 900 });
  host.move(1, 2000, 900);
  host.untilStopped();
  const { y, contacts } = host.controller.snapshot();
  assert.equal(contacts, 0);
  assert.ok(y > 200 && y < 550, `stopped at ${y}`);
  assert.deepEqual(host.eventCodes().at(-1), `failed:1:${END_CODES.obstacle}`);
});

test('decelerates to a lower speed limit during a move', () => {
  const host = ready();
  host.move(1, 5000);
  host.heartbeatFor(2000);
  host.send({ type: 'LIMITS', maxSpeedMmps: 100, accelMmps2: 500, decelMmps2: 500, omegaMaxDdegps: 900 });
  host.clock.advance(20);
  assert.equal(Math.round(host.controller.snapshot().speed), 290);
  host.heartbeatFor(500);
  assert.equal(host.controller.snapshot().speed, 100);
});

test.run();
