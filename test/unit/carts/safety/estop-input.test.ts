import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { EstopInput } from '../../../../src/carts/safety/estop-input.js';
import { FakeClock } from '../../../helpers/fake-clock.js';
import { FakePins } from '../../../helpers/fake-pins.js';
import { RecordingLog } from '../../../helpers/recording-log.js';

const test = suite('E-stop input');

test("the input's state remains readable when a listener throws", () => {
  const pins = new FakePins();
  const input = new EstopInput({ pins, clock: new FakeClock(), log: new RecordingLog() });
  input.start();
  input.onAsserted(() => {
    throw new Error('listener');
  });
  assert.throws(() => pins.press(), /listener/);
  assert.equal(input.state, 'asserted');
  input.close();
});

test.run();
