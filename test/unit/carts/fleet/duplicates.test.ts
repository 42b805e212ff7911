import assert from 'node:assert/strict';
import { test } from 'uvu';
import { textOf } from '../../../../src/shared/messages/message.js';
import { OPERATOR } from '../../../helpers/cart-harness.js';
import { DuplicateHarness, type FleetGateway } from './duplicate-harness.js';

async function withFleet(run: (fleet: DuplicateHarness) => Promise<void>): Promise<void> {
  const fleet = new DuplicateHarness();
  await run(fleet);
  await fleet.close();
}

const refusals = (gateways: FleetGateway[], cartId: number) =>
  gateways.map((gateway) => gateway.drive(cartId));
const REFUSED = 'DUPLICATE_IDENTITY';

// Fault case 61
test('two gateways with the same gatewayId both refuse motion and report the cart number', () =>
  withFleet(async (fleet) => {
    const pair = [await fleet.add(1, 'pi'), await fleet.add(1, 'pi')];
    await fleet.run(2500);
    assert.deepEqual(refusals(pair, 1), [REFUSED, REFUSED]);
    for (const gateway of pair) {
      const [duplicate] = gateway.remoteCarts.duplicates();
      assert.deepEqual([duplicate?.cartID, duplicate?.gateways, duplicate?.isSilent], [1, ['pi-1'], false]);
      assert.match(textOf(gateway.view(1).safety.reason), /another gateway \(pi-1\) also uses cart number 1/);
    }
  }));

// Fault case 78
test('a gateway refuses motion as soon as another gateway restored from its backup publishes a message', () =>
  withFleet(async (fleet) => {
    const old = await fleet.add(1, 'old');
    const reasons: string[] = [];
    old.remoteCarts.onSuperseded((reason) => reasons.push(textOf(reason)));
    assert.equal(old.drive(1), '');
    await fleet.run(1000);
    assert.ok(old.isMoving);
    await fleet.add(1, 'new', [], 1);
    await fleet.run(500);
    assert.deepEqual([old.isMoving, old.drive(1)], [false, REFUSED]);
    const text = 'gateway new-1 was restored from a backup of this gateway and uses cart number 1';
    assert.equal(textOf(old.view(1).safety.reason), text);
    assert.deepEqual(reasons, [text]);
  }));

// Fault case 78
test('a gateway that was superseded refuses motion until it is restarted', () =>
  withFleet(async (fleet) => {
    const old = await fleet.add(1, 'old');
    const restored = await fleet.add(1, 'new', [], 1);
    await fleet.run(500);
    await restored.kill();
    await fleet.run(60_000);
    if (old.remoteCarts.duplicates().length > 0) old.remoteCarts.clearDuplicate(1);
    assert.equal(old.drive(1), REFUSED);
  }));

// Fault case 78
test('a gateway that returned to its previous data ignores its own earlier session with a higher number', () =>
  withFleet(async (fleet) => {
    const trial = await fleet.add(1, 'pi', [], 1);
    const { sessionId } = trial.identity;
    const returned = await fleet.add(1, 'pi', [sessionId], 0);
    await trial.kill();
    await fleet.run(2000);
    assert.equal(returned.drive(1), '');
  }));

// Fault case 61
test('Stop all also stops the cart of a gateway with the same gatewayId, and counts its confirmation', () =>
  withFleet(async (fleet) => {
    const [first, second] = [await fleet.add(1, 'pi'), await fleet.add(1, 'pi')];
    await fleet.run(2500);
    const answer = await fleet.stopped(first.harness.dispatcher.stop(null, 'estop', OPERATOR));
    assert.deepEqual(answer, ['1 true', '1 true', '2 false', '3 false']);
    assert.deepEqual([first.isLatched, second.isLatched], [true, true]);
  }));

// Fault case 61
test("a latching stop of a gateway's own cart also stops the cart of another gateway with the same cart number", () =>
  withFleet(async (fleet) => {
    const [first, second] = [await fleet.add(1, 'pi'), await fleet.add(1, 'pi')];
    await fleet.run(2500);
    assert.deepEqual(await fleet.stopped(first.harness.dispatcher.stop(1, 'estop', OPERATOR)), [
      '1 true',
      '1 true',
    ]);
    assert.ok(second.isLatched);
  }));

// Fault case 61
test('reports a duplicate that does not confirm a stop, and stops the duplicate when it reconnects', () =>
  withFleet(async (fleet) => {
    const [first, second] = [await fleet.add(1, 'pi'), await fleet.add(1, 'pi')];
    await fleet.run(2500);
    second.cut();
    assert.deepEqual(await fleet.stopped(first.harness.dispatcher.stop(1, 'estop', OPERATOR)), [
      '1 true',
      '1 false',
    ]);
    assert.equal(second.isLatched, false);
    second.bus.setOutage('');
    await fleet.run(5000);
    assert.ok(second.isLatched);
  }));

