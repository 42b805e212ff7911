import assert from 'node:assert/strict';
import { test } from 'uvu';
import {
  CAPS,
  cobsEncode,
  crc16,
  FAULTS,
  type FrameBody,
  type FrameOf,
  type FrameType,
} from '../../../../../src/carts/serial/codec/codec.js';
import {
  buildHost,
  ControllerScript,
  checkSketch,
  type HostEvent,
  hasCompiler,
} from '../../../../firmware/host.js';
import { Random, wireOf } from './codec-samples.js';

const MOVE = {
  type: 'MOVE',
  wireId: 42,
  distanceMm: 1000,
  angleDdeg: -900,
  maxSpeedMmps: 300,
  ttlMs: 1500,
  maxDurationDs: 80,
} as const;
const JOG = { type: 'JOG', wireId: 50, speedMmps: 200, omegaDdegps: 0, leaseMs: 500 } as const;
const ARMED_ONCE = '0a 10 02 08 3c 01 f4 01 17 d4 00';
const HELLO = '03 11 01 0c 3c 01 01 f4 01 34 12 ed 5e b7 fd 00';
const ESTOP = '08 11 13 09 3c 01 34 f1 00';
const MOVE_42 = '06 11 10 07 3c 2a 01 01 03 e8 03 01 08 7c fc 2c 01 dc 05 50 03 2c a9 00';

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');

let program = '';
let dispose = () => {};
const start = () => new ControllerScript(program);
const ready = () => start().ready();

test.before(() => {
  ({ program, dispose } = buildHost());
});
test.after(() => dispose());

function framesOf<T extends FrameType>(hostEvents: HostEvent[], type: T): (FrameOf<T> & { atMs: number })[] {
  return hostEvents.flatMap((one) => (isFrame(one, type) ? [{ ...one.frame, atMs: one.atMs }] : []));
}

function isFrame<T extends FrameType>(one: HostEvent, type: T): one is HostEvent & { frame: FrameOf<T> } {
  return one.kind === 'frame' && one.frame.type === type;
}

const wires = (hostEvents: HostEvent[]) =>
  hostEvents.flatMap((one) => (one.kind === 'frame' ? [one.wire] : []));
const states = (hostEvents: HostEvent[]) =>
  framesOf(hostEvents, 'STATUS')
    .map(({ state }) => state)
    .filter((state, index, all) => state !== all[index - 1]);
const refusals = (hostEvents: HostEvent[]) => framesOf(hostEvents, 'NACK').map(({ code }) => code);

/** Returns the events in order, omitting those resent because they were not acknowledged. */
const events = (hostEvents: HostEvent[]) =>
  framesOf(hostEvents, 'EVENT')
    .filter(({ retry }) => !retry)
    .map(({ wireId, event, code }) => `${wireId} ${event} ${code}`);

function enabledAtEnd(hostEvents: HostEvent[]): boolean {
  const last = hostEvents.findLast((one) => one.kind === 'enable');
  return last?.kind === 'enable' && last.on;
}

const farthestDrive = (hostEvents: HostEvent[]) =>
  Math.max(0, ...hostEvents.map((one) => (one.kind === 'drive' ? Math.abs(one.speedMmps) : 0)));

test('the firmware compiles against the Arduino API', () => {
  assert.equal(checkSketch(), '');
});

test('the firmware computes the CRC check value', () => {
  const hostEvents = start().step('crc', Buffer.from('123456789').toString('hex')).run();
  assert.deepEqual(hostEvents, [{ atMs: 0, kind: 'crc', crc: '29b1' }]);
});

test('acknowledges the golden HELLO, HEARTBEAT and MOVE with the exact expected bytes', () => {
  const sent = wires(start().bytes(hex(HELLO)).bytes(hex(ARMED_ONCE)).bytes(hex(MOVE_42)).run());
  assert.equal(sent.at(-1), '061290073c10022a010103f6ce00');
});

