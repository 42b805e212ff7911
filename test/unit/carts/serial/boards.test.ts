import assert from 'node:assert/strict';
import { suite } from 'uvu';
import type { Settings } from '../../../../src/settings/schema/schema.js';
import { userActor } from '../../../../src/shared/actor.js';
import { textOf } from '../../../../src/shared/messages/message.js';
import { CartHarness, OPERATOR } from '../../../helpers/cart-harness.js';
import { hasCode } from '../../../helpers/has-code.js';
import { type DecodedPacket, decodeRoboclaw, decodeSabertooth } from './board-decoders.js';

type Board = 'roboclaw' | 'sabertooth';

const DECODERS = { roboclaw: decodeRoboclaw, sabertooth: decodeSabertooth } as const;

function board(driver: Board, more: (settings: Settings) => void = () => undefined) {
  return (settings: Settings): void => {
    settings.serial.driver = driver;
    settings.safety.allowNoWatchdog = driver === 'sabertooth';
    if (driver === 'sabertooth') settings.serial.baudRate = 9600;
    more(settings);
  };
}

/** Packets that the board received, decoded independently of the gateway's encoder. */
const receivedBy = (harness: CartHarness, driver: Board): DecodedPacket[] =>
  DECODERS[driver](harness.wire.bytes);

const isSpeed = ({ command }: DecodedPacket): boolean => command >= 8 && command <= 11;

const isZeroSpeed = ([first, second]: DecodedPacket[]): boolean =>
  first?.command === 8 && first.value === 0 && second?.command === 10 && second.value === 0;

const isMotion = (packet: DecodedPacket): boolean => isSpeed(packet) && packet.value !== 0;

