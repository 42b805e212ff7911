import assert from 'node:assert/strict';
import { test } from 'uvu';
import { ControlLease, holderOf } from '../../../../src/carts/command/control-lease.js';
import { gatewayActor, keyActor, LAN_ACTOR, userActor } from '../../../../src/shared/actor.js';
import { FakeClock } from '../../../helpers/fake-clock.js';

const held = { code: 'CONTROL_HELD' };

for (const [holder, user] of [
  [keyActor('tablet'), userActor('key tablet')],
  [gatewayActor('gw-2'), userActor('gateway gw-2')],
  [LAN_ACTOR, userActor('the operator')],
] as const) {
  // Fault case 76
  test(`control held by a ${holder.kind} does not pass to a user with the name "${user.id}"`, () => {
    const lease = new ControlLease(new FakeClock());
    lease.take(holder);
    assert.throws(() => lease.check(user), held);
    lease.release(user);
    assert.throws(() => lease.check(user), held);
    lease.check(holder);
  });
}

test("all users of another gateway share that gateway's control", () => {
  const lease = new ControlLease(new FakeClock());
  const origin = { source: 'mqtt', gatewayId: 'gw-2' } as const;
  lease.take(holderOf({ ...origin, actor: userActor('anna') }));
  lease.check(holderOf({ ...origin, actor: userActor('ben') }));
  assert.throws(
    () => lease.check(holderOf({ ...origin, gatewayId: 'gw-3', actor: userActor('anna') })),
    held,
  );
});

test("a change of the holder's display name does not end control", () => {
  const lease = new ControlLease(new FakeClock());
  lease.take(userActor('anna'));
  lease.check({ ...userActor('anna'), name: 'Anna de Vries' });
});

test.run();