test('rejects the golden MOVE with the exact expected bytes after an ESTOP', () => {
  const sent = wires(
    start()
      .bytes(hex(`${HELLO} ${ARMED_ONCE} ${ESTOP} ${MOVE_42}`))
      .run(),
  );
  assert.equal(sent.at(-1), '081291073c10052a010103820600');
});

test('replies to a HELLO with the controller data and echoes seq, session and nonce', () => {
  const [reply] = framesOf(start().bytes(hex(HELLO)).run(), 'HELLO_R');
  assert.deepEqual(reply, {
    atMs: 0,
    type: 'HELLO_R',
    seq: 0,
    session: 0x3c,
    ackReq: false,
    reply: true,
    retry: false,
    proto: 1,
    caps: CAPS.estopInput,
    firmware: { major: 1, minor: 2, patch: 3 },
    maxFrame: 54,
    maxSpeedMmps: 500,
    bootCount: 3,
    resetCause: 1,
    hostNonce: 0x5eed1234,
  });
});

test('replies to a HELLO that has an unsupported protocol version, but does not open a session', () => {
  const hostEvents = start()
    .send({ type: 'HELLO', protoMin: 2, protoMax: 3, heartbeatTimeoutMs: 500, hostNonce: 1 })
    .send(MOVE)
    .wait(500)
    .run();
  assert.equal(framesOf(hostEvents, 'HELLO_R').length, 1);
  assert.deepEqual(refusals(hostEvents), ['BAD_SESSION']);
  assert.deepEqual(states(hostEvents), ['BOOT']);
});

test("executes a MOVE by turning and then driving the distance, within the MOVE's speed limit", () => {
  const hostEvents = ready().send(MOVE).heartbeats(8000).run();
  assert.deepEqual(states(hostEvents), ['IDLE', 'RUNNING', 'IDLE']);
  assert.deepEqual(events(hostEvents), ['42 started 0', '42 finished 0']);
  const end = framesOf(hostEvents, 'EVENT').find(({ event }) => event === 'finished');
  assert.ok(
    end && Math.abs(end.finalMm - 1000) <= 2 && Math.abs(end.finalDdeg + 900) <= 2,
    JSON.stringify(end),
  );
  assert.equal(farthestDrive(hostEvents), 300);
});

test('ends a MOVE at the measured position when encoders are fitted', () => {
  const hostEvents = ready().step('wheels', 1).send(MOVE).heartbeats(8000).run();
  const end = framesOf(hostEvents, 'EVENT').find(({ event }) => event === 'finished');
  assert.ok(
    end && Math.abs(end.finalMm - 1000) <= 5 && Math.abs(end.finalDdeg + 900) <= 10,
    JSON.stringify(end),
  );
  const last = framesOf(hostEvents, 'STATUS').at(-1);
  assert.ok(last && last.odoLeftMm > 1000 && last.odoRightMm < 1000, JSON.stringify(last));
});

test('acknowledges a repeated wireId without starting a new motion', () => {
  const again = ready()
    .send(MOVE)
    .heartbeats(300)
    .send(MOVE, { retry: true })
    .heartbeats(8000)
    .send(MOVE)
    .heartbeats(500)
    .run();
  assert.deepEqual(
    framesOf(again, 'ACK').map(({ ofType, code, wireId }) => [ofType, code, wireId]),
    [
      ['MOVE', 0, 42],
      ['MOVE', 1, 42],
      ['MOVE', 1, 42],
    ],
  );
  assert.deepEqual(events(again), ['42 started 0', '42 finished 0']);
});

test('the firmware stores the last eight wireIds', () => {
  const script = ready();
  for (let wireId = 1; wireId <= 8; wireId++) {
    script.send({ ...MOVE, wireId, distanceMm: 10, angleDdeg: 0 }).heartbeats(1000);
  }
  const hostEvents = script.send({ ...MOVE, wireId: 1 }).run();
  assert.equal(framesOf(hostEvents, 'ACK').at(-1)?.code, 1);
  assert.equal(events(hostEvents).length, 16);
});

