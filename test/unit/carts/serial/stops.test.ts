import assert from 'node:assert/strict';
import { test } from 'uvu';
import { Deframer, type Frame } from '../../../../src/carts/serial/codec/codec.js';
import { frameOfLine } from '../../../../src/carts/serial/codec/json-frames.js';
import { LineReader } from '../../../../src/carts/serial/codec/json-lines.js';
import type { MotorDriver } from '../../../../src/carts/serial/driver.js';
import { createDriver } from '../../../../src/carts/serial/drivers/create-driver.js';
import { defaultSettings, type Settings } from '../../../../src/settings/schema/schema.js';
import { userActor } from '../../../../src/shared/actor.js';
import { GatewayError } from '../../../../src/shared/errors.js';
import { CartHarness, quietLog, settle } from '../../../helpers/cart-harness.js';
import { FakeClock } from '../../../helpers/fake-clock.js';
import { type DecodedPacket, decodeRoboclaw, decodeSabertooth } from './board-decoders.js';
import { type BoardName, ModelBoard } from './model-board.js';

const BOARDS = ['roboclaw', 'sabertooth'] as const;
const FRAMES = ['cgw1', 'json-lines'] as const;
const FULL_MMPS = 1000;
const HEARTBEAT_MS = 100;

type Line = (typeof BOARDS)[number] | (typeof FRAMES)[number] | 'legacyJson';

function select(settings: Settings, line: Line): void {
  settings.serial.driver = line === 'legacyJson' ? 'json-lines' : line;
  settings.serial.legacyJson = line === 'legacyJson';
  settings.safety.allowNoWatchdog = true;
  if (line === 'sabertooth') settings.serial.baudRate = 9600;
}

interface BoardSession {
  clock: FakeClock;
  board: ModelBoard;
  driver: MotorDriver;
  /** Advances the clock with a heartbeat every 100 ms. */
  run: (ms: number, armed?: boolean) => Promise<void>;
}

function boardSession(name: BoardName): BoardSession {
  const clock = new FakeClock();
  const settings = defaultSettings();
  select(settings, name);
  const board = new ModelBoard(name, FULL_MMPS, clock);
  const driver = createDriver({ ...settings, link: board.link, cartId: 1, clock, log: quietLog });
  const run = async (ms: number, armed = true): Promise<void> => {
    for (let at = 0; at < ms; at += 10) {
      if (at % HEARTBEAT_MS === 50) driver.heartbeat(armed);
      clock.advance(10);
      await settle();
    }
  };
  return { clock, board, driver, run };
}

/** A cart that drives at 300 mm/s. */
async function driving(name: BoardName): Promise<BoardSession> {
  const session = boardSession(name);
  await session.driver.open();
  session.driver.heartbeat(true);
  const motion = { distanceMm: 8000, angleDdeg: 0, maxSpeedMmps: 300, maxDurationMs: 60_000 };
  const raw = { distanceID: 8000, angleID: 0 };
  await session.driver.move({ wireId: 1, raw, ...motion, remainingTtlMs: () => 1000 });
  await session.run(1200);
  assert.ok(session.board.mmps > 290, `${session.board.mmps} mm/s`);
  return session;
}

const isZero = ({ command, value }: DecodedPacket): boolean =>
  (command === 8 || command === 10) && value === 0;

