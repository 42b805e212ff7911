import assert from 'node:assert/strict';
import { test } from 'uvu';
import type { StoppedCart } from '../../../../src/carts/command/model.js';
import { userActor } from '../../../../src/shared/actor.js';
import { textOf } from '../../../../src/shared/messages/message.js';
import { OPERATOR } from '../../../helpers/cart-harness.js';
import { StopLoopHarness } from './stop-loop-harness.js';

const confirmations = (carts: StoppedCart[]) =>
  carts.map(({ cartID, confirmed }) => `${cartID} ${confirmed}`);

async function withHarness(run: (loop: StopLoopHarness) => Promise<void>): Promise<void> {
  const loop = await StopLoopHarness.open();
  await run(loop);
  await loop.close();
}

test("a stop for all carts reports each cart's confirmation", () =>
  withHarness(async (loop) => {
    const carts = await loop.until(loop.own.dispatcher.stop(null, 'estop', OPERATOR));
    assert.deepEqual(confirmations(carts), ['1 true', '2 true', '3 true']);
    for (const { controller } of loop.harnesses) assert.ok(controller.snapshot().estop.latched);
  }));

test('reports a moving cart that is offline as unconfirmed, and stops the cart when it reconnects', () =>
  withHarness(async (loop) => {
    const [lost] = loop.members;
    loop.drive(2);
    await loop.run(1000);
    await lost.cut();
    await loop.run(300);
    const carts = await loop.until(loop.own.dispatcher.stop(null, 'estop', OPERATOR));
    assert.deepEqual(confirmations(carts), ['1 true', '2 false', '3 true']);
    assert.equal(carts[1]?.code, 'CART_OFFLINE');
    assert.equal(lost.harness.controller.snapshot().state, 'RUNNING');
    assert.equal(loop.view(2).stopPending, 'estop');
    lost.join();
    await loop.run(1500);
    assert.ok(lost.isStopped);
    assert.equal(loop.view(2).stopPending, undefined);
  }));

test('reports a remote cart as unconfirmed while its motor controller is unplugged', () =>
  withHarness(async (loop) => {
    const [cart] = loop.members;
    cart.harness.wire.unplug();
    await loop.run(500);
    const carts = await loop.until(loop.own.dispatcher.stop(2, 'estop', OPERATOR));
    assert.deepEqual(confirmations(carts), ['2 false']);
    assert.match(textOf(carts[0]?.reason ?? ''), /motor controller is not connected .*motor enable is off/);
    cart.harness.wire.plug();
    await loop.run(8000);
    assert.ok(cart.isStopped);
    assert.equal(loop.view(2).stopPending, undefined);
  }));

test('reports the local cart as unconfirmed while its motor controller is unplugged', () =>
  withHarness(async (loop) => {
    loop.own.wire.unplug();
    await loop.run(500);
    const [own] = await loop.until(loop.own.dispatcher.stop(1, 'estop', OPERATOR));
    assert.deepEqual([own?.confirmed, own?.code], [false, 'SERIAL_DOWN']);
    assert.equal(loop.view(1).stopPending, 'estop');
    loop.own.wire.plug();
    await loop.run(8000);
    assert.equal(loop.view(1).stopPending, undefined);
  }));

test('publishes a stop before the stop call returns', () =>
  withHarness(async (loop) => {
    const published: string[] = [];
    const publish = loop.bus.publish.bind(loop.bus);
    loop.bus.publish = (topic, ...rest) => {
      published.push(topic);
      return publish(topic, ...rest);
    };
    const stopped = loop.own.dispatcher.stop(null, 'estop', OPERATOR);
    assert.ok(published.some((topic) => topic.endsWith('/_all/instantActions')));
    await loop.until(stopped);
  }));