test('ramps down, disables the motors and reports LINK_LOST after 500 ms of silence during a motion', () => {
  const hostEvents = ready()
    .heartbeats(100)
    .send({ ...MOVE, angleDdeg: 0 })
    .wait(2500)
    .run();
  const lost = framesOf(hostEvents, 'STATUS').find(({ state }) => state === 'LINK_LOST');
  assert.ok(lost && lost.atMs > 700 && lost.atMs <= 720, JSON.stringify(lost));
  assert.deepEqual(events(hostEvents), ['42 started 0', '42 failed 6']);
  assert.equal(enabledAtEnd(hostEvents), false);
  const speeds = hostEvents.flatMap((one) =>
    one.kind === 'drive' && one.atMs >= lost.atMs ? [one.speedMmps] : [],
  );
  assert.ok(
    speeds.length > 10 && speeds.every((speed, index) => index === 0 || speed <= (speeds[index - 1] ?? 0)),
  );
  assert.equal(speeds.at(-1), 0);
});

test('recovers from LINK_LOST only after a new HELLO, and does not resume the motion', () => {
  const lost = ready().send(MOVE).wait(2500).heartbeats(500);
  const before = lost.run();
  assert.deepEqual([...new Set(refusals(before))], ['BAD_SESSION']);
  assert.equal(framesOf(before, 'STATUS').at(-1)?.session, 0);
  const after = lost.ready().heartbeats(500).run();
  assert.deepEqual(states(after), ['IDLE', 'RUNNING', 'LINK_LOST', 'IDLE']);
  assert.equal(enabledAtEnd(after), false);
  assert.equal(framesOf(after, 'STATUS').at(-1)?.faults, FAULTS.linkLost);
});

test('rejects frames from a different session without resetting the watchdog', () => {
  const script = ready().send({ ...MOVE, angleDdeg: 0 });
  for (let n = 0; n < 20; n++)
    script.send({ type: 'HEARTBEAT', armed: true, timeoutMs: 500 }, { session: 9 }).wait(50);
  const hostEvents = script.send({ ...MOVE, wireId: 43 }, { session: 9 }).run();
  assert.equal(states(hostEvents).at(-1), 'LINK_LOST');
  assert.deepEqual([...new Set(refusals(hostEvents))], ['BAD_SESSION']);
  assert.equal(framesOf(hostEvents, 'NACK').at(-1)?.session, 9);
});

test('ignores the echo of its own frames without resetting the watchdog', () => {
  const echo = ready()
    .send({ ...MOVE, angleDdeg: 0 })
    .wait(400)
    .run();
  const script = ready().send({ ...MOVE, angleDdeg: 0 });
  for (let n = 0; n < 10; n++) {
    script.wait(100);
    for (const wire of wires(echo)) script.bytes(hex(wire));
  }
  const hostEvents = script.run();
  assert.equal(states(hostEvents).at(-1), 'LINK_LOST');
  assert.deepEqual(refusals(hostEvents), []);
});

test('disables the motors on an ESTOP, and rejects motion until a reset with the latest nonce', () => {
  const latched = ready()
    .send(MOVE)
    .heartbeats(500)
    .send({ type: 'ESTOP', source: 1 })
    .heartbeats(100)
    .send({ ...MOVE, wireId: 43 });
  const before = latched.run();
  const off = before.findLast((one) => one.kind === 'enable');
  assert.deepEqual(off, { atMs: 600, kind: 'enable', on: false });
  assert.deepEqual(events(before), ['42 started 0', '42 failed 7']);
  assert.deepEqual(refusals(before), ['ESTOP_ACTIVE']);
  const nonce = framesOf(before, 'STATUS').at(-1)?.estopNonce ?? 0;
  assert.notEqual(nonce, 0);

  const after = latched
    .send({ type: 'ESTOP_RESET', nonce: nonce - 1 })
    .send({ type: 'ESTOP_RESET', nonce })
    .heartbeats(1000)
    .run();
  assert.deepEqual(refusals(after), ['ESTOP_ACTIVE', 'EXPIRED']);
  assert.deepEqual(states(after), ['IDLE', 'RUNNING', 'ESTOP', 'IDLE']);
  assert.equal(enabledAtEnd(after), false);
  assert.equal(framesOf(after, 'STATUS').at(-1)?.estopNonce, 0);
  assert.deepEqual(
    events(
      latched
        .send({ ...MOVE, wireId: 44 })
        .heartbeats(100)
        .run(),
    ).at(-1),
    '44 started 0',
  );
});

