import assert from 'node:assert/strict';
import { test } from 'uvu';
import {
  Deframer,
  encodeFrame,
  type Frame,
  type FrameBody,
} from '../../../../src/carts/serial/codec/codec.js';
import type { DriverDeps } from '../../../../src/carts/serial/driver.js';
import { createDriver } from '../../../../src/carts/serial/drivers/create-driver.js';
import { defaultSettings } from '../../../../src/settings/schema/schema.js';
import { GatewayError } from '../../../../src/shared/errors.js';
import type { ByteLink } from '../../../../src/shared/ports/serial.js';
import { Signal } from '../../../../src/shared/signal.js';
import { quietLog, settle } from '../../../helpers/cart-harness.js';
import { FakeClock } from '../../../helpers/fake-clock.js';

/** Returns a driver for which the test acts as the controller. */
function setUp(change: (deps: DriverDeps) => void = () => undefined) {
  const clock = new FakeClock();
  const bytes = new Signal<[Uint8Array]>();
  const sent: Frame[] = [];
  const text: string[] = [];
  const line = { isStuck: false };
  const deframer = new Deframer((frame) => sent.push(frame));
  const link: ByteLink = {
    write(piece) {
      if (line.isStuck) throw new GatewayError('SERIAL_DOWN', 'the serial line is blocked');
      deframer.push(piece);
      text.push(Buffer.from(piece).toString());
    },
    onBytes: bytes.on.bind(bytes),
    onClose: () => () => undefined,
    close: async () => undefined,
  };
  const { serial, limits, kinematics, safety, protectiveField } = structuredClone(defaultSettings());
  const settings = { serial, limits, kinematics, safety, protectiveField };
  const deps: DriverDeps = { link, ...settings, cartId: 1, clock, log: quietLog };
  change(deps);
  const driver = createDriver(deps);
  const last = (): Frame => sent.at(-1) ?? assert.fail('nothing was sent');
  const receive = (frame: Frame): void => bytes.emit(encodeFrame(frame));
  const answer = (body: FrameBody, head: Partial<Frame> = {}): void => {
    const { seq, session } = last();
    const base = { seq, session, ackReq: false, reply: true, retry: false };
    receive({ ...base, ...head, ...body } as Frame);
  };
  /** Opens the session of a controller that sends a frame, as every CGW1 controller does while it runs. */
  const open = (): ReturnType<typeof driver.open> => {
    const opened = driver.open();
    const event = { wireId: 0, event: 'fault', code: 9, finalMm: 0, finalDdeg: 0 } as const;
    receive({ seq: 0, session: 0, ackReq: false, reply: false, retry: false, type: 'EVENT', ...event });
    return opened;
  };
  const handshake = async (): Promise<void> => {
    const opened = open();
    const hello = last();
    assert.equal(hello.type, 'HELLO');
    const hostNonce = hello.type === 'HELLO' ? hello.hostNonce : 0;
    const firmware = { major: 1, minor: 2, patch: 3 };
    const rest = {
      proto: 1,
      caps: 0,
      firmware,
      maxFrame: 54,
      maxSpeedMmps: 1000,
      bootCount: 1,
      resetCause: 1,
    };
    answer({ type: 'HELLO_R', ...rest, hostNonce });
    await settle();
    answer({ type: 'ACK', ofType: 'LIMITS', code: 0, wireId: 0 });
    await opened;
  };
  const move = () =>
    driver.move({
      wireId: 7,
      raw: { distanceID: 100, angleID: 0 },
      distanceMm: 100,
      angleDdeg: 0,
      maxSpeedMmps: 300,
      maxDurationMs: 4000,
      remainingTtlMs: () => 1000,
    });
  return { clock, driver, sent, text, line, open, answer, handshake, move, last };
}