test('rejects motion after an unconfirmed latching stop, and repeats the stop until the cart confirms it', () =>
  withHarness(async (loop) => {
    loop.bus.setOutage('the broker is gone');
    const carts = await loop.until(loop.own.dispatcher.stop(null, 'estop', OPERATOR));
    assert.deepEqual(confirmations(carts), ['1 true', '2 false', '3 false']);
    assert.equal(carts[1]?.code, 'BROKER_DOWN');
    await loop.run(20_000);
    assert.equal(loop.view(3).safety.mayMove, false);
    loop.bus.setOutage('');
    await loop.run(1500);
    assert.deepEqual(
      [2, 3].map((cartId) => loop.view(cartId).stopPending),
      [undefined, undefined],
    );
    for (const member of loop.members) assert.ok(member.isStopped);
  }));

test('keeps a latching stop pending when the cart confirms only an unlatched stop', () =>
  withHarness(async (loop) => {
    const publish = loop.bus.publish.bind(loop.bus);
    const presses = new Set<string>();
    loop.bus.publish = async (topic, payload, ...rest) => {
      const isLost = topic.endsWith('/2/instantActions') && String(payload).includes('"emergencyStop"');
      const [, press = ''] = /"pressId","value":"([^"]+)"/.exec(String(payload)) ?? [];
      if (isLost) presses.add(press);
      else await publish(topic, payload, ...rest);
    };
    await loop.until(loop.own.dispatcher.stop(2, 'estop', OPERATOR));
    await loop.until(loop.own.dispatcher.stop(2, 'stop', { ...OPERATOR, actor: userActor('bram') }));
    await loop.run(1000);
    assert.equal(loop.view(2).stopPending, 'estop');
    assert.equal(loop.members[0].harness.controller.snapshot().estop.latched, false);
    loop.bus.publish = publish;
    await loop.run(60_000);
    assert.equal(loop.view(2).stopPending, undefined);
    assert.ok(loop.members[0].harness.controller.snapshot().estop.latched);
    assert.equal(presses.size, 1, 'the later stop is not a press of E-stop');
  }));

test('a reset withdraws an unconfirmed latching stop', () =>
  withHarness(async (loop) => {
    await loop.members[0].cut();
    await loop.run(300);
    await loop.until(loop.own.dispatcher.stop(2, 'estop', OPERATOR));
    await assert.rejects(loop.until(loop.own.dispatcher.reset(2, OPERATOR)), { code: 'CART_OFFLINE' });
    assert.equal(loop.view(2).stopPending, undefined);
    loop.members[0].join();
    await loop.run(3000);
    assert.equal(loop.members[0].isStopped, false);
  }));

test('limits the rate at which unconfirmed stops are repeated', () =>
  withHarness(async (loop) => {
    await loop.members[0].cut();
    await loop.run(300);
    let sent = 0;
    const publish = loop.bus.publish.bind(loop.bus);
    loop.bus.publish = (topic, ...rest) => {
      if (topic.endsWith('/2/instantActions')) sent += 1;
      return publish(topic, ...rest);
    };
    for (let press = 0; press < 20; press += 1)
      await loop.until(loop.own.dispatcher.stop(null, 'estop', OPERATOR));
    await loop.run(60_000);
    assert.ok(sent >= 5 && sent <= 12, String(sent));
    loop.remoteCarts.giveUpStop(2);
  }));

test('does not repeat an unlatched stop after a newer command', () =>
  withHarness(async (loop) => {
    loop.remoteCarts.close();
    const stopped = loop.own.dispatcher.stop(2, 'stop', OPERATOR);
    await loop.until(stopped);
    assert.equal(loop.view(2).stopPending, 'stop');
    loop.drive(2);
    assert.equal(loop.view(2).stopPending, undefined);
  }));

const stopCommand = (loop: StopLoopHarness, commandId?: string) =>
  loop.own.dispatcher.submit({ cartID: 2, distanceID: 0, angleID: 0, commandId }, OPERATOR);

test('repeats a remote command with distance 0 and angle 0 until the cart confirms the stop', () =>
  withHarness(async (loop) => {
    const [lost] = loop.members;
    loop.drive(2);
    await loop.run(1000);
    await lost.cut();
    await loop.run(300);
    assert.throws(() => stopCommand(loop), { code: 'CART_OFFLINE' });
    assert.equal(loop.view(2).stopPending, 'stop');
    lost.join();
    await loop.run(1500);
    assert.equal(loop.view(2).stopPending, undefined);
    assert.equal(lost.harness.controller.snapshot().speed, 0);
  }));