test('accepts an ESTOP from any session, and rejects a reset that refers to an earlier ESTOP', () => {
  const script = ready().send({ type: 'ESTOP', source: 1 }, { session: 9 }).heartbeats(100);
  const nonce = framesOf(script.run(), 'STATUS').at(-1)?.estopNonce ?? 0;
  script.send({ type: 'ESTOP', source: 1 }).send({ type: 'ESTOP_RESET', nonce }).heartbeats(100);
  const hostEvents = script.run();
  assert.deepEqual(refusals(hostEvents), ['EXPIRED']);
  assert.equal(states(hostEvents).at(-1), 'ESTOP');
});

test('latches the E-stop when its button is pressed for 1 ms, and rejects a reset while the button is pressed', () => {
  const pressed = ready().send(MOVE).heartbeats(300).step('estop', 0).wait(1);
  const hostEvents = pressed.run();
  assert.deepEqual(
    hostEvents.findLast((one) => one.kind === 'enable'),
    { atMs: 401, kind: 'enable', on: false },
  );
  const nonce = framesOf(pressed.heartbeats(100).run(), 'STATUS').at(-1)?.estopNonce ?? 0;
  pressed.send({ type: 'ESTOP_RESET', nonce });
  assert.deepEqual(refusals(pressed.run()), ['ESTOP_ACTIVE']);
  assert.equal(states(pressed.step('estop', 1).heartbeats(1000).run()).at(-1), 'ESTOP');
  assert.equal(states(pressed.send({ type: 'ESTOP_RESET', nonce }).heartbeats(100).run()).at(-1), 'IDLE');
});

test('clears the latch only if the reset button is pressed after the E-stop input has closed again', () => {
  const latched = ready().send(MOVE).heartbeats(300).step('estop', 0).wait(1).heartbeats(100);
  assert.equal(states(latched.step('reset', 1).heartbeats(100).run()).at(-1), 'ESTOP');
  // The reset button is still pressed when the E-stop input closes, which does not count as a new press.
  assert.equal(states(latched.step('estop', 1).heartbeats(600).run()).at(-1), 'ESTOP');
  assert.equal(states(latched.step('reset', 0).heartbeats(600).run()).at(-1), 'ESTOP');
  const hostEvents = latched.step('reset', 1).heartbeats(600).step('reset', 0).heartbeats(600).run();
  assert.equal(states(hostEvents).at(-1), 'IDLE');
  assert.equal(hostEvents.findLast((one) => one.kind === 'enable')?.on, false);
});

test('rejects a MOVE during a motion as BUSY, and accepts it after a STOP cancels the motion', () => {
  const script = ready()
    .send(MOVE)
    .heartbeats(500)
    .send({ ...MOVE, wireId: 43 })
    .send({ type: 'STOP', category: 2, wireId: 0 });
  script
    .wait(10)
    .send({ ...MOVE, wireId: 43 })
    .heartbeats(1000)
    .send({ ...MOVE, wireId: 43 })
    .heartbeats(100);
  const hostEvents = script.run();
  assert.deepEqual(refusals(hostEvents), ['BUSY', 'BUSY']);
  assert.deepEqual(states(hostEvents), ['IDLE', 'RUNNING', 'STOPPING', 'IDLE', 'RUNNING']);
  assert.deepEqual(events(hostEvents), ['42 started 0', '42 cancelled 1', '43 started 0']);
});

