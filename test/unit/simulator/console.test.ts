import assert from 'node:assert/strict';
import { test } from 'uvu';
import { obeyLine } from '../../../src/simulator/console.js';
import { SimulatedController } from '../../../src/simulator/controller/controller.js';
import { FakeClock } from '../../helpers/fake-clock.js';

const create = () => new SimulatedController({ clock: new FakeClock(), dialect: 'cgw1' });

test('a fault is turned on with its argument and off again, and the answer shows it', () => {
  const controller = create();
  assert.deepEqual(obeyLine(controller, 'lowBattery on 20500').batteryMv, 20_500);
  assert.deepEqual(obeyLine(controller, '  mute   on ').faults, ['lowBattery', 'mute']);
  assert.deepEqual(obeyLine(controller, 'lowBattery off').faults, ['mute']);
});

test('button, supply and reset are within reach', () => {
  const controller = create();
  assert.deepEqual(obeyLine(controller, 'estop press').state, 'ESTOP');
  assert.deepEqual(obeyLine(controller, 'estop release').estop, { pressed: false, latched: true });
  assert.equal(obeyLine(controller, 'reset').state, 'BOOT');
  assert.equal(obeyLine(controller, 'power off').state, 'OFF');
  assert.equal(obeyLine(controller, 'power on').state, 'BOOT');
});

test('what makes no sense is answered with the reason and changes nothing', () => {
  const controller = create();
  assert.match(String(obeyLine(controller, 'dance').error), /no command "dance"/);
  assert.match(String(obeyLine(controller, 'toString on').error), /no command/);
  assert.match(String(obeyLine(controller, 'mute').error), /needs on or off/);
  assert.match(String(obeyLine(controller, 'slow on fast').error), /"fast" is no number/);
  assert.deepEqual(obeyLine(controller, 'state').faults, []);
});

test('an argument beyond all reason is brought into range', () => {
  const controller = create();
  assert.equal(obeyLine(controller, 'lowBattery on 1e9').batteryMv, 65_535);
  controller.fault('hot', true, Number.NaN);
  controller.fault('noise', true, 0);
  controller.close();
});

test.run();
