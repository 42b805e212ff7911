import assert from 'node:assert/strict';
import { test } from 'uvu';
import { userActor } from '../../../../src/shared/actor.js';
import { CartHarness, OPERATOR } from '../../../helpers/cart-harness.js';

class Session {
  isOpen = true;
  asked = 0;
  readonly id: string;

  constructor(id: string) {
    this.id = id;
  }

  isGood(): boolean {
    this.asked += 1;
    return this.isOpen;
  }
}

function move(harness: CartHarness, authority: Session, more: object = {}) {
  return harness.dispatcher.submit(
    { cartID: 1, distanceID: 1000, angleID: 0, ...more },
    OPERATOR,
    undefined,
    authority,
  );
}
const QUEUED = { onBusy: 'queue', ttlMs: 10_000 };

test("stops a session's running command and cancels the commands queued behind it when the session ends", async () => {
  const harness = await CartHarness.ready();
  const [ending, staying] = [new Session('a'), new Session('b')];
  const running = move(harness, ending);
  const follower = move(harness, staying, QUEUED);
  await harness.run(300);
  assert.equal(running.state, 'RUNNING');
  ending.isOpen = false;
  await harness.run(50);
  assert.deepEqual([running.state, running.reason?.code], ['CANCELLED', 'REVOKED']);
  assert.deepEqual([follower.state, follower.reason?.code], ['CANCELLED', 'PREDECESSOR_FAILED']);
  await harness.run(1500);
  assert.equal(harness.cart.busy, false);
  assert.equal(harness.wire.of('MOVE').length, 1);
  await harness.close();
});

test("cancels a session's queued command, but not another session's running command, when the session ends", async () => {
  const harness = await CartHarness.ready();
  const [ending, staying] = [new Session('a'), new Session('b')];
  const running = move(harness, staying);
  const queued = move(harness, ending, QUEUED);
  const behind = move(harness, staying, QUEUED);
  await harness.run(300);
  ending.isOpen = false;
  await harness.run(50);
  assert.deepEqual([queued.state, queued.reason?.code], ['CANCELLED', 'REVOKED']);
  assert.deepEqual([behind.state, behind.reason?.code], ['CANCELLED', 'PREDECESSOR_FAILED']);
  await harness.run(8000);
  assert.equal(running.state, 'FINISHED');
  assert.equal(harness.wire.of('MOVE').length, 1);
  await harness.close();
});

test('rejects a command whose session has already ended, but accepts a stop', async () => {
  const harness = await CartHarness.ready();
  const ended = new Session('a');
  const running = move(harness, new Session('b'));
  await harness.run(100);
  ended.isOpen = false;
  assert.throws(() => move(harness, ended), { code: 'REVOKED' });
  await assert.rejects(harness.dispatcher.reset(1, OPERATOR, undefined, ended), { code: 'REVOKED' });
  const stop = await move(harness, ended, { distanceID: 0 }).reached('ack');
  assert.equal(stop.state, 'FINISHED');
  assert.equal(running.state, 'CANCELLED');
  await harness.close();
});

test('cancels a command when its session can no longer be read', async () => {
  const harness = await CartHarness.ready();
  let isReadable = true;
  const authority = new Session('a');
  authority.isGood = () => {
    if (isReadable) return true;
    throw new Error('the database is gone');
  };
  const running = move(harness, authority);
  await harness.run(100);
  isReadable = false;
  await harness.run(50);
  assert.equal(running.reason?.code, 'REVOKED');
  await harness.close();
});

test('checks each session once for all its commands, and only while a command is in progress', async () => {
  const harness = await CartHarness.ready();
  const session = new Session('a');
  move(harness, session);
  for (let count = 0; count < 5; count += 1) move(harness, session, QUEUED);
  session.asked = 0;
  await harness.run(50);
  assert.equal(session.asked, 1);
  harness.cart.stop('stop', userActor('a test'));
  await harness.run(100);
  session.asked = 0;
  await harness.run(500);
  assert.equal(session.asked, 0);
  await harness.close();
});

test.run();