for (const driver of ['roboclaw', 'sabertooth'] as const) {
  const test = suite(`cart with the ${driver} driver`);

  test('stops the board and sets its watchdog to 500 ms at the start of each session', async () => {
    const harness = await CartHarness.ready(board(driver));
    assert.equal(harness.link.view().state, 'READY');
    for (const open of [1, 2]) {
      const first = receivedBy(harness, driver);
      assert.ok(
        first.some(({ command, value }) => command === 14 && value === 5),
        `open ${open}`,
      );
      assert.ok(isZeroSpeed(first.filter(isSpeed)), `open ${open}`);
      assert.ok(!first.some(isMotion));
      harness.wire.bytes.length = 0;
      harness.link.restart();
      await harness.run(1000);
    }
    await harness.close();
  });

  if (driver === 'roboclaw') {
    // Fault case 60
    test("a press of the board's button while a stop from a page is latched requires a reset at the cart", async () => {
      const harness = await CartHarness.ready(board(driver));
      harness.dispatcher.stopOwn('estop', OPERATOR);
      await harness.run(1500);
      harness.controller.pressEstop();
      await harness.run(500);
      assert.equal(harness.cart.view().safety.emergencyStop, 'MANUAL');
      harness.controller.releaseEstop();
      await harness.run(1500);
      await assert.rejects(harness.dispatcher.resetOwn(OPERATOR), hasCode('RESET_FORBIDDEN'));
      await harness.close();
    });
  }

  test('finishes a command and marks the result as estimated', async () => {
    const harness = await CartHarness.ready(board(driver));
    const command = harness.move(1000, 90);
    await harness.run(12_000);
    assert.equal(command.state, 'FINISHED');
    assert.equal(command.transitions.at(-1)?.cause, 'estimated');
    assert.deepEqual(command.result, { distanceMm: 1000, angleDeg: 90, estimated: true });
    const { y, x, heading, speed, motions } = harness.controller.snapshot();
    assert.ok(Math.abs(y - 1000) < 10 && Math.abs(x) < 10, `${x} ${y}`);
    assert.ok(Math.abs(heading - 90) < 1, `${heading}`);
    assert.deepEqual([speed, motions], [0, 1]);
    await harness.close();
    assert.equal(harness.clock.timers, 0);
  });

  test('accelerates, cruises and decelerates within the limits, in both directions', async () => {
    const harness = await CartHarness.ready(board(driver));
    harness.wire.bytes.length = 0;
    const command = harness.move(-1000);
    await harness.run(200);
    const early = Math.abs(harness.controller.snapshot().speed);
    // At 500 mm/s², the speed is 100 mm/s after 200 ms; each speed step lasts 50 ms.
    assert.ok(early > 50 && early <= 130, `${early} mm/s`);
    await harness.run(1500);
    const cruise = harness.controller.snapshot().speed;
    assert.ok(Math.abs(cruise + 300) < 8, `${cruise} mm/s`);
    await harness.run(6000);
    assert.equal(command.state, 'FINISHED');
    const { x } = harness.controller.snapshot();
    assert.ok(Math.abs(x + 1000) < 10, `${x} mm`);
    const values = receivedBy(harness, driver).filter(({ command }) => command === 9);
    // On a scale with 1000 mm/s at 127 steps, 300 mm/s is 38.1 steps; an occasional additional step
    // compensates for rounding.
    assert.ok(Math.max(...values.map(({ value = 0 }) => value)) <= 39);
    await harness.close();
  });

  test('ramps down on a stop and reports the estimated distance', async () => {
    const harness = await CartHarness.ready(board(driver));
    const command = harness.move(5000);
    await harness.run(2000);
    const before = harness.controller.snapshot();
    harness.wire.bytes.length = 0;
    harness.cart.stop('stop', userActor('anna'));
    const [first] = receivedBy(harness, driver).filter(({ command }) => command === 8);
    assert.ok((first?.value ?? 127) < 38, 'the first lower speed is on the wire before stop() returns');
    assert.equal(command.state, 'CANCELLED');
    await harness.run(300);
    assert.ok(harness.controller.snapshot().speed > 0, 'the cart ramps down');
    await harness.run(1500);
    const after = harness.controller.snapshot();
    assert.equal(after.speed, 0);
    // Braking from 300 mm/s at 500 mm/s² takes 90 mm.
    assert.ok(Math.abs(after.x - before.x - 90) < 20, `${after.x - before.x} mm`);
    assert.ok(isZeroSpeed(receivedBy(harness, driver).filter(isSpeed).slice(-2)));
    assert.equal(command.result?.estimated, true);
    assert.ok(Math.abs((command.result?.distanceMm ?? 0) - after.x) < 20);
    const next = harness.move(100);
    await harness.run(3000);
    assert.equal(next.state, 'FINISHED');
    await harness.close();
  });

  test('a stop cancels a motion that the board has not started yet', async () => {
    const harness = await CartHarness.ready(board(driver));
    const command = harness.move(5000);
    harness.cart.stop('stop', userActor('anna'));
    await harness.run(2000);
    assert.equal(command.state, 'CANCELLED');
    assert.equal(harness.controller.snapshot().motions, 0);
    const next = harness.move(100);
    await harness.run(3000);
    assert.equal(next.state, 'FINISHED');
    await harness.close();
  });

  test('a latching stop stops the motors immediately, and motion is permitted only after a reset', async () => {
    const harness = await CartHarness.ready(board(driver));
    const command = harness.move(5000);
    await harness.run(2000);
    harness.wire.bytes.length = 0;
    harness.pins.press();
    assert.ok(isZeroSpeed(receivedBy(harness, driver)), 'the stop is written before the edge is handled');
    assert.equal(harness.pins.enable, false);
    await harness.run(200);
    assert.deepEqual([command.state, command.reason?.code], ['FAILED', 'ESTOP_ACTIVE']);
    assert.equal(harness.controller.snapshot().speed, 0);
    harness.wire.bytes.length = 0;
    await harness.run(2000);
    assert.throws(() => harness.move(100), { code: 'ESTOP_ACTIVE' });
    assert.ok(!receivedBy(harness, driver).some(isMotion));
    harness.pins.release();
    await harness.run(1500);
    await harness.cart.estop.reset(userActor('the reset on the cart'), true);
    await harness.run(200);
    assert.equal(harness.controller.snapshot().speed, 0);
    const next = harness.move(100);
    await harness.run(3000);
    assert.equal(next.state, 'FINISHED');
    await harness.close();
  });

  test("the board's watchdog stops the cart when the gateway crashes during a motion", async () => {
    const harness = await CartHarness.ready(board(driver));
    harness.move(5000);
    await harness.run(2000);
    const { x } = harness.controller.snapshot();
    harness.wire.unplug();
    await harness.run(1000);
    const after = harness.controller.snapshot();
    assert.deepEqual([after.speed, after.state], [0, 'LINK_LOST']);
    // The cart travels 150 mm in 500 ms at 300 mm/s.
    assert.ok(after.x - x > 100 && after.x - x < 180, `${after.x - x} mm`);
    await harness.close();
  });

  test('fails the command when the cable is unplugged, and starts the next session with a stop', async () => {
    const harness = await CartHarness.ready(board(driver));
    const command = harness.move(5000);
    await harness.run(1000);
    harness.wire.unplug();
    assert.deepEqual([command.state, command.reason?.code], ['FAILED', 'SERIAL_LOST']);
    await harness.run(2000);
    harness.wire.bytes.length = 0;
    harness.wire.plug();
    await harness.run(6000);
    assert.equal(harness.link.view().state, 'READY');
    assert.ok(!receivedBy(harness, driver).some(isMotion));
    assert.equal(harness.controller.snapshot().motions, 1);
    await harness.close();
  });

  test("accelerates to a jog's speed while the lease is renewed, and stops when the lease expires", async () => {
    const harness = await CartHarness.ready(board(driver));
    const jog = (distanceID: number, angleID = 0) => harness.move(distanceID, angleID, { mode: 'jog' });
    const command = jog(200);
    for (let word = 0; word < 10; word++) {
      await harness.run(100);
      jog(200);
    }
    const { speed } = harness.controller.snapshot();
    assert.ok(Math.abs(speed - 200) < 8, `${speed} mm/s`);
    await harness.run(2000);
    assert.equal(harness.controller.snapshot().speed, 0);
    assert.ok(command.final);
    await harness.close();
  });

  test('waits for standstill before it starts a replacement command', async () => {
    const harness = await CartHarness.ready(board(driver));
    const first = harness.move(5000);
    await harness.run(1500);
    const second = harness.move(-200);
    await harness.run(200);
    assert.equal(second.state, 'QUEUED');
    await harness.run(5000);
    assert.deepEqual([first.state, second.state], ['CANCELLED', 'FINISHED']);
    await harness.close();
  });

  test('rejects Ackermann kinematics and reports the reason', async () => {
    const harness = await CartHarness.ready(
      board(driver, ({ kinematics }) => {
        kinematics.type = 'ackermann';
      }),
    );
    assert.equal(harness.link.view().state, 'INCOMPATIBLE');
    assert.throws(() => harness.move(100), { code: 'INCOMPATIBLE' });
    await harness.close();
  });

  test('rejects an unsupported baud rate and lists the supported rates', async () => {
    const harness = await CartHarness.ready(
      board(driver, ({ serial }) => {
        serial.baudRate = 250000;
      }),
    );
    assert.equal(harness.link.view().state, 'INCOMPATIBLE');
    assert.match(textOf(harness.link.view().reason), /does not support 250000 baud/);
    await harness.close();
  });

  test('rejects a speed above the speed at full power and reports the limit', async () => {
    const harness = await CartHarness.ready(
      board(driver, ({ kinematics }) => {
        kinematics.openLoopMmpsAtFull = 200;
      }),
    );
    const command = harness.move(1000);
    await harness.run(100);
    assert.deepEqual([command.state, command.reason?.code], ['FAILED', 'CONTROLLER_RANGE']);
    assert.match(
      textOf(command.reason?.text ?? ''),
      /this cart's maximum speed is 200 mm\/s, which is less than the requested 300 mm\/s/,
    );
    assert.equal(harness.controller.snapshot().motions, 0);
    await harness.close();
  });

  test.run();
}