// Fault case 61
test('a duplicate that appears while a command runs stops both carts', () =>
  withFleet(async (fleet) => {
    const first = await fleet.add(1, 'pi');
    assert.equal(first.drive(1), '');
    await fleet.run(1000);
    assert.ok(first.isMoving);
    const second = await fleet.add(1, 'pi');
    second.drive(1);
    await fleet.run(4000);
    assert.deepEqual([first.isMoving, second.isMoving], [false, false]);
    assert.equal(first.harness.dispatcher.newest(1)[0]?.reason?.code, REFUSED);
  }));

// Fault case 62
test('a third gateway refuses to move a cart whose number is used by two gateways, and still stops both carts', () =>
  withFleet(async (fleet) => {
    const third = await fleet.add(1, 'pi-a');
    const pair = [await fleet.add(2, 'pi-b'), await fleet.add(2, 'pi-c')];
    await fleet.run(3500);
    assert.equal(third.drive(2), REFUSED);
    assert.match(textOf(third.view(2).safety.reason), /cart number 2: pi-[bc]-2, pi-[bc]-2/);
    assert.deepEqual(await fleet.stopped(third.harness.dispatcher.stop(2, 'estop', OPERATOR)), ['2 true']);
    assert.deepEqual(
      pair.map(({ isLatched }) => isLatched),
      [true, true],
    );
  }));

// Fault case 62
test('a third gateway reports a stop as unconfirmed if only one of two gateways confirms it', () =>
  withFleet(async (fleet) => {
    const third = await fleet.add(1, 'pi-a');
    const [first, second] = [await fleet.add(2, 'pi-b'), await fleet.add(2, 'pi-c')];
    await fleet.run(3500);
    second.cut();
    assert.deepEqual(await fleet.stopped(third.harness.dispatcher.stop(null, 'estop', OPERATOR)), [
      '1 true',
      '2 false',
      '3 false',
    ]);
    assert.deepEqual([first.isLatched, second.isLatched, third.view(2).stopPending], [true, false, 'estop']);
    second.bus.setOutage('');
    await fleet.run(8000);
    assert.deepEqual([second.isLatched, third.view(2).stopPending], [true, undefined]);
  }));

// Fault case 62
test('shows that a cart is moving, or that a stop is latched, if either of two gateways reports this', () =>
  withFleet(async (fleet) => {
    const third = await fleet.add(1, 'pi-a');
    const [first, second] = [await fleet.add(2, 'pi-b'), await fleet.add(2, 'pi-c')];
    await fleet.run(3500);
    first.harness.dispatcher.stopOwn('estop', OPERATOR);
    await fleet.run(1500);
    assert.deepEqual([third.view(2).safety.emergencyStop, second.isLatched], ['REMOTE', false]);
    second.harness.dispatcher.stopOwn('estop', OPERATOR);
    await fleet.run(1500);
    for (const expected of [1, 0]) {
      const reset = third.remoteCarts.reset(2, OPERATOR).catch(() => undefined);
      await fleet.run(2500);
      await reset;
      assert.equal([first, second].filter(({ isLatched }) => isLatched).length, expected);
    }
  }));

test('a conflict ends only after 10 s of silence and a confirmation', () =>
  withFleet(async (fleet) => {
    const third = await fleet.add(1, 'pi-a');
    const [first, second] = [await fleet.add(2, 'pi-b'), await fleet.add(2, 'pi-b')];
    await fleet.run(3500);
    await second.kill();
    await fleet.run(9000);
    for (const { remoteCarts } of [first, third])
      assert.throws(() => remoteCarts.clearDuplicate(2), { code: REFUSED });
    await fleet.run(2000);
    assert.deepEqual(refusals([first, third], 2), [REFUSED, REFUSED]);
    first.remoteCarts.clearDuplicate(2);
    third.remoteCarts.clearDuplicate(2);
    await fleet.run(1500);
    assert.deepEqual([first.drive(2), third.remoteCarts.duplicates()], ['', []]);
  }));

test('a reboot of a duplicate restarts the 10 s period of silence', () =>
  withFleet(async (fleet) => {
    const first = await fleet.add(1, 'pi');
    const second = await fleet.add(1, 'pi');
    await fleet.run(2500);
    await second.kill();
    await fleet.run(8000);
    await fleet.add(1, 'pi');
    await fleet.run(3000);
    assert.throws(() => first.remoteCarts.clearDuplicate(1), { code: REFUSED });
    assert.equal(first.drive(1), REFUSED);
  }));

