import assert from 'node:assert/strict';
import { test } from 'uvu';
import { CAPS, cobsEncode, crc16, FAULTS, type NackCode } from '../../../../src/carts/serial/codec/codec.js';
import { END_CODES } from '../../../../src/carts/serial/codec/event-reasons.js';
import { Host } from '../host.js';

const assertNack = (answer: unknown, code: NackCode) => {
  assert.ok(answer && typeof answer === 'object' && 'code' in answer);
  assert.equal(answer.code, code);
};

test('replies to a HELLO with the nonce, boot count, capabilities and simulator flag', () => {
  const host = new Host();
  const reply = host.hello(0xdeadbeef);
  assert.equal(reply?.hostNonce, 0xdeadbeef);
  assert.deepEqual([reply?.proto, reply?.bootCount, reply?.reply, reply?.session], [1, 1, true, 60]);
  assert.ok((reply?.caps ?? 0) & CAPS.simulated);
});

test('a controller with a different protocol version reports that version and does not start a session', () => {
  const host = new Host({ proto: 2 });
  assert.equal(host.hello()?.proto, 2);
  host.heartbeat();
  assertNack(host.move(1, 100), 'BAD_SESSION');
});

test('replies to a repeated HELLO from the same session without interrupting the motion', () => {
  const host = new Host().ready();
  host.move(1, 300);
  host.hello();
  host.untilStopped();
  assert.equal(host.all('HELLO_R').length, 2);
  assert.equal(host.eventCodes().at(-1), 'finished:1:0');
});

test("a new HELLO stops the old session's motion without sending an event", () => {
  const host = new Host().ready();
  host.move(1, 3000);
  host.heartbeatFor(1000);
  host.session = 61;
  host.hello(2);
  host.frames.length = 0;
  host.heartbeatFor(1500);
  assert.deepEqual(host.eventCodes(), []);
  const { speed, enable } = host.controller.snapshot();
  assert.deepEqual([speed, enable], [0, false]);
  assert.equal(host.move(1, 50)?.type, 'ACK');
});

test('rejects frames from a different session', () => {
  const host = new Host().ready();
  host.session = 59;
  assertNack(host.move(1, 100), 'BAD_SESSION');
  assert.equal(host.controller.snapshot().motions, 0);
});

test('accepts a stop and an E-stop from any session', () => {
  const host = new Host().ready();
  host.move(1, 1000);
  host.session = 59;
  assert.equal(host.stop(0)?.type, 'ACK');
  assert.equal(host.controller.snapshot().speed, 0);
  host.send({ type: 'ESTOP', source: 1 });
  assert.equal(host.controller.snapshot().state, 'ESTOP');
});

test('rejects motion until a heartbeat has armed the controller', () => {
  const host = new Host();
  host.hello();
  assertNack(host.move(1, 100), 'DISARMED');
  assertNack(host.jog(2, 100), 'DISARMED');
  host.heartbeat();
  assert.equal(host.move(1, 100)?.type, 'ACK');
});

test('ramps down, switches the motors off and rejects motion after a heartbeat with armed = 0', () => {
  const host = new Host().ready();
  host.move(1, 5000);
  host.heartbeatFor(1000);
  host.heartbeat(false);
  for (let beat = 0; beat < 10; beat++) {
    host.clock.advance(100);
    host.heartbeat(false);
  }
  assert.equal(host.eventCodes().at(-1), `cancelled:1:${END_CODES.disarmed}`);
  assert.equal(host.controller.snapshot().enable, false);
  assertNack(host.move(2, 100), 'DISARMED');
});

test('stops the cart and ends the session after 500 ms without a frame from the session', () => {
  const host = new Host().ready();
  host.move(1, 5000);
  host.heartbeatFor(1000);
  host.frames.length = 0;
  host.clock.advance(499);
  assert.equal(host.controller.snapshot().state, 'RUNNING');
  host.clock.advance(11);
  assert.equal(host.controller.snapshot().state, 'LINK_LOST');
  host.clock.advance(600);
  const { speed, enable } = host.controller.snapshot();
  assert.deepEqual([speed, enable], [0, false]);
  assert.deepEqual([host.last('STATUS')?.state, host.last('STATUS')?.session], ['LINK_LOST', 0]);
  assert.equal(host.last('STATUS')?.faults, FAULTS.linkLost);
});

test('frames from a different session do not restart the heartbeat timeout', () => {
  const host = new Host().ready();
  host.move(1, 5000);
  host.session = 59;
  host.heartbeatFor(700);
  assert.equal(host.controller.snapshot().state, 'LINK_LOST');
});

test('rejects motion after the link is lost, until a new HELLO arrives', () => {
  const host = new Host().ready();
  host.clock.advance(600);
  host.heartbeat();
  assertNack(host.move(1, 100), 'BAD_SESSION');
  host.ready();
  assert.equal(host.last('STATUS')?.state, 'IDLE');
  assert.equal(host.move(1, 100)?.type, 'ACK');
});

