import assert from 'node:assert/strict';
import { suite } from 'uvu';
import type { Settings } from '../../../../src/settings/schema/schema.js';
import { Rig } from '../../../helpers/rig.js';
import { type Heard, roboclawHears, sabertoothHears } from './board-listeners.js';

type Board = 'roboclaw' | 'sabertooth';

const HEARS = { roboclaw: roboclawHears, sabertooth: sabertoothHears } as const;

function board(driver: Board, more: (settings: Settings) => void = () => undefined) {
  return (settings: Settings): void => {
    settings.serial.driver = driver;
    settings.safety.allowNoWatchdog = driver === 'sabertooth';
    if (driver === 'sabertooth') settings.serial.baudRate = 9600;
    more(settings);
  };
}

/** What the board has been told, decoded by somebody who does not know our encoder. */
const heard = (rig: Rig, driver: Board): Heard[] => HEARS[driver](rig.wire.bytes);

/** Commands and values that make the board stand. */
const isStand = ([first, second]: Heard[]): boolean =>
  first?.command === 12 && first.value === 64 && second?.command === 13 && second.value === 64;

for (const driver of ['roboclaw', 'sabertooth'] as const) {
  const test = suite(`a whole cart on ${driver}`);

  test('at every open the board is stopped, and told to stop by itself after 500 ms of silence', async () => {
    const rig = await Rig.ready(board(driver));
    assert.equal(rig.link.view().state, 'READY');
    for (const open of [1, 2]) {
      const first = heard(rig, driver);
      assert.ok(
        first.some(({ command, value }) => command === 14 && value === 5),
        `open ${open}`,
      );
      assert.ok(isStand(first.filter(({ command }) => command === 12 || command === 13)), `open ${open}`);
      assert.ok(!first.some(({ command, value }) => command >= 8 && command <= 11 && value !== 0));
      rig.wire.bytes.length = 0;
      rig.link.restart();
      await rig.run(1000);
    }
    await rig.close();
  });

  test('a command goes its way to the end, which is told as an estimate', async () => {
    const rig = await Rig.ready(board(driver));
    const command = rig.move(1000, 90);
    await rig.run(12_000);
    assert.equal(command.state, 'FINISHED');
    assert.equal(command.transitions.at(-1)?.cause, 'estimated');
    assert.deepEqual(command.result, { distanceMm: 1000, angleDeg: 90, estimated: true });
    const { y, x, heading, speed, motions } = rig.controller.snapshot();
    assert.ok(Math.abs(y - 1000) < 10 && Math.abs(x) < 10, `${x} ${y}`);
    assert.ok(Math.abs(heading - 90) < 1, `${heading}`);
    assert.deepEqual([speed, motions], [0, 1]);
    await rig.close();
    assert.equal(rig.clock.timers, 0);
  });

  test('speed goes up, holds and goes down as the limits say, backwards as well', async () => {
    const rig = await Rig.ready(board(driver));
    rig.wire.bytes.length = 0;
    const command = rig.move(-1000);
    await rig.run(200);
    const early = Math.abs(rig.controller.snapshot().speed);
    // 500 mm/s²: 100 mm/s after 200 ms; a step of speed stands for 50 ms.
    assert.ok(early > 50 && early <= 130, `${early} mm/s`);
    await rig.run(1500);
    const cruise = rig.controller.snapshot().speed;
    assert.ok(Math.abs(cruise + 300) < 8, `${cruise} mm/s`);
    await rig.run(6000);
    assert.equal(command.state, 'FINISHED');
    const { x } = rig.controller.snapshot();
    assert.ok(Math.abs(x + 1000) < 10, `${x} mm`);
    const values = heard(rig, driver).filter(({ command }) => command === 9);
    // 300 of 1000 mm/s is 38.1 of 127 steps; rounding is made up for by a step now and then.
    assert.ok(Math.max(...values.map(({ value = 0 }) => value)) <= 39);
    await rig.close();
  });

  test('a stop in mid-move ramps down, and the command says how far it came, about', async () => {
    const rig = await Rig.ready(board(driver));
    const command = rig.move(5000);
    await rig.run(2000);
    const before = rig.controller.snapshot();
    rig.wire.bytes.length = 0;
    rig.cart.stop('stop', 'somebody');
    const [first] = heard(rig, driver).filter(({ command }) => command === 8);
    assert.ok((first?.value ?? 127) < 38, 'the first lower speed is on the wire before stop() returns');
    assert.equal(command.state, 'CANCELLED');
    await rig.run(300);
    assert.ok(rig.controller.snapshot().speed > 0, 'it is a ramp');
    await rig.run(1500);
    const after = rig.controller.snapshot();
    assert.equal(after.speed, 0);
    // 300 mm/s at 500 mm/s²: 90 mm.
    assert.ok(Math.abs(after.x - before.x - 90) < 20, `${after.x - before.x} mm`);
    assert.ok(isStand(heard(rig, driver).filter(({ command }) => command === 12 || command === 13)));
    assert.equal(command.result?.estimated, true);
    assert.ok(Math.abs((command.result?.distanceMm ?? 0) - after.x) < 20);
    const next = rig.move(100);
    await rig.run(3000);
    assert.equal(next.state, 'FINISHED');
    await rig.close();
  });

  test('a stop that comes while the board is made ready is not overtaken by the motion', async () => {
    const rig = await Rig.ready(board(driver));
    const command = rig.move(5000);
    rig.cart.stop('stop', 'somebody');
    await rig.run(2000);
    assert.equal(command.state, 'CANCELLED');
    assert.equal(rig.controller.snapshot().motions, 0);
    const next = rig.move(100);
    await rig.run(3000);
    assert.equal(next.state, 'FINISHED');
    await rig.close();
  });

  test('the emergency stop stands the wheels at once, and nothing moves before a reset', async () => {
    const rig = await Rig.ready(board(driver));
    const command = rig.move(5000);
    await rig.run(2000);
    rig.wire.bytes.length = 0;
    rig.pins.press();
    assert.ok(isStand(heard(rig, driver)), 'the stop is on the wire before the edge is dealt with');
    assert.equal(rig.pins.enable, false);
    await rig.run(200);
    assert.deepEqual([command.state, command.reason?.code], ['FAILED', 'ESTOP_ACTIVE']);
    assert.equal(rig.controller.snapshot().speed, 0);
    rig.wire.bytes.length = 0;
    await rig.run(2000);
    assert.throws(() => rig.move(100), { code: 'ESTOP_ACTIVE' });
    assert.ok(!heard(rig, driver).some(({ command }) => command >= 8 && command <= 11));
    rig.pins.release();
    await rig.run(1500);
    await rig.cart.reset('the reset on the cart', true);
    await rig.run(200);
    assert.equal(rig.controller.snapshot().speed, 0);
    const next = rig.move(100);
    await rig.run(3000);
    assert.equal(next.state, 'FINISHED');
    await rig.close();
  });

  test('when the gateway dies in mid-move, the board stops by itself and does not go on', async () => {
    const rig = await Rig.ready(board(driver));
    rig.move(5000);
    await rig.run(2000);
    const { x } = rig.controller.snapshot();
    rig.wire.unplug();
    await rig.run(1000);
    const after = rig.controller.snapshot();
    assert.deepEqual([after.speed, after.state], [0, 'LINK_LOST']);
    // 500 ms at 300 mm/s.
    assert.ok(after.x - x > 100 && after.x - x < 180, `${after.x - x} mm`);
    await rig.close();
  });

  test('an unplugged cable fails the command, and a new session begins with a stop', async () => {
    const rig = await Rig.ready(board(driver));
    const command = rig.move(5000);
    await rig.run(1000);
    rig.wire.unplug();
    assert.deepEqual([command.state, command.reason?.code], ['FAILED', 'SERIAL_LOST']);
    await rig.run(2000);
    rig.wire.bytes.length = 0;
    rig.wire.plug();
    await rig.run(6000);
    assert.equal(rig.link.view().state, 'READY');
    assert.ok(!heard(rig, driver).some(({ command }) => command >= 8 && command <= 11));
    assert.equal(rig.controller.snapshot().motions, 1);
    await rig.close();
  });

  test('a jog ramps up, is renewed, and ends by itself with its lease', async () => {
    const rig = await Rig.ready(board(driver));
    const jog = (distanceID: number, angleID = 0) => rig.move(distanceID, angleID, { mode: 'jog' });
    const command = jog(200);
    for (let word = 0; word < 10; word++) {
      await rig.run(100);
      jog(200);
    }
    const { speed } = rig.controller.snapshot();
    assert.ok(Math.abs(speed - 200) < 8, `${speed} mm/s`);
    await rig.run(2000);
    assert.equal(rig.controller.snapshot().speed, 0);
    assert.ok(command.final);
    await rig.close();
  });

  test('a newer command takes the place of a running one after standstill', async () => {
    const rig = await Rig.ready(board(driver));
    const first = rig.move(5000);
    await rig.run(1500);
    const second = rig.move(-200);
    await rig.run(200);
    assert.equal(second.state, 'QUEUED');
    await rig.run(5000);
    assert.deepEqual([first.state, second.state], ['CANCELLED', 'FINISHED']);
    await rig.close();
  });

  test('a steered axle is refused with the reason', async () => {
    const rig = await Rig.ready(
      board(driver, ({ kinematics }) => {
        kinematics.type = 'ackermann';
      }),
    );
    assert.equal(rig.link.view().state, 'INCOMPATIBLE');
    assert.throws(() => rig.move(100), { code: 'INCOMPATIBLE' });
    await rig.close();
  });

  test('a speed of the line that the board does not know is refused with those that it knows', async () => {
    const rig = await Rig.ready(
      board(driver, ({ serial }) => {
        serial.baudRate = 250000;
      }),
    );
    assert.equal(rig.link.view().state, 'INCOMPATIBLE');
    assert.match(rig.link.view().reason, /does not know 250000 baud/);
    await rig.close();
  });

  test('a speed beyond full power is refused, with the limit', async () => {
    const rig = await Rig.ready(
      board(driver, ({ kinematics }) => {
        kinematics.openLoopMmpsAtFull = 200;
      }),
    );
    const command = rig.move(1000);
    await rig.run(100);
    assert.deepEqual([command.state, command.reason?.code], ['FAILED', 'CONTROLLER_RANGE']);
    assert.match(command.reason?.text ?? '', /200 mm\/s at full power, not 300 mm\/s/);
    assert.equal(rig.controller.snapshot().motions, 0);
    await rig.close();
  });

  test.run();
}