test('a gateway that restarts within 5 s is not a duplicate', () =>
  withFleet(async (fleet) => {
    const other = await fleet.add(2, 'pi-b');
    const before = await fleet.add(1, 'pi');
    await before.kill(false);
    const after = await fleet.add(1, 'pi', [before.identity.sessionId]);
    await before.publishWill();
    await fleet.run(5000);
    assert.deepEqual([after.drive(1), other.remoteCarts.duplicates()], ['', []]);
    assert.equal(other.view(1).online, true);
  }));

test('a cart stays online when the last will of its old session arrives before the first state of the new one', () =>
  withFleet(async (fleet) => {
    const observer = await fleet.add(1, 'pi-a');
    const before = await fleet.add(2, 'pi-b');
    await before.kill(false);
    const { gatewayId } = before.identity;
    const header = { headerId: 1, cartID: 2, gatewayId, sessionId: 'after' };
    const client = fleet.broker.client();
    const online = JSON.stringify({ ...header, connectionState: 'ONLINE' });
    await client.publish('cart/v1/site1/2/connection', online, { qos: 1, retain: true });
    await fleet.run(6000);
    await before.publishWill();
    await fleet.run(100);
    const safetyState = { activeEmergencyStop: 'NONE' };
    const state = JSON.stringify({ ...header, driving: false, safetyState });
    await client.publish('cart/v1/site1/2/state', state, { qos: 0 });
    await fleet.run(100);
    assert.equal(observer.view(2).online, true);
  }));

test('retained and late states of the previous session do not count as a duplicate', () =>
  withFleet(async (fleet) => {
    const topic = 'cart/v1/site1/1/state';
    const old: string[] = [];
    fleet.broker.client().subscribe(topic, ({ payload }) => void old.push(payload.toString()));
    const before = await fleet.add(1, 'pi');
    await fleet.run(3000);
    await before.kill();
    const [retained = '', ...late] = old.slice(-3);
    const bridge = fleet.broker.client();
    await bridge.publish(topic, retained, { qos: 0, retain: true });
    const after = await fleet.add(1, 'pi', [before.identity.sessionId]);
    for (const payload of late) await bridge.publish(topic, payload, { qos: 0 });
    await fleet.run(3000);
    assert.equal(after.drive(1), '');
  }));

test('a gateway that runs on a copy of the data directory of a running gateway is a duplicate', () =>
  withFleet(async (fleet) => {
    const original = await fleet.add(1, 'pi');
    const copy = await fleet.add(1, 'pi', [original.identity.sessionId]);
    await fleet.run(6500);
    assert.deepEqual(refusals([original, copy], 1), [REFUSED, REFUSED]);
  }));

test('states that a bridge returns or repeats do not count as a duplicate', () =>
  withFleet(async (fleet) => {
    const other = await fleet.add(2, 'pi-b');
    const bridge = fleet.broker.client();
    const seen = new Set<string>();
    bridge.subscribe('cart/v1/site1/+/state', ({ topic, payload }) => {
      const text = payload.toString();
      if (seen.has(text)) return;
      seen.add(text);
      void bridge.publish(topic, text, { qos: 0 });
    });
    const gateway = await fleet.add(1, 'pi');
    await fleet.run(5000);
    assert.deepEqual([gateway.drive(1), other.remoteCarts.duplicates()], ['', []]);
  }));

test('one message from an unknown session does not count as a duplicate', () =>
  withFleet(async (fleet) => {
    const gateway = await fleet.add(1, 'pi');
    const state = JSON.stringify({
      headerId: 9,
      cartID: 1,
      gatewayId: 'pi-1',
      sessionId: 'unknown',
      driving: false,
      safetyState: { activeEmergencyStop: 'NONE' },
    });
    for (let copy = 0; copy < 5; copy += 1) {
      await fleet.broker.client().publish('cart/v1/site1/1/state', state, { qos: 0 });
      await fleet.run(1000);
    }
    assert.equal(gateway.drive(1), '');
  }));

// Fault case 61
test('gateways that displace each other with one client ID detect the duplicate from retained messages', () =>
  withFleet(async (fleet) => {
    const displace = async (gateway: FleetGateway) => {
      gateway.cut();
      await gateway.publishWill();
    };
    const first = await fleet.add(1, 'pi');
    await displace(first);
    const second = await fleet.add(1, 'pi');
    for (let turn = 0; turn < 4; turn += 1) {
      assert.equal(first.drive(1), turn < 3 ? '' : REFUSED);
      await displace(second);
      first.bus.setOutage('');
      await fleet.run(2000);
      await displace(first);
      second.bus.setOutage('');
      await fleet.run(2000);
    }
    assert.deepEqual([first.drive(1), second.drive(1)], [REFUSED, REFUSED]);
  }));

test.run();