for (const name of BOARDS) {
  // Fault case 56
  test(`a ${name} that is still driving when a session opens stops before it responds`, async () => {
    const { board, driver } = boardSession(name);
    board.driveOn(60);
    const opened = driver.open();
    assert.equal(board.mmps, 0);
    await opened;
    driver.close();
  });

  // The stop is repeated after 20 ms and 40 ms, and then with every heartbeat.
  for (const [lost, withinMs] of [
    [1, 20],
    [2, 20],
    [6, HEARTBEAT_MS],
  ] as const) {
    // Fault case 57
    test(`a ${name} stops within ${withinMs} ms of a latching stop even if ${lost} of its packets are lost`, async () => {
      const { clock, board, driver, run } = await driving(name);
      let left = lost;
      board.corrupts = (packet) => isZero(packet) && left-- > 0;
      const { mm } = board;
      driver.estop(0).catch(() => undefined);
      await run(HEARTBEAT_MS + 10, false);
      assert.equal(board.mmps, 0);
      assert.ok(board.mm - mm <= (300 * withinMs) / 1000 + 1, `${board.mm - mm} mm`);
      driver.close();
      assert.equal(clock.timers, 0);
    });
  }

  for (const category of [1, 2] as const) {
    test(`a ${name} stops even if the end of a category ${category} stop is lost`, async () => {
      const { board, driver, run } = await driving(name);
      driver.stop(category).catch(() => undefined);
      await run(540, category === 2);
      assert.ok(board.isMoving);
      let isLost = true;
      board.corrupts = (packet) => isZero(packet) && isLost;
      await run(150, category === 2);
      isLost = false;
      await run(HEARTBEAT_MS, category === 2);
      assert.equal(board.mmps, 0);
      driver.close();
    });
  }

  test(`a ${name} receives a stop with every heartbeat while a stop is latched`, async () => {
    const { board, driver, run } = await driving(name);
    await driver.estop(0);
    await run(500, false);
    board.packets.length = 0;
    await run(1000, false);
    const zeros = board.packets.filter(isZero).length;
    // 20 packets/s of at most 5 bytes load a 9600 baud line by 10 %.
    assert.equal(zeros, 20);
    assert.ok(board.packets.every((packet) => packet.value === undefined || isZero(packet)));
    driver.close();
  });
}

/** A sketch that only receives lines. */
async function sketchSession() {
  const clock = new FakeClock();
  const settings = defaultSettings();
  select(settings, 'legacyJson');
  const lines: string[] = [];
  const line = { isDown: false };
  const link = {
    write: (bytes: Uint8Array) => {
      if (line.isDown) throw new GatewayError('SERIAL_DOWN', 'the serial line is blocked');
      lines.push(Buffer.from(bytes).toString());
    },
    onBytes: () => () => undefined,
    onClose: () => () => undefined,
    close: async () => undefined,
  };
  const driver = createDriver({ ...settings, link, cartId: 7, clock, log: quietLog });
  await driver.open();
  return { clock, driver, line, lines };
}

const STOP_LINE = '{"cartID":7,"distanceID":0,"angleID":0}\n';

// Fault case 56
test('a sketch that is still driving when a session opens receives a stop', async () => {
  const { driver, lines } = await sketchSession();
  assert.deepEqual(lines, [STOP_LINE]);
  driver.close();
});

// Fault case 57
test('a sketch receives each non-latching stop exactly three times', async () => {
  const { clock, driver, lines } = await sketchSession();
  clock.advance(2000);
  lines.length = 0;
  await driver.stop(1);
  clock.advance(5000);
  assert.deepEqual(lines, [STOP_LINE, STOP_LINE, STOP_LINE]);
  driver.close();
});

test('a sketch receives four stops a second until a latched stop is reset', async () => {
  const { clock, driver, lines } = await sketchSession();
  await driver.estop(0);
  clock.advance(2000);
  lines.length = 0;
  clock.advance(10_000);
  assert.equal(lines.length, 40);
  assert.ok(lines.every((line) => line === STOP_LINE));
  await driver.resetEstop();
  clock.advance(1000);
  lines.length = 0;
  clock.advance(10_000);
  assert.deepEqual(lines, []);
  driver.close();
  assert.equal(clock.timers, 0);
});

test('a stop is not repeated to a sketch after a new command', async () => {
  const { clock, driver, lines } = await sketchSession();
  await driver.stop(2);
  const motion = { distanceMm: 8000, angleDdeg: 0, maxSpeedMmps: 300, maxDurationMs: 60_000 };
  const raw = { distanceID: 8000, angleID: 0 };
  await driver.move({ wireId: 1, raw, ...motion, remainingTtlMs: () => 1000 });
  clock.advance(5000);
  assert.equal(lines.at(-1), '{"cartID":7,"distanceID":8000,"angleID":0}\n');
  driver.close();
});

test('a line that fails while a stop is repeated ends the session, not the process', async () => {
  const { clock, driver, line } = await sketchSession();
  const faults: string[] = [];
  driver.onSessionFault(({ code }) => faults.push(code));
  await driver.estop(0);
  line.isDown = true;
  clock.advance(250);
  assert.deepEqual(faults, ['SERIAL_LOST']);
  driver.close();
});

