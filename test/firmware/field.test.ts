import assert from 'node:assert/strict';
import { test } from 'uvu';
import { CAPS, FAULTS, type FrameOf, type FrameType } from '../../src/carts/serial/codec/codec.js';
import { END_CODES } from '../../src/carts/serial/codec/event-reasons.js';
import { wireOf } from '../unit/carts/serial/codec/codec-samples.js';
import { MOVE } from './bench-script.js';
import { buildHost, ControllerScript, type HostEvent, hasCompiler, rawFrame } from './host.js';

const JOG = { type: 'JOG', wireId: 50, speedMmps: 200, omegaDdegps: 0, leaseMs: 1000 } as const;
const BACK = { ...MOVE, distanceMm: -50_000 };
const TURN = { ...MOVE, angleDdeg: 1800 };
/** The margin and the deceleration in the controller's configuration. */
const MARGIN_MM = 100;
const DECEL_MMPS2 = 500;
const FORWARD = 1;
const SILENT = 4;
const TURNING = 8;

let program = '';
let dispose = () => {};
test.before(() => {
  ({ program, dispose } = buildHost());
});
test.after(() => dispose());

const script = (field = true) => new ControllerScript(program, { field }).ready();
const field = (marginMm: number, reactionMs: number, flags = 1) =>
  wireOf([0x11, 0x16, 0x21, 0x3c, marginMm & 0xff, marginMm >> 8, reactionMs & 0xff, reactionMs >> 8, flags]);

function framesOf<T extends FrameType>(events: HostEvent[], type: T): (FrameOf<T> & { atMs: number })[] {
  return events.flatMap((one) => {
    if (one.kind !== 'frame' || one.frame.type !== type) return [];
    return [{ ...(one.frame as FrameOf<T>), atMs: one.atMs }];
  });
}

const rawFrames = (events: HostEvent[]) =>
  events.flatMap((one) => ('wire' in one ? [{ atMs: one.atMs, raw: Buffer.from(rawFrame(one.wire)) }] : []));
const NACK_CODES: Readonly<Record<number, string>> = { 6: 'FAULT', 8: 'RANGE', 10: 'UNSUPPORTED' };
const refusals = (events: HostEvent[]) =>
  rawFrames(events).flatMap(({ raw }) => (raw[1] === 0x91 ? [NACK_CODES[raw[5] ?? 0]] : []));
const endings = (events: HostEvent[]) =>
  framesOf(events, 'EVENT').flatMap(({ event, code, retry, wireId, atMs }) =>
    wireId !== 0 && event !== 'started' && !retry ? [{ event, code, atMs }] : [],
  );
const lastStatus = (events: HostEvent[]) => framesOf(events, 'STATUS').at(-1);
const lastEnable = (events: HostEvent[]) =>
  events.flatMap((one) => (one.kind === 'enable' ? [{ on: one.on, atMs: one.atMs }] : [])).at(-1);

interface Ranges {
  atMs: number;
  bumpers: number;
  blocked: number;
  sensors: { sensor: number; rangeMm: number; ageCs: number; valid: boolean }[];
}

function rangesOf(events: HostEvent[]): Ranges[] {
  return rawFrames(events).flatMap(({ atMs, raw }) => {
    if (raw[1] !== 0x86) return [];
    const [bumpers = 0, blocked = 0, count = 0] = raw.subarray(4);
    const sensors = Array.from({ length: count }, (_, n) => {
      const at = 7 + 5 * n;
      return {
        sensor: raw.readUInt8(at),
        rangeMm: raw.readUInt16LE(at + 1),
        ageCs: raw.readUInt8(at + 3),
        valid: raw.readUInt8(at + 4) === 1,
      };
    });
    assert.equal(raw.length, 7 + 5 * count);
    return [{ atMs, bumpers, blocked, sensors }];
  });
}

/** Returns the braking distance from the speed `mmps`, in mm. */
const rampMm = (mmps: number) => mmps ** 2 / (2 * DECEL_MMPS2);

test('a controller without sensors rejects FIELD and SENSORS, and never sends RANGES', () => {
  const events = script(false)
    .bytes(field(100, 100))
    .bytes(wireOf([0x11, 0x04, 0x22, 0x3c]))
    .send(MOVE)
    .heartbeats(1000)
    .run();
  assert.deepEqual(refusals(events), ['UNSUPPORTED', 'UNSUPPORTED']);
  assert.deepEqual(rangesOf(events), []);
});