test('treats a repeated ESTOP as the same E-stop', () => {
  const script = ready().send({ type: 'ESTOP', source: 1 }).heartbeats(100);
  const nonce = framesOf(script.run(), 'STATUS').at(-1)?.estopNonce ?? 0;
  script
    .send({ type: 'ESTOP', source: 1 }, { retry: true })
    .send({ type: 'ESTOP_RESET', nonce })
    .heartbeats(100);
  assert.equal(states(script.run()).at(-1), 'IDLE');
});

test('accepts a STOP from a different session', () => {
  const stop = { type: 'STOP', category: 2, wireId: 0 } as const;
  const hostEvents = ready().send(MOVE).heartbeats(300).send(stop, { session: 9 }).heartbeats(1000).run();
  assert.deepEqual(events(hostEvents), ['42 started 0', '42 cancelled 1']);
});

test('ramps down and finishes when a JOG has zero speed and zero turn rate', () => {
  const hostEvents = ready()
    .send(JOG)
    .heartbeats(300)
    .send({ ...JOG, speedMmps: 0 })
    .heartbeats(500)
    .run();
  assert.deepEqual(events(hostEvents), ['50 started 0', '50 finished 0']);
});

test('limits the duration of a MOVE that does not specify a maximum duration', () => {
  const move = { ...MOVE, angleDdeg: 0, distanceMm: 300, maxDurationDs: 0 };
  assert.equal(events(ready().send(move).heartbeats(3000).run()).at(-1), '42 finished 0');
  const jammed = ready().step('wheels', 1).step('jam', 1).send(move).heartbeats(5000).run();
  assert.deepEqual(events(jammed), ['42 started 0', '42 failed 5']);
});

test('ignores a STOP for a different wireId', () => {
  const hostEvents = ready()
    .send(MOVE)
    .heartbeats(300)
    .send({ type: 'STOP', category: 2, wireId: 41 })
    .heartbeats(300)
    .run();
  assert.equal(states(hostEvents).at(-1), 'RUNNING');
  assert.equal(framesOf(hostEvents, 'ACK').at(-1)?.code, 1);
});

test('disables the motors immediately for stop category 0, after the ramp for 1, and never for 2', () => {
  const stop = (category: 0 | 1 | 2) =>
    ready()
      .send({ ...MOVE, angleDdeg: 0 })
      .heartbeats(1000)
      .send({ type: 'STOP', category, wireId: 42 })
      .heartbeats(1000)
      .run();
  const offAt = (hostEvents: HostEvent[]) =>
    hostEvents.findLast((one) => one.kind === 'enable' && !one.on)?.atMs;
  assert.equal(offAt(stop(0)), 1100);
  const ramped = offAt(stop(1)) ?? 0;
  assert.ok(ramped > 1600 && ramped < 1800, `${ramped}`);
  assert.equal(enabledAtEnd(stop(2)), true);
  for (const category of [0, 1, 2] as const) assert.equal(events(stop(category)).at(-1), '42 cancelled 1');
});

test('drives a JOG at the most recently requested speed and ramps down when its lease expires', () => {
  const script = ready()
    .send(JOG)
    .heartbeats(300)
    .send({ ...JOG, speedMmps: -100 })
    .heartbeats(2000);
  const hostEvents = script.run();
  assert.deepEqual(events(hostEvents), ['50 started 0', '50 cancelled 3']);
  const lease = framesOf(hostEvents, 'STATUS').find(({ state }) => state === 'STOPPING');
  assert.ok(lease && lease.atMs >= 900 && lease.atMs <= 920, JSON.stringify(lease));
  assert.ok(hostEvents.some((one) => one.kind === 'drive' && one.speedMmps === -100));
  assert.deepEqual(refusals(script.send(JOG).run()), ['EXPIRED']);
});

test('rejects a JOG during a MOVE and vice versa as BUSY, but replaces a JOG with a new JOG', () => {
  assert.deepEqual(refusals(ready().send(MOVE).heartbeats(100).send(JOG).run()), ['BUSY']);
  const hostEvents = ready()
    .send(JOG)
    .heartbeats(100)
    .send(MOVE)
    .send({ ...JOG, wireId: 51, leaseMs: 900 })
    .heartbeats(500)
    .run();
  assert.deepEqual(refusals(hostEvents), ['BUSY']);
  assert.deepEqual(events(hostEvents).sort(), ['50 cancelled 4', '50 started 0', '51 started 0']);
});

