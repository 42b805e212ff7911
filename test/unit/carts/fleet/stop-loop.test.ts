import assert from 'node:assert/strict';
import { test } from 'uvu';
import type { StoppedCart } from '../../../../src/carts/command/model.js';
import { OPERATOR } from '../../../helpers/rig.js';
import { LoopSite } from './stop-loop-site.js';

const said = (carts: StoppedCart[]) => carts.map(({ cartID, confirmed }) => `${cartID} ${confirmed}`);

async function onSite(run: (site: LoopSite) => Promise<void>): Promise<void> {
  const site = await LoopSite.open();
  await run(site);
  await site.close();
}

test('a stop for all carts is confirmed by each of them', () =>
  onSite(async (site) => {
    const carts = await site.until(site.own.dispatcher.stop(null, 'estop', OPERATOR));
    assert.deepEqual(said(carts), ['1 true', '2 true', '3 true']);
    for (const { controller } of site.rigs) assert.ok(controller.snapshot().estop.latched);
  }));

test('a stop is not confirmed by a cart that is offline and driving, which stops when it returns', () =>
  onSite(async (site) => {
    const [lost] = site.members;
    site.drive(2);
    await site.run(1000);
    await lost.cut();
    await site.run(300);
    const carts = await site.until(site.own.dispatcher.stop(null, 'estop', OPERATOR));
    assert.deepEqual(said(carts), ['1 true', '2 false', '3 true']);
    assert.equal(carts[1]?.code, 'CART_OFFLINE');
    assert.equal(lost.rig.controller.snapshot().state, 'RUNNING');
    assert.equal(site.view(2).stopPending, 'estop');
    lost.join();
    await site.run(1500);
    assert.ok(lost.isStopped);
    assert.equal(site.view(2).stopPending, undefined);
  }));

test('a cart is not confirmed while its motor controller is unplugged', () =>
  onSite(async (site) => {
    const [cart] = site.members;
    cart.rig.wire.unplug();
    await site.run(500);
    const carts = await site.until(site.own.dispatcher.stop(2, 'estop', OPERATOR));
    assert.deepEqual(said(carts), ['2 false']);
    assert.match(carts[0]?.reason ?? '', /motor controller is not connected .*motor enable is off/);
    cart.rig.wire.plug();
    await site.run(8000);
    assert.ok(cart.isStopped);
    assert.equal(site.view(2).stopPending, undefined);
  }));

test('the own cart is not confirmed while its motor controller is unplugged', () =>
  onSite(async (site) => {
    site.own.wire.unplug();
    await site.run(500);
    const [own] = await site.until(site.own.dispatcher.stop(1, 'estop', OPERATOR));
    assert.deepEqual([own?.confirmed, own?.code], [false, 'SERIAL_DOWN']);
    assert.equal(site.view(1).stopPending, 'estop');
    site.own.wire.plug();
    await site.run(8000);
    assert.equal(site.view(1).stopPending, undefined);
  }));

test('a stop waits for nothing: it is published before the call returns', () =>
  onSite(async (site) => {
    const published: string[] = [];
    const publish = site.bus.publish.bind(site.bus);
    site.bus.publish = (topic, ...rest) => {
      published.push(topic);
      return publish(topic, ...rest);
    };
    const stopped = site.own.dispatcher.stop(null, 'estop', OPERATOR);
    assert.ok(published.some((topic) => topic.endsWith('/_all/instantActions')));
    await site.until(stopped);
  }));

test('an unconfirmed E-stop refuses motion and is sent again across a broker outage until the cart confirms', () =>
  onSite(async (site) => {
    site.bus.become('the broker is gone');
    const carts = await site.until(site.own.dispatcher.stop(null, 'estop', OPERATOR));
    assert.deepEqual(said(carts), ['1 true', '2 false', '3 false']);
    assert.equal(carts[1]?.code, 'BROKER_DOWN');
    await site.run(20_000);
    assert.equal(site.view(3).safety.mayMove, false);
    site.bus.become('');
    await site.run(1500);
    assert.deepEqual(
      [2, 3].map((cartId) => site.view(cartId).stopPending),
      [undefined, undefined],
    );
    for (const member of site.members) assert.ok(member.isStopped);
  }));

test('a reset gives an unconfirmed E-stop up', () =>
  onSite(async (site) => {
    await site.members[0].cut();
    await site.run(300);
    await site.until(site.own.dispatcher.stop(2, 'estop', OPERATOR));
    await assert.rejects(site.until(site.own.dispatcher.reset(2, OPERATOR)), { code: 'CART_OFFLINE' });
    assert.equal(site.view(2).stopPending, undefined);
    site.members[0].join();
    await site.run(3000);
    assert.equal(site.members[0].isStopped, false);
  }));

test('unconfirmed stops are repeated at a bounded rate', () =>
  onSite(async (site) => {
    await site.members[0].cut();
    await site.run(300);
    let sent = 0;
    const publish = site.bus.publish.bind(site.bus);
    site.bus.publish = (topic, ...rest) => {
      if (topic.endsWith('/2/instantActions')) sent += 1;
      return publish(topic, ...rest);
    };
    for (let press = 0; press < 20; press += 1)
      await site.until(site.own.dispatcher.stop(null, 'estop', OPERATOR));
    await site.run(60_000);
    assert.ok(sent >= 5 && sent <= 12, String(sent));
    site.peers.giveUpStop(2);
  }));

test('a stop without a latch is not repeated behind a newer command', () =>
  onSite(async (site) => {
    site.peers.close();
    const stopped = site.own.dispatcher.stop(2, 'stop', OPERATOR);
    await site.until(stopped);
    assert.equal(site.view(2).stopPending, 'stop');
    site.drive(2);
    assert.equal(site.view(2).stopPending, undefined);
  }));

test.run();