test('reports the protective-field capability and describes the sensors', () => {
  const events = script()
    .bytes(wireOf([0x11, 0x04, 0x22, 0x3c]))
    .run();
  assert.equal(framesOf(events, 'HELLO_R')[0]?.caps, CAPS.estopInput | CAPS.protectiveField);
  const reply = rawFrames(events).find(({ raw }) => raw[1] === 0x87);
  assert.deepEqual(
    [...(reply?.raw ?? [])],
    [0x12, 0x87, 0x22, 0x3c, 2, 0, 0, 30, 250, 0, 0x08, 0x07, 27, 130, 0],
  );
});

test('sends RANGES frames only after a FIELD frame: every 500 ms, every 100 ms in motion, and on every change', () => {
  assert.deepEqual(rangesOf(script().send(MOVE).heartbeats(1000).run()), []);
  const still = rangesOf(script().bytes(field(100, 100)).heartbeats(2000).run());
  assert.ok(still.length >= 4 && still.length <= 6, `${still.length}`);
  const moving = rangesOf(script().bytes(field(100, 100)).send(MOVE).heartbeats(2000).run());
  assert.ok(moving.length >= 19 && moving.length <= 23, `${moving.length}`);
  const bumped = script().bytes(field(100, 100)).heartbeats(700).step('bump', 2).heartbeats(200).run();
  const report = rangesOf(bumped).find(({ bumpers }) => bumpers === 2);
  assert.ok(report && report.atMs >= 800 && report.atMs <= 810, JSON.stringify(report));
  assert.equal(report.blocked, FORWARD | TURNING);
});

/** Length of each frame of CGW1 1.0 that a controller sends, without the CRC. */
const VERSION_1_0: Readonly<Record<number, number>> = { 129: 20, 130: 41, 131: 16, 144: 10, 145: 10 };

test('sends only CGW1 1.0 frames to a CGW1 1.0 host, even if an obstacle or a bumper stops the cart', () => {
  const events = script()
    .send({ type: 'LIMITS', maxSpeedMmps: 300, accelMmps2: 500, decelMmps2: 500, omegaMaxDdegps: 900 })
    .send(MOVE)
    .heartbeats(1500)
    .step('range', '0:150')
    .heartbeats(1500)
    .send({ ...BACK, wireId: 101 })
    .heartbeats(500)
    .step('bump', 4)
    .heartbeats(500)
    .step('range', '1:silent')
    .heartbeats(1000)
    .send({ type: 'ESTOP', source: 1 })
    .heartbeats(200)
    .run();
  const frames = rawFrames(events).map(({ raw }) => [raw[1] ?? 0, raw.length]);
  assert.deepEqual(
    frames.filter(([type = 0, length]) => VERSION_1_0[type] !== length),
    [],
  );
  assert.deepEqual(
    endings(events).map(({ code }) => code),
    [END_CODES.obstacle, END_CODES.obstacle],
  );
});

test('reports the distance of every sensor, with its age and validity', () => {
  const events = script()
    .bytes(field(100, 100))
    .step('range', '0:1234')
    .heartbeats(1000)
    .step('range', '1:silent')
    .heartbeats(1000)
    .run();
  const report = rangesOf(events).at(-1);
  assert.ok(report?.sensors[0] && report.sensors[0].ageCs <= 4, JSON.stringify(report));
  assert.deepEqual(report.sensors[0], {
    sensor: 0,
    rangeMm: 1234,
    ageCs: report.sensors[0].ageCs,
    valid: true,
  });
  assert.equal(report.sensors[1]?.valid, false);
  assert.ok((report.sensors[1]?.ageCs ?? 0) >= 40);
  assert.equal(report.blocked, SILENT);
});

test('a new session ends the RANGES reports and restores the configured field', () => {
  const events = script()
    .bytes(field(900, 100))
    .step('range', '0:800')
    .heartbeats(600)
    .send({ type: 'HELLO', protoMin: 1, protoMax: 1, heartbeatTimeoutMs: 500, hostNonce: 9 })
    .heartbeats(1000)
    .send(MOVE)
    .heartbeats(100)
    .run();
  assert.ok(rangesOf(events).every(({ atMs }) => atMs <= 700));
  assert.ok(rangesOf(events).some(({ blocked }) => blocked === (FORWARD | TURNING)));
  assert.deepEqual(refusals(events), []);
});

