import assert from 'node:assert/strict';
import { test } from 'uvu';
import { hasCode } from '../../../helpers/has-code.js';
import { PEER, Rig } from '../../../helpers/rig.js';

// Fault case 27
test('a jog stops 500 ms after its last message', async () => {
  const rig = await Rig.ready();
  const jog = rig.move(200, 0, { mode: 'jog' });
  for (let message = 0; message < 10; message++) {
    await rig.run(100);
    assert.equal(rig.move(200, 0, { mode: 'jog' }), jog);
  }
  assert.ok(rig.controller.snapshot().speed > 150);
  await rig.run(450);
  assert.equal(jog.state, 'RUNNING');
  await rig.run(150);
  assert.equal(jog.state, 'CANCELLED');
  assert.equal(jog.reason?.code, 'LEASE_ENDED');
  await rig.run(600);
  assert.equal(rig.controller.snapshot().speed, 0);
  await rig.close();
});

// Fault case 28
test('a second source is refused while the first holds control, but may stop the cart', async () => {
  const rig = await Rig.ready();
  const command = rig.move(3000);
  await rig.run(200);
  assert.throws(() => rig.move(100, 0, {}, PEER), hasCode('CONTROL_HELD'));
  assert.throws(() => rig.move(100, 0, {}, PEER), /, who loses control after 5 s without a command$/);
  rig.dispatcher.stopOwn('stop', PEER);
  await rig.run(50);
  assert.equal(command.state, 'CANCELLED');
  await rig.run(5000);
  assert.equal(rig.move(100, 0, {}, PEER).final, false);
  await rig.close();
});

test('a stop rejects jog messages until the joystick is released', async () => {
  const rig = await Rig.ready();
  rig.move(200, 0, { mode: 'jog' });
  await rig.run(100);
  rig.dispatcher.stopOwn('stop', PEER);
  for (let message = 0; message < 10; message++) {
    assert.throws(() => rig.move(200, 0, { mode: 'jog' }), hasCode('STOPPED'));
    await rig.run(100);
  }
  assert.equal(rig.controller.snapshot().speed, 0);
  await rig.run(600);
  assert.equal(rig.move(200, 0, { mode: 'jog' }).final, false);
  await rig.close();
});

test.run();