test('a command with distance 0 and angle 0 stops a remote cart even if its commandId was used before', () =>
  withHarness(async (loop) => {
    const [member] = loop.members;
    const moveId = loop.drive(2)?.id;
    await loop.run(1000);
    assert.throws(() => stopCommand(loop, moveId), { code: 'ID_REUSED' });
    await loop.run(1000);
    assert.equal(member.harness.controller.snapshot().speed, 0);

    const stop = await loop.until(stopCommand(loop).reached('done'));
    assert.equal(stop.state, 'FINISHED');
    loop.drive(2);
    await loop.run(1000);
    assert.ok(member.harness.controller.snapshot().speed > 0);
    stopCommand(loop, stop.id);
    await loop.run(1000);
    assert.equal(member.harness.controller.snapshot().speed, 0);
  }));

// Fault case 67
test('a repeated stop of a remote cart reports its own confirmation', () =>
  withHarness(async (loop) => {
    const [member] = loop.members;
    const commandId = 'aaaaaaaa-0000-4000-8000-000000000001';
    const first = await loop.until(stopCommand(loop, commandId).reached('done'));
    assert.equal(first.state, 'FINISHED');
    member.harness.wire.unplug();
    await loop.run(500);
    const repeated = await loop.until(stopCommand(loop, commandId).reached('done'));
    assert.equal(repeated.state, 'FAILED');
    assert.equal(loop.own.dispatcher.find(commandId), repeated);
    loop.broker.loses = () => true;
    const lost = await loop.until(stopCommand(loop, commandId).reached('done'));
    assert.deepEqual([lost.state, lost.reason?.code], ['FAILED', 'STOP_UNCONFIRMED']);
  }));

test('repeats the cancellation of a command whose key was revoked while the broker was down', () =>
  withHarness(async (loop) => {
    const [member] = loop.members;
    let isGood = true;
    const authority = { id: 'key 1', isGood: () => isGood };
    const body = { cartID: 2, distanceID: 9000, angleID: 0 };
    const command = loop.own.dispatcher.submit(body, OPERATOR, undefined, authority);
    await loop.run(1000);
    assert.equal(command.state, 'RUNNING');
    loop.bus.setOutage('cut');
    isGood = false;
    await loop.run(500);
    assert.deepEqual([command.state, command.reason?.code], ['CANCELLED', 'REVOKED']);
    assert.ok(member.harness.controller.snapshot().speed > 0);
    loop.bus.setOutage('');
    await loop.run(1000);
    assert.equal(member.harness.controller.snapshot().speed, 0);
    assert.ok(!member.isStopped);
  }));

test('repeats the cancellation of a revoked command only until its cart responds', () =>
  withHarness(async (loop) => {
    const [member] = loop.members;
    let isGood = true;
    const authority = { id: 'key 1', isGood: () => isGood };
    loop.own.dispatcher.submit({ cartID: 2, distanceID: 9000, angleID: 0 }, OPERATOR, undefined, authority);
    await loop.run(1000);
    loop.broker.loses = () => true;
    isGood = false;
    await loop.run(3000);
    assert.ok(member.harness.controller.snapshot().speed > 0);
    loop.broker.loses = () => false;
    await loop.run(5000);
    assert.equal(member.harness.controller.snapshot().speed, 0);
    loop.drive(2);
    await loop.run(1000);
    assert.ok(member.harness.controller.snapshot().speed > 0);
  }));

test('a command with distance 0 and angle 0 does not end the repetition of an unconfirmed halt', () =>
  withHarness(async (loop) => {
    const [member] = loop.members;
    loop.broker.loses = () => true;
    void loop.own.dispatcher.stop(2, 'halt', OPERATOR);
    stopCommand(loop);
    await loop.run(1100);
    assert.equal(loop.view(2).stopPending, 'halt');
    loop.broker.loses = () => false;
    await loop.run(2000);
    assert.equal(loop.view(2).stopPending, undefined);
    assert.ok(member.harness.wire.of('STOP').some((frame) => frame.type === 'STOP' && frame.category === 1));
  }));

test.run();