// Fault case 22
test('ignores and counts an acknowledgement for an older frame or a different session', async () => {
  const { driver, answer, handshake, move, last } = setUp();
  await handshake();
  let done = false;
  const moved = move().then(() => {
    done = true;
  });
  const before = driver.counters.dropped;
  answer({ type: 'ACK', ofType: 'MOVE', code: 0, wireId: 6 }, { seq: (last().seq + 200) & 0xff });
  answer({ type: 'ACK', ofType: 'MOVE', code: 0, wireId: 7 }, { session: (last().session % 255) + 1 });
  await settle();
  assert.equal(done, false);
  assert.equal(driver.counters.dropped, before + 2);
  answer({ type: 'ACK', ofType: 'MOVE', code: 0, wireId: 7 });
  await moved;
  driver.close();
});

test('updates the remaining TTL in a repeated frame', async () => {
  const { clock, sent, handshake, driver } = setUp();
  await handshake();
  const startMs = clock.now();
  const request = {
    raw: { distanceID: 1, angleID: 0 },
    distanceMm: 1,
    angleDdeg: 0,
    maxSpeedMmps: 300,
    maxDurationMs: 4000,
  };
  const moved = driver.move({ ...request, wireId: 8, remainingTtlMs: () => 1000 - (clock.now() - startMs) });
  clock.advance(130);
  const times = sent.flatMap((frame) => (frame.type === 'MOVE' ? [frame.ttlMs] : []));
  assert.deepEqual(times, [1000, 940, 880]);
  driver.close();
  await assert.rejects(moved);
});

test('ignores a HELLO_R with a different nonce', async () => {
  const { answer, driver, clock, open } = setUp();
  const opened = open();
  const firmware = { major: 1, minor: 0, patch: 0 };
  answer({
    type: 'HELLO_R',
    proto: 1,
    caps: 0,
    firmware,
    maxFrame: 54,
    maxSpeedMmps: 1,
    bootCount: 1,
    resetCause: 1,
    hostNonce: 1,
  });
  const refused = assert.rejects(opened, { code: 'HELLO_TIMEOUT' });
  clock.advance(6000);
  await refused;
  driver.close();
});

test('rejects a controller without a watchdog unless the settings permit it', () => {
  const plain = ({ serial }: DriverDeps): void => {
    serial.driver = 'json-lines';
    serial.legacyJson = true;
  };
  assert.throws(() => setUp(plain), { code: 'INCOMPATIBLE' });
  const { driver } = setUp((deps) => {
    plain(deps);
    deps.safety.allowNoWatchdog = true;
  });
  assert.equal(driver.traits.watchdogMs, null);
  driver.close();
});

test('sends the requested values unchanged to an Arduino sketch, and estimates the end of the motion', async () => {
  const { driver, text, clock, move } = setUp((deps) => {
    deps.serial.driver = 'json-lines';
    deps.serial.legacyJson = true;
    deps.safety.allowNoWatchdog = true;
  });
  await driver.open();
  const ended: string[] = [];
  driver.onMotion(({ event }) => ended.push(event));
  text.length = 0;
  await move();
  assert.deepEqual(text, ['{"cartID":1,"distanceID":100,"angleID":0}\n']);
  assert.equal(driver.traits.ack, 'none');
  assert.equal(driver.traits.feedback, false);
  clock.advance(2000);
  assert.deepEqual(ended, ['finished']);
  driver.stop(2);
  assert.equal(text.at(-1), '{"cartID":1,"distanceID":0,"angleID":0}\n');
  driver.close();
  assert.equal(clock.timers, 0);
});

test('ends only the session, not the process, when an event cannot be acknowledged', async () => {
  const { driver, line, answer, handshake } = setUp();
  await handshake();
  const faults: string[] = [];
  driver.onSessionFault(({ code }) => faults.push(code));
  line.isStuck = true;
  const event = { wireId: 7, event: 'finished', code: 0, finalMm: 100, finalDdeg: 0 } as const;
  answer({ type: 'EVENT', ...event }, { ackReq: true, reply: false });
  assert.deepEqual(faults, ['SERIAL_LOST']);
});

test.run();