/** Returns true if the last message sent to the controller disarms it. */
const ENDS_DISARMED: Readonly<Record<Line, (bytes: readonly number[]) => boolean>> = {
  roboclaw: (bytes) => endsWithZeros(decodeRoboclaw(bytes)),
  sabertooth: (bytes) => endsWithZeros(decodeSabertooth(bytes)),
  legacyJson: (bytes) => Buffer.from(bytes).toString().endsWith('{"cartID":1,"distanceID":0,"angleID":0}\n'),
  cgw1: (bytes) => isDisarming(framesOf('cgw1', Uint8Array.from(bytes)).at(-1)),
  'json-lines': (bytes) => isDisarming(framesOf('json-lines', Uint8Array.from(bytes)).at(-1)),
};

const endsWithZeros = (packets: DecodedPacket[]): boolean =>
  packets.length >= 2 && packets.slice(-2).every(isZero);

const isDisarming = (frame: Frame | undefined): boolean => frame?.type === 'HEARTBEAT' && !frame.armed;

function framesOf(line: (typeof FRAMES)[number], bytes: Uint8Array): Frame[] {
  const frames: Frame[] = [];
  if (line === 'cgw1') new Deframer((frame) => frames.push(frame)).push(bytes);
  else {
    const onLine = (object: unknown): void => {
      const frame = frameOfLine(object);
      if (frame) frames.push(frame);
    };
    new LineReader(onLine, { requireChecksum: true }).push(bytes);
  }
  return frames;
}

for (const line of ['roboclaw', 'sabertooth', 'legacyJson', 'cgw1', 'json-lines'] as const) {
  test(`the last bytes that a ${line} controller receives before the motors are enabled disarm the controller`, async () => {
    const harness = await CartHarness.ready((settings) => select(settings, line));
    const { pins, wire } = harness;
    let isDisarmed: boolean | undefined;
    const write = pins.writeEnable.bind(pins);
    pins.writeEnable = (on) => {
      if (on) isDisarmed ??= ENDS_DISARMED[line](wire.bytes);
      write(on);
    };
    // Discards earlier bytes, so that a heartbeat before the move does not count.
    wire.bytes.length = 0;
    harness.move(100);
    assert.equal(isDisarmed, true);
    await harness.run(4000);
    await harness.close();
  });
}

test('the motors stay off when the frame that must precede the motor enable cannot be written', async () => {
  const harness = await CartHarness.ready((settings) => select(settings, 'sabertooth'));
  const { driver } = harness.link;
  assert.ok(driver);
  driver.writeDisarmed = () => {
    throw new GatewayError('SERIAL_DOWN', 'the serial line is blocked');
  };
  const command = harness.move(100);
  assert.ok(!harness.pins.levels.includes(true));
  assert.deepEqual([command.state, command.reason?.code], ['FAILED', 'SERIAL_LOST']);
  await harness.close();
});

for (const line of FRAMES) {
  const moving = async (): Promise<CartHarness> => {
    const harness = await CartHarness.ready((settings) => select(settings, line));
    harness.move(8000);
    await harness.run(1500);
    assert.ok(harness.controller.snapshot().speed > 290);
    return harness;
  };

  // Fault case 56
  test(`a ${line} controller that is still moving when a session opens stops`, async () => {
    const harness = await moving();
    // The previous gateway was killed, so it sends no stop.
    const { wire } = harness;
    wire.unplug();
    wire.plug();
    await harness.run(50);
    assert.ok(harness.controller.snapshot().speed > 0);
    await harness.run(4000);
    assert.deepEqual([harness.link.view().state, harness.controller.snapshot().speed], ['READY', 0]);
    assert.equal(harness.controller.snapshot().motions, 1);
    await harness.close();
  });

  // Fault case 57
  test(`a ${line} controller stops and latches even if every E-stop frame is lost for 1 s`, async () => {
    const harness = await moving();
    const { controller } = harness;
    const receive = controller.receive.bind(controller);
    let isLossy = true;
    controller.receive = (bytes) => {
      const isEstop = framesOf(line, bytes).some(({ type }) => type === 'ESTOP');
      if (!isLossy || !isEstop) receive(bytes);
    };
    const { x } = controller.snapshot();
    harness.cart.stop('estop', userActor('the operator'));
    await harness.run(1000);
    const after = controller.snapshot();
    assert.equal(after.speed, 0);
    // The next heartbeat disarms the controller, which then ramps down at 500 mm/s².
    assert.ok(after.x - x <= 300 * 0.1 + 300 ** 2 / 1000 + 5, `${after.x - x} mm`);
    isLossy = false;
    await harness.run(8000);
    assert.equal(controller.snapshot().state, 'ESTOP');
    await harness.close();
  });
}

test.run();
