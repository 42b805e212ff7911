import assert from 'node:assert/strict';
import { test } from 'uvu';
import { OPERATOR, Rig } from '../../../helpers/rig.js';

/** A session or key that a test ends. */
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

function move(rig: Rig, authority: Session, more: object = {}) {
  return rig.dispatcher.submit(
    { cartID: 1, distanceID: 1000, angleID: 0, ...more },
    OPERATOR,
    undefined,
    authority,
  );
}
const QUEUED = { onBusy: 'queue', ttlMs: 10_000 };

test('a running command is stopped when its session ends, and what waits behind it does not start', async () => {
  const rig = await Rig.ready();
  const [ending, staying] = [new Session('a'), new Session('b')];
  const running = move(rig, ending);
  const follower = move(rig, staying, QUEUED);
  await rig.run(300);
  assert.equal(running.state, 'RUNNING');
  ending.isOpen = false;
  await rig.run(50);
  assert.deepEqual([running.state, running.reason?.code], ['CANCELLED', 'REVOKED']);
  assert.deepEqual([follower.state, follower.reason?.code], ['CANCELLED', 'PREDECESSOR_FAILED']);
  await rig.run(1500);
  assert.equal(rig.cart.busy, false);
  assert.equal(rig.wire.of('MOVE').length, 1);
  await rig.close();
});

test('a queued command whose session has ended never starts; the running one of another session goes on', async () => {
  const rig = await Rig.ready();
  const [ending, staying] = [new Session('a'), new Session('b')];
  const running = move(rig, staying);
  const queued = move(rig, ending, QUEUED);
  const behind = move(rig, staying, QUEUED);
  await rig.run(300);
  ending.isOpen = false;
  await rig.run(50);
  assert.deepEqual([queued.state, queued.reason?.code], ['CANCELLED', 'REVOKED']);
  assert.deepEqual([behind.state, behind.reason?.code], ['CANCELLED', 'PREDECESSOR_FAILED']);
  await rig.run(8000);
  assert.equal(running.state, 'FINISHED');
  assert.equal(rig.wire.of('MOVE').length, 1);
  await rig.close();
});

test('a command is refused when its session ended before it was accepted, and a stop is not', async () => {
  const rig = await Rig.ready();
  const ended = new Session('a');
  const running = move(rig, new Session('b'));
  await rig.run(100);
  ended.isOpen = false;
  assert.throws(() => move(rig, ended), { code: 'REVOKED' });
  await assert.rejects(rig.dispatcher.reset(1, OPERATOR, undefined, ended), { code: 'REVOKED' });
  assert.equal(move(rig, ended, { distanceID: 0 }).state, 'FINISHED');
  assert.equal(running.state, 'CANCELLED');
  await rig.close();
});

test('a command ends when its session can no longer be read', async () => {
  const rig = await Rig.ready();
  let isReadable = true;
  const authority = new Session('a');
  authority.isGood = () => {
    if (isReadable) return true;
    throw new Error('the database is gone');
  };
  const running = move(rig, authority);
  await rig.run(100);
  isReadable = false;
  await rig.run(50);
  assert.equal(running.reason?.code, 'REVOKED');
  await rig.close();
});

test('one session is read once for all of its commands, and not at all when none is under way', async () => {
  const rig = await Rig.ready();
  const session = new Session('a');
  move(rig, session);
  for (let count = 0; count < 5; count += 1) move(rig, session, QUEUED);
  session.asked = 0;
  await rig.run(50);
  assert.equal(session.asked, 1);
  rig.cart.stop('stop', 'a test');
  await rig.run(100);
  session.asked = 0;
  await rig.run(500);
  assert.equal(session.asked, 0);
  await rig.close();
});

test.run();