test('stops, disables the motors and rejects the next motion after a heartbeat with armed = 0', () => {
  const hostEvents = ready()
    .send(MOVE)
    .heartbeats(500)
    .heartbeats(1000, false)
    .send({ ...MOVE, wireId: 43 })
    .run();
  assert.deepEqual(events(hostEvents), ['42 started 0', '42 cancelled 2']);
  assert.equal(enabledAtEnd(hostEvents), false);
  assert.deepEqual(refusals(hostEvents), ['DISARMED']);
});

test('a LIMITS frame lowers the maximum speed but never raises it', () => {
  const limits = {
    type: 'LIMITS',
    maxSpeedMmps: 100,
    accelMmps2: 400,
    decelMmps2: 500,
    omegaMaxDdegps: 900,
  } as const;
  const move = { ...MOVE, angleDdeg: 0, maxSpeedMmps: 5000 };
  assert.equal(farthestDrive(ready().send(limits).send(move).heartbeats(2000).run()), 100);
  assert.equal(
    farthestDrive(
      ready()
        .send({ ...limits, maxSpeedMmps: 9000 })
        .send(move)
        .heartbeats(2000)
        .run(),
    ),
    500,
  );
  assert.deepEqual(
    refusals(
      ready()
        .send({ ...limits, decelMmps2: 0 })
        .run(),
    ),
    ['RANGE'],
  );
});

test('rejects frames with unsupported values and reports the reason', () => {
  const cases: [FrameBody, string][] = [
    [{ ...MOVE, wireId: 0 }, 'RANGE'],
    [{ ...MOVE, distanceMm: 100_001 }, 'RANGE'],
    [{ ...MOVE, angleDdeg: -3601 }, 'RANGE'],
    [{ ...MOVE, maxSpeedMmps: 0 }, 'RANGE'],
    [{ ...MOVE, ttlMs: 0 }, 'EXPIRED'],
    [{ ...JOG, leaseMs: 0 }, 'RANGE'],
  ];
  for (const [body, code] of cases)
    assert.deepEqual(refusals(ready().send(body).run()), [code], JSON.stringify(body));
});

test('stops and fails a motion that exceeds its maximum duration', () => {
  const hostEvents = ready()
    .send({ ...MOVE, maxDurationDs: 10 })
    .heartbeats(3000)
    .run();
  assert.deepEqual(events(hostEvents), ['42 started 0', '42 failed 5']);
});

test('ends the motion on a blocking fault, and rejects motion until a STOP acknowledges the fault', () => {
  const script = ready()
    .send(MOVE)
    .heartbeats(300)
    .step('faults', FAULTS.stall)
    .heartbeats(1000)
    .step('faults', 0)
    .heartbeats(100);
  script.send({ ...MOVE, wireId: 43 });
  const before = script.run();
  assert.deepEqual(events(before), ['42 started 0', '0 fault 6', '42 failed 8']);
  assert.deepEqual([refusals(before), states(before).at(-1)], [['FAULT'], 'FAULT']);
  assert.equal(
    states(script.send({ type: 'STOP', category: 2, wireId: 0 }).heartbeats(100).run()).at(-1),
    'IDLE',
  );
});

test('repeats an event until it is acknowledged, with at most three transmissions', () => {
  const script = ready().send({ ...MOVE, distanceMm: 3000 });
  const repeated = framesOf(script.heartbeats(1000).run(), 'EVENT');
  assert.deepEqual(
    repeated.map(({ retry }) => retry),
    [false, true, true],
  );
  assert.equal(new Set(repeated.map(({ seq }) => seq)).size, 1);
  const acknowledged = ready()
    .send({ ...MOVE, distanceMm: 3000 })
    .wait(20);
  const seq = framesOf(acknowledged.run(), 'EVENT')[0]?.seq ?? -1;
  acknowledged
    .send({ type: 'ACK', ofType: 'EVENT', code: 0, wireId: 42 }, { seq, reply: true, ackReq: false })
    .heartbeats(500);
  assert.equal(framesOf(acknowledged.run(), 'EVENT').length, 1);
});