test('a heartbeat sets the heartbeat timeout', () => {
  const host = new Host().ready();
  host.send({ type: 'HEARTBEAT', armed: true, timeoutMs: 250 });
  host.clock.advance(260);
  assert.equal(host.controller.snapshot().state, 'LINK_LOST');
});

test('an E-stop ends the motion immediately, is latched and blocks further motion', () => {
  const host = new Host().ready();
  host.move(1, 5000);
  host.heartbeatFor(1000);
  assert.equal(host.replyTo(host.send({ type: 'ESTOP', source: 1 }))?.type, 'ACK');
  const { speed, enable, state } = host.controller.snapshot();
  assert.deepEqual([speed, enable, state], [0, false, 'ESTOP']);
  assert.equal(host.eventCodes().at(-1), `failed:1:${END_CODES.estop}`);
  assertNack(host.move(2, 100), 'ESTOP_ACTIVE');
});

test('releases the latch only with the nonce of the latest status, and does not resume the motion', () => {
  const host = new Host().ready();
  const before = host.last('STATUS')?.estopNonce ?? 0;
  host.send({ type: 'ESTOP', source: 1 });
  assertNack(host.replyTo(host.send({ type: 'ESTOP_RESET', nonce: before })), 'EXPIRED');
  const nonce = host.last('STATUS')?.estopNonce ?? 0;
  assert.notEqual(nonce, before);
  assert.equal(host.replyTo(host.send({ type: 'ESTOP_RESET', nonce }))?.type, 'ACK');
  host.heartbeatFor(1000);
  const { state, enable, motions } = host.controller.snapshot();
  assert.deepEqual([state, enable, motions], ['IDLE', false, 0]);
});

test('the E-stop button on the controller stops the cart and must be released before a reset', () => {
  const host = new Host().ready();
  host.move(1, 5000);
  host.heartbeatFor(1000);
  host.controller.pressEstop();
  assert.equal(host.controller.snapshot().speed, 0);
  const reset = () =>
    host.replyTo(host.send({ type: 'ESTOP_RESET', nonce: host.last('STATUS')?.estopNonce ?? 0 }));
  assertNack(reset(), 'ESTOP_ACTIVE');
  host.controller.releaseEstop();
  assert.equal(host.controller.snapshot().state, 'ESTOP');
  assert.equal(reset()?.type, 'ACK');
});

test('a controller that boots with its E-stop button pressed starts in the latched state', () => {
  const host = new Host({ bootMs: 0 });
  host.controller.pressEstop();
  host.controller.reset();
  host.clock.advance(0);
  host.controller.releaseEstop();
  host.ready();
  assertNack(host.move(1, 100), 'ESTOP_ACTIVE');
});

test('sends an unacknowledged event three times with the same sequence number', () => {
  const host = new Host().ready();
  host.ignoreEvents();
  host.move(1, 5000);
  host.heartbeatFor(1000);
  const tries = host.all('EVENT').filter((frame) => frame.event === 'started');
  assert.deepEqual(
    tries.map((frame) => [frame.seq, frame.retry, frame.ackReq]),
    [false, true, true].map((retry) => [tries[0]?.seq, retry, true]),
  );
});

test('sends an acknowledged event only once', () => {
  const host = new Host().ready();
  host.move(1, 5000);
  host.heartbeatFor(1000);
  assert.equal(host.all('EVENT').length, 1);
});

test('rejects motions that are out of range, and frame types that only controllers send', () => {
  const host = new Host().ready();
  assertNack(host.move(1, 200_000), 'RANGE');
  assertNack(host.move(1, 100, 3700), 'RANGE');
  assertNack(host.move(1, 100, 0, { maxSpeedMmps: 0 }), 'RANGE');
  assertNack(
    host.replyTo(host.send({ type: 'ACK', ofType: 'MOVE', code: 0, wireId: 1 }, { reply: false })),
    'UNSUPPORTED',
  );
});

for (const [fault, code, head] of [
  ['an unknown type', 'UNKNOWN_TYPE', [0x10, 0x55, 200, 60]],
  ['an invalid length', 'BAD_LENGTH', [0x10, 0x13, 200, 60]],
  ['a different session ID', 'BAD_SESSION', [0x10, 0x55, 200, 59]],
] as const) {
  test(`rejects a frame with ${fault}, and returns its sequence number`, () => {
    const host = new Host().ready();
    const crc = crc16(Uint8Array.from(head));
    const stuffed = cobsEncode(Uint8Array.from([...head, crc & 0xff, crc >> 8]));
    host.controller.receive(Uint8Array.from([...stuffed, 0]));
    assertNack(host.replyTo(200), code);
  });
}

test.run();
