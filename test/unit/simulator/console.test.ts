import assert from 'node:assert/strict';
import { test } from 'uvu';
import { executeLine } from '../../../src/simulator/console.js';
import { SimulatedController } from '../../../src/simulator/controller/controller.js';
import { FakeClock } from '../../helpers/fake-clock.js';

const create = () => new SimulatedController({ clock: new FakeClock(), dialect: 'cgw1' });

test('turns a fault on (with an argument) and off, and returns the new state', () => {
  const controller = create();
  assert.deepEqual(executeLine(controller, 'lowBattery on 20500').batteryMv, 20_500);
  assert.deepEqual(executeLine(controller, '  mute   on ').faults, ['lowBattery', 'mute']);
  assert.deepEqual(executeLine(controller, 'lowBattery off').faults, ['mute']);
});

test('operates the E-stop button, resets the controller and switches its power off and on', () => {
  const controller = create();
  assert.deepEqual(executeLine(controller, 'estop press').state, 'ESTOP');
  assert.deepEqual(executeLine(controller, 'estop release').estop, { pressed: false, latched: true });
  assert.equal(executeLine(controller, 'reset').state, 'BOOT');
  assert.equal(executeLine(controller, 'power off').state, 'OFF');
  assert.equal(executeLine(controller, 'power on').state, 'BOOT');
});

test('rejects an invalid line with a reason and changes nothing', () => {
  const controller = create();
  assert.match(String(executeLine(controller, 'dance').error), /unknown command "dance"/);
  assert.match(String(executeLine(controller, 'toString on').error), /unknown command/);
  assert.match(String(executeLine(controller, 'mute').error), /requires on or off/);
  assert.match(String(executeLine(controller, 'slow on fast').error), /"fast" is not a number/);
  assert.deepEqual(executeLine(controller, 'state').faults, []);
});

test("clamps a fault's argument to its range", () => {
  const controller = create();
  assert.equal(executeLine(controller, 'lowBattery on 1e9').batteryMv, 65_535);
  controller.fault('hot', true, Number.NaN);
  controller.fault('noise', true, 0);
  controller.close();
});

test.run();