test("a new HELLO stops the previous session's motion and clears its wireIds", () => {
  const script = ready().send(MOVE).heartbeats(500);
  script.send(
    { type: 'HELLO', protoMin: 1, protoMax: 1, heartbeatTimeoutMs: 500, hostNonce: 8 },
    { session: 9 },
  );
  for (let n = 0; n < 20; n++)
    script.wait(100).send({ type: 'HEARTBEAT', armed: true, timeoutMs: 500 }, { session: 9 });
  const stopped = script.run();
  assert.deepEqual(states(stopped), ['IDLE', 'RUNNING', 'STOPPING', 'IDLE']);
  assert.deepEqual(events(stopped), ['42 started 0']);
  assert.equal(events(script.send(MOVE, { session: 9 }).wait(100).run()).length, 2);
});

test('a repeated HELLO does not interrupt the motion', () => {
  const hello = { type: 'HELLO', protoMin: 1, protoMax: 1, heartbeatTimeoutMs: 500, hostNonce: 7 } as const;
  const hostEvents = ready().send(MOVE).heartbeats(300).send(hello).heartbeats(300).run();
  assert.equal(framesOf(hostEvents, 'HELLO_R').length, 2);
  assert.equal(states(hostEvents).at(-1), 'RUNNING');
});

test('rejects frames with an unknown type or wrong length, and ignores noise', () => {
  const hostEvents = ready()
    .bytes(wireOf(hex('11 77 21 3c 01')))
    .bytes(wireOf(hex('11 13 22 3c 01 02')))
    .run();
  assert.deepEqual(
    framesOf(hostEvents, 'NACK').map(({ seq, ofType, code }) => [seq, ofType, code]),
    [
      [0x21, 'UNKNOWN', 'UNKNOWN_TYPE'],
      [0x22, 'ESTOP', 'BAD_LENGTH'],
    ],
  );
  const noisy = start().step('noise', 1_000_000).bytes(hex('00')).ready().run();
  assert.equal(framesOf(noisy, 'HELLO_R').length, 1);
  assert.deepEqual(refusals(noisy), []);
  assert.equal(framesOf(noisy, 'STATUS').at(-1)?.faults, FAULTS.crcBurst);
});

test('keeps running after 10,000 frames with random content and a valid CRC', () => {
  const random = new Random(8);
  const script = ready();
  const types = [0x01, 0x02, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x81, 0x82, 0x83, 0x90, 0x91, 0x33] as const;
  const sizes = [8, 3, 16, 10, 5, 1, 2, 8, 16, 37, 12, 6, 6, 4];
  for (let n = 0; n < 10_000; n++) {
    const type = random.int(0, types.length - 1);
    const length = random.int(0, 9) === 0 ? random.int(0, 48) : (sizes[type] ?? 0);
    const session = random.int(0, 9) === 0 ? random.int(0, 255) : 0x3c;
    const head = [0x10 | random.int(0, 15), types[type] ?? 0, random.int(0, 255), session];
    const bytes = Buffer.concat([Buffer.from(head), random.bytes(length)]);
    const crc = crc16(bytes);
    script.bytes(
      Buffer.concat([cobsEncode(Buffer.concat([bytes, Buffer.of(crc & 0xff, crc >> 8)])), Buffer.of(0)]),
    );
    if (n % 5 === 0) script.wait(random.int(1, 60));
  }
  const frames = script.run().filter((one) => one.kind === 'frame');
  assert.ok(frames.length > 2000, `${frames.length}`);
});

if (hasCompiler()) test.run();
else process.stdout.write('SKIPPED test/unit/carts/serial/codec/firmware.test.ts: g++ is not installed\n');
