import assert from 'node:assert/strict';
import { test } from 'uvu';
import { hasCode } from '../../../helpers/has-code.js';
import { OPERATOR, PEER, Rig } from '../../../helpers/rig.js';

test('a move is not retried after a stop when its first frame was lost', async () => {
  for (const kind of ['stop', 'halt', 'estop'] as const) {
    const rig = await Rig.ready();
    rig.controller.fault('mute', true);
    const command = rig.move(1000);
    await rig.run(10);
    rig.dispatcher.stopOwn(kind, OPERATOR);
    rig.controller.fault('mute', false);
    await rig.run(700);
    assert.equal(rig.wire.of('MOVE').length, 1, kind);
    assert.equal(command.final, true);
    await rig.close();
  }
});

test('a command of distance 0 and angle 0 stops the cart for any source', async () => {
  const rig = await Rig.ready();
  const command = rig.move(3000);
  await rig.run(500);
  const stop = rig.move(0, 0, {}, PEER);
  assert.equal(stop.state, 'FINISHED');
  assert.equal(command.state, 'CANCELLED');
  assert.equal(rig.wire.of('STOP').length, 1);
  await rig.close();
});

test('closing in mid-move ramps down, switches the motors off and leaves no timer', async () => {
  const rig = await Rig.ready();
  const command = rig.move(5000);
  await rig.run(1000);
  await rig.close();
  assert.equal(command.state, 'CANCELLED');
  assert.ok(rig.wire.of('STOP').some((frame) => frame.type === 'STOP' && frame.category === 1));
  assert.equal(rig.pins.enable, false);
  assert.equal(rig.clock.timers, 0);
});

test('a halt switches the motors off when the cart has stopped, at once when it is at rest', async () => {
  const rig = await Rig.ready();
  const command = rig.move(5000);
  await rig.run(1000);
  rig.dispatcher.stopOwn('halt', OPERATOR);
  assert.equal(command.state, 'CANCELLED');
  const startMs = rig.clock.now();
  while (rig.cart.busy) {
    await rig.run(5);
  }
  // From 300 mm/s at 500 mm/s² and the next report: well before the 1.5 s after which they go off in any case.
  const tookMs = rig.clock.now() - startMs;
  assert.ok(tookMs > 500 && tookMs < 1000, `${tookMs} ms`);
  rig.pins.levels.length = 0;
  await rig.run(500);
  assert.equal(rig.pins.enable, false);
  assert.ok(!rig.pins.levels.includes(true));
  assert.equal(rig.controller.snapshot().enable, false);

  const standing = await Rig.ready();
  standing.move(50);
  await standing.run(2000);
  standing.dispatcher.stopOwn('halt', OPERATOR);
  assert.equal(standing.pins.enable, false);
  standing.pins.levels.length = 0;
  await standing.run(500);
  assert.ok(!standing.pins.levels.includes(true));
  await rig.close();
  await standing.close();
});

test('a halt switches the motors off after 1.5 s when the ramp takes longer', async () => {
  const rig = await Rig.ready(({ limits }) => {
    limits.decelMmps2 = 100;
  });
  rig.move(5000);
  await rig.run(1000);
  rig.dispatcher.stopOwn('halt', OPERATOR);
  await rig.run(1450);
  rig.pins.levels.length = 0;
  await rig.run(50);
  assert.ok(rig.pins.levels.includes(true) || rig.pins.enable);
  await rig.run(10);
  assert.equal(rig.pins.enable, false);
  assert.ok(rig.controller.snapshot().speed > 0);
  await rig.close();
});

test('an unconfirmed stop ends the session, so that the controller stops the cart itself', async () => {
  const rig = await Rig.ready();
  const command = rig.move(5000);
  await rig.run(1000);
  rig.controller.fault('mute', true);
  rig.dispatcher.stopOwn('stop', OPERATOR);
  await rig.run(200);
  assert.equal(command.state, 'CANCELLED');
  assert.equal(rig.link.driver, undefined);
  // Three tries, and the parting word.
  assert.equal(rig.wire.of('STOP').length, 4);
  await rig.run(2500);
  assert.equal(rig.controller.snapshot().speed, 0);
  await rig.close();
});

test('a stop with a reused commandId still stops the cart', async () => {
  const rig = await Rig.ready();
  const commandId = 'aaaaaaaa-0000-4000-8000-000000000009';
  const command = rig.move(3000, 0, { commandId });
  await rig.run(500);
  assert.throws(() => rig.move(0, 0, { commandId }), hasCode('ID_REUSED'));
  assert.equal(command.state, 'CANCELLED');
  await rig.close();
});

test('a stop fails when it cannot be sent', async () => {
  const rig = await Rig.ready();
  rig.wire.unplug();
  await rig.run(10);
  assert.equal(rig.move(0).state, 'FAILED');
  await rig.close();
});

test('the enable output stops pulsing when power is cut', async () => {
  const rig = await Rig.ready();
  rig.pins.levels.length = 0;
  rig.move(2000);
  await rig.run(1000);
  const edges = rig.pins.levels.filter((level, at) => level !== rig.pins.levels[at - 1]).length;
  assert.ok(edges >= 18, `${edges} edges in a second`);
  rig.dispatcher.stopOwn('halt', OPERATOR);
  await rig.run(2000);
  rig.pins.levels.length = 0;
  await rig.run(1000);
  assert.ok(!rig.pins.levels.includes(true));
  await rig.close();
});

test.run();