for (const mmps of [100, 300, 500]) {
  test(`ramps down from ${mmps} mm/s and stops before an obstacle that appears at the stop distance`, () => {
    const stopMm = Math.floor(0.1 * mmps + rampMm(mmps) + MARGIN_MM);
    const drive = (rangeMm: number) =>
      script()
        .send({ ...MOVE, maxSpeedMmps: mmps })
        .heartbeats(2000)
        .step('range', `0:${rangeMm}`)
        .heartbeats(2000)
        .run();
    assert.deepEqual(endings(drive(stopMm + 50)), []);
    const events = drive(stopMm - 1);
    const end = endings(events);
    assert.deepEqual(
      end.map(({ event, code }) => `${event} ${code}`),
      [`failed ${END_CODES.obstacle}`],
    );
    const status = lastStatus(events);
    assert.equal(status?.state, 'IDLE');
    assert.ok(framesOf(events, 'STATUS').some(({ faults }) => faults === FAULTS.obstacle));
    assert.equal(lastEnable(events)?.on, false);
    const drove = (status.progressMm ?? 0) - (framesOf(events, 'STATUS').find(atStop)?.progressMm ?? 0);
    assert.ok(drove < stopMm - MARGIN_MM + 0.1 * mmps, `${drove} mm`);
  });
}

/** Matches STATUS frames from 2 s on; the first match is the last one before the obstacle appears. */
const atStop = ({ atMs }: { atMs: number }) => atMs >= 2000;

test('ignores obstacles behind a cart that drives forward and ahead of a cart that drives backward', () => {
  for (const [move, sensor] of [
    [MOVE, 1],
    [BACK, 0],
  ] as const) {
    const events = script().step('range', `${sensor}:20`).heartbeats(500).send(move).heartbeats(2000).run();
    assert.deepEqual([refusals(events), endings(events)], [[], []]);
  }
});

test('rejects a motion in a blocked direction, and accepts a motion away from the obstacle', () => {
  const near = () => script().step('range', '0:80').heartbeats(500);
  assert.deepEqual(refusals(near().send(MOVE).run()), ['FAULT']);
  assert.deepEqual(refusals(near().send(JOG).run()), ['FAULT']);
  assert.deepEqual(refusals(near().send(TURN).run()), ['FAULT']);
  assert.deepEqual(refusals(near().send(BACK).heartbeats(100).run()), []);
  const away = near()
    .send({ ...JOG, speedMmps: -200 })
    .heartbeats(500);
  assert.deepEqual(refusals(away.run()), []);
  const reversed = away.send({ ...JOG, speedMmps: 200 }).heartbeats(100);
  assert.deepEqual(refusals(reversed.run()), ['FAULT']);
});

test('a rejected motion sets the obstacle fault, which clears when the direction is free', () => {
  const near = script().step('range', '0:80').heartbeats(500).send(MOVE).heartbeats(600);
  assert.equal(lastStatus(near.run())?.faults, FAULTS.obstacle);
  const free = near
    .step('range', '0:250')
    .heartbeats(600)
    .send({ ...MOVE, wireId: 101 })
    .heartbeats(100);
  const events = free.run();
  assert.equal(lastStatus(events)?.faults, 0);
  assert.equal(refusals(events).length, 1);
});

test('releases a blocked direction only 100 mm beyond the stop distance', () => {
  const at = (rangeMm: number) =>
    refusals(
      script()
        .step('range', '0:80')
        .heartbeats(300)
        .step('range', `0:${rangeMm}`)
        .heartbeats(300)
        .send(MOVE)
        .run(),
    );
  assert.deepEqual([at(190), at(210)], [['FAULT'], []]);
});

test('an obstacle at any sensor stops a turn in place, and an obstacle ahead stops the drive after a turn', () => {
  const turning = script().send(TURN).heartbeats(500).step('range', '1:100').heartbeats(1500).run();
  assert.equal(endings(turning)[0]?.code, END_CODES.obstacle);
  const move = { ...MOVE, angleDdeg: 300 };
  const blocked = script().step('range', '0:120').heartbeats(200);
  // 120 mm exceeds the margin, but not the stop distance at any sustained speed.
  const events = blocked
    .send({ ...move, maxSpeedMmps: 200 })
    .heartbeats(4000)
    .run();
  assert.equal(endings(events)[0]?.code, END_CODES.obstacle);
});

test('switches motor enable off immediately when a bumper is pressed, in every direction of travel', () => {
  for (const move of [MOVE, BACK, TURN]) {
    for (const bumper of [1, 2, 4, 8]) {
      const events = script().send(move).heartbeats(1000).step('bump', bumper).wait(1).run();
      assert.deepEqual(lastEnable(events), { on: false, atMs: 1101 });
      assert.equal(
        lastStatus(script().send(move).heartbeats(1000).step('bump', bumper).heartbeats(200).run())?.faults,
        FAULTS.obstacle,
      );
    }
  }
});

