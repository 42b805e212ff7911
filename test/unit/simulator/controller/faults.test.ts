import assert from 'node:assert/strict';
import { test } from 'uvu';
import { FAULTS } from '../../../../src/carts/serial/codec/codec.js';
import { END_CODES } from '../../../../src/carts/serial/codec/event-reasons.js';
import { Host } from '../host.js';

test('the controller executes commands but sends nothing during the mute fault', () => {
  const host = new Host().ready();
  host.controller.fault('mute', true);
  host.frames.length = 0;
  host.move(1, 100);
  host.heartbeatFor(2000);
  assert.deepEqual(host.frames, []);
  assert.equal(Math.round(host.controller.snapshot().x), 100);
  host.controller.fault('mute', false);
  host.heartbeatFor(600);
  assert.ok(host.all('STATUS').length > 0);
});

test('the controller drops the next n acknowledgements during the dropAck fault but executes a repeated move only once', () => {
  const host = new Host().ready();
  host.controller.fault('dropAck', true, 2);
  assert.equal(host.move(1, 100), undefined);
  assert.equal(host.move(1, 100), undefined);
  assert.equal(host.move(1, 100)?.type, 'ACK');
  assert.equal(host.controller.snapshot().motions, 1);
});

test('the host rejects every frame during the corrupt fault, which flips a bit', () => {
  const host = new Host().ready();
  host.frames.length = 0;
  host.controller.fault('corrupt', true, 1);
  host.heartbeatFor(5000);
  assert.equal(host.frames.length, 0);
  host.controller.fault('corrupt', false);
  host.heartbeatFor(1000);
  assert.ok(host.all('STATUS').length > 0);
});

test('the reset fault ends the motion, sends the startup text and increments the boot count', () => {
  const host = new Host().ready();
  host.move(1, 5000);
  host.heartbeatFor(1000);
  const { x } = host.controller.snapshot();
  host.controller.fault('reset', true);
  assert.deepEqual([host.controller.snapshot().state, host.controller.snapshot().enable], ['BOOT', false]);
  host.frames.length = 0;
  assert.equal(host.hello(), undefined);
  host.clock.advance(400);
  assert.match(host.text, /simulated controller 1\.0\.0, start 2 \(external\)/);
  assert.deepEqual([host.last('STATUS')?.session, host.last('STATUS')?.odoLeftMm], [0, 0]);
  assert.equal(host.hello()?.bootCount, 2);
  host.heartbeatFor(1000);
  assert.equal(host.controller.snapshot().x, x);
});

test('the power fault stops the cart and all output with "off", and restarts the controller with "on"', () => {
  const host = new Host().ready();
  host.controller.power(false);
  host.frames.length = 0;
  host.hello();
  host.clock.advance(5000);
  assert.deepEqual([host.frames.length, host.controller.snapshot().state], [0, 'OFF']);
  assert.equal(host.clock.timers, 0);
  host.controller.power(true);
  host.clock.advance(400);
  assert.equal(host.hello()?.resetCause, 0);
});

test('the slow fault delays every reply by the number of milliseconds in its argument', () => {
  const host = new Host().ready();
  host.controller.fault('slow', true, 150);
  const seq = host.send({ type: 'STOP', category: 2, wireId: 0 });
  host.clock.advance(149);
  assert.equal(host.replyTo(seq), undefined);
  host.clock.advance(1);
  assert.equal(host.replyTo(seq)?.type, 'ACK');
});

test('the noise fault sends random bytes between frames, and the frames still arrive', () => {
  const host = new Host().ready();
  host.controller.fault('noise', true, 20);
  host.heartbeatFor(3000);
  assert.ok(host.broken > 5, `${host.broken} broken`);
  host.controller.fault('noise', false);
  host.frames.length = 0;
  host.heartbeatFor(1000);
  assert.ok(host.all('STATUS').length >= 1);
});

test('the lowBattery fault reports the voltage and the fault bit immediately and sends an event', () => {
  const host = new Host().ready();
  host.controller.fault('lowBattery', true, 21_000);
  assert.deepEqual([host.last('STATUS')?.batteryMv, host.last('STATUS')?.faults], [21_000, FAULTS.undervolt]);
  assert.deepEqual([host.last('EVENT')?.event, host.last('EVENT')?.code], ['fault', 0]);
  host.controller.fault('lowBattery', false);
  assert.equal(host.last('STATUS')?.faults, 0);
});

test('the hot fault reports the temperature and, at the critical limit, stops the cart and rejects motion', () => {
  const host = new Host().ready();
  host.move(1, 5000);
  host.heartbeatFor(1000);
  host.controller.fault('hot', true);
  assert.equal(host.last('STATUS')?.tempM1C, 95);
  assert.equal(host.last('STATUS')?.state, 'RUNNING');
  host.controller.fault('hot', true, 115);
  host.heartbeatFor(1000);
  assert.equal(host.eventCodes().at(-1), `failed:1:${END_CODES.fault}`);
  const answer = host.move(2, 100);
  assert.ok(answer?.type === 'NACK' && answer.code === 'FAULT');
  assert.equal(host.last('STATUS')?.state, 'FAULT');
});

test('reports ten invalid frames within a second as a CRC burst', () => {
  const host = new Host().ready();
  for (let count = 0; count < 10; count++) host.controller.receive(Uint8Array.of(3, 1, 2, 0));
  host.heartbeatFor(500);
  assert.equal(host.last('STATUS')?.faults, FAULTS.crcBurst);
  host.heartbeatFor(1000);
  assert.equal(host.last('STATUS')?.faults, 0);
});

test('the same seed produces the same noise', () => {
  const noiseOf = (seed: number) => {
    const host = new Host({ seed });
    host.controller.fault('noise', true);
    host.clock.advance(450);
    return host.text;
  };
  assert.equal(noiseOf(5), noiseOf(5));
  assert.notEqual(noiseOf(5), noiseOf(6));
});

test('accepts a frame that arrives byte by byte', () => {
  const host = new Host();
  const { controller } = host;
  const whole = Buffer.from('0311010c3c0101f4013412ed5eb7fd00', 'hex');
  for (const byte of whole) controller.receive(Uint8Array.of(byte));
  assert.equal(host.all('HELLO_R').length, 1);
});

test('an idle controller uses one timer, and a controller with a session uses two', () => {
  const hosts = Array.from({ length: 1000 }, () => new Host());
  for (const host of hosts) assert.equal(host.clock.timers, 1);
  for (const host of hosts) host.ready();
  for (const host of hosts) assert.equal(host.clock.timers, 2);
});

test.run();