test('a pressed bumper blocks turning and driving forward (front bumper) or backward (rear bumper)', () => {
  for (const [bumper, expected] of [
    [1, ['FAULT', 'FAULT']],
    [2, ['FAULT', 'FAULT']],
    [4, ['FAULT', 'FAULT']],
    [8, ['FAULT', 'FAULT']],
  ] as const) {
    const bumped = () => script().step('bump', bumper).heartbeats(100);
    const front = bumper <= 2;
    assert.deepEqual(
      refusals(
        bumped()
          .send(front ? MOVE : BACK)
          .send({ ...TURN, wireId: 101 })
          .run(),
      ),
      expected,
    );
    const away = bumped()
      .send(front ? BACK : MOVE)
      .heartbeats(500);
    assert.deepEqual([refusals(away.run()), endings(away.run())], [[], []]);
  }
});

test('a bumper that bounces while the cart drives away does not stop the cart', () => {
  const events = script().step('bump', 1).heartbeats(100).send(BACK).heartbeats(300);
  for (let n = 0; n < 5; n++) events.step('bump', 0).wait(3).step('bump', 1).wait(2);
  assert.deepEqual(endings(events.step('bump', 0).heartbeats(500).run()), []);
  const again = events.step('bump', 1).heartbeats(100).run();
  assert.equal(endings(again)[0]?.code, END_CODES.obstacle);
});

test('the cart stops within 250 ms when a sensor stops responding, and moves again only after the sensor responds', () => {
  const silent = script().send(MOVE).heartbeats(1000).step('range', '1:silent').heartbeats(1500);
  const events = silent.run();
  const [end] = endings(events);
  assert.deepEqual([end?.event, end?.code], ['failed', END_CODES.sensorSilent]);
  const first = events.find((one) => one.kind === 'drive' && one.atMs > 1100 && one.speedMmps < 300);
  assert.ok(first && first.atMs <= 1100 + 250, JSON.stringify(first));
  const status = lastStatus(events);
  assert.deepEqual([status?.state, status?.faults], ['FAULT', FAULTS.sensorSilent]);
  const rejected = silent.send({ ...MOVE, wireId: 101 });
  assert.deepEqual(refusals(rejected.run()), ['FAULT']);
  const resumed = rejected
    .step('range', '1:9000')
    .heartbeats(200)
    .send({ ...MOVE, wireId: 102 })
    .heartbeats(600);
  assert.deepEqual([refusals(resumed.run()), lastStatus(resumed.run())?.state], [['FAULT'], 'RUNNING']);
});

test('the cart stops within 250 ms when a sensor stops responding, even if the main loop is slow', () => {
  const drive = script()
    .step('loop', 19)
    .send(MOVE)
    .heartbeats(1000)
    .step('range', '1:silent')
    .heartbeats(1000);
  const events = drive.run();
  const first = events.find((one) => one.kind === 'drive' && one.atMs > 1100 && one.speedMmps < 300);
  assert.ok(first && first.atMs <= 1100 + 250, JSON.stringify(first));
});

test('a FIELD frame can make the protective field stricter, but never less strict', () => {
  const blocked = (marginMm: number, reactionMs: number, rangeMm: number) => {
    const near = script().bytes(field(marginMm, reactionMs)).step('range', `0:${rangeMm}`).heartbeats(300);
    return refusals(near.send(MOVE).run()).length === 1;
  };
  assert.deepEqual([blocked(400, 100, 390), blocked(400, 100, 410)], [true, false]);
  assert.deepEqual([blocked(10, 10, 90), blocked(10, 10, 110)], [true, false]);
  const reaction = (reactionMs: number) =>
    endings(
      script()
        .bytes(field(100, reactionMs))
        .send(MOVE)
        .heartbeats(1500)
        .step('range', '0:400')
        .heartbeats(300)
        .run(),
    );
  assert.deepEqual([reaction(100).length, reaction(900).length], [0, 0]);
  const stopping = (reactionMs: number) =>
    lastStatus(
      script()
        .bytes(field(100, reactionMs))
        .send(MOVE)
        .heartbeats(1500)
        .step('range', '0:400')
        .heartbeats(200)
        .run(),
    )?.state;
  assert.deepEqual([stopping(100), stopping(900)], ['RUNNING', 'STOPPING']);
});

test('rejects a FIELD frame that switches the field off or contains unknown flags', () => {
  assert.deepEqual(
    refusals(
      script()
        .bytes(field(100, 100, 0))
        .run(),
    ),
    ['UNSUPPORTED'],
  );
  assert.deepEqual(
    refusals(
      script()
        .bytes(field(100, 100, 3))
        .run(),
    ),
    ['RANGE'],
  );
});

if (hasCompiler()) test.run();
else process.stdout.write('SKIPPED test/firmware/field.test.ts: g++ is not installed\n');
