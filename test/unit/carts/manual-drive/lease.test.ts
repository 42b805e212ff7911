import assert from 'node:assert/strict';
import { test } from 'uvu';
import { DriveLease, HANDOVER_MS } from '../../../../src/carts/manual-drive/lease.js';
import { FakeClock } from '../../../helpers/fake-clock.js';

function make(): { clock: FakeClock; lease: DriveLease<string> } {
  const clock = new FakeClock();
  return { clock, lease: new DriveLease(clock) };
}

test('grants a free lease to the first request, with a new lease number each time', () => {
  const { lease } = make();
  lease.take('anna');
  const first = lease.numberOf('anna');
  assert.ok(first > 0);
  lease.leave('anna');
  assert.equal(lease.holder, undefined);
  assert.equal(lease.numberOf('anna'), 0);
  lease.take('anna');
  assert.ok(lease.numberOf('anna') > first);
});

test('queues a repeated request only once, and the holder keeps the lease while driving', () => {
  const { clock, lease } = make();
  lease.take('anna');
  lease.take('bob');
  lease.take('bob');
  assert.deepEqual(lease.asking, ['bob']);
  for (let second = 0; second < 60; second += 1) {
    clock.advance(1000);
    lease.touch();
    lease.settle();
  }
  assert.equal(lease.holder, 'anna');
});

test('transfers the lease to the client with the oldest request', () => {
  const { lease } = make();
  lease.take('anna');
  lease.handOver();
  assert.equal(lease.holder, 'anna', 'a handover needs a request');
  lease.take('bob');
  lease.take('carl');
  lease.handOver();
  assert.equal(lease.holder, 'bob');
  assert.deepEqual(lease.asking, ['carl']);
});

test('transfers the lease to a waiting client 5 s after the holder last drove, not earlier', () => {
  const { clock, lease } = make();
  lease.take('anna');
  clock.advance(1000);
  lease.touch();
  lease.take('bob');
  clock.advance(HANDOVER_MS - 1);
  lease.settle();
  assert.equal(lease.holder, 'anna');
  clock.advance(1);
  lease.settle();
  assert.equal(lease.holder, 'bob');
});

test('an idle holder loses the lease as soon as another client requests it', () => {
  const { clock, lease } = make();
  lease.take('anna');
  clock.advance(600_000);
  lease.settle();
  assert.equal(lease.holder, 'anna');
  lease.take('bob');
  assert.equal(lease.holder, 'bob');
});

test('a client that disconnects loses the lease and its place in the queue', () => {
  const { lease } = make();
  lease.take('anna');
  lease.take('bob');
  lease.take('carl');
  lease.leave('bob');
  lease.leave('anna');
  assert.equal(lease.holder, 'carl');
  assert.deepEqual(lease.asking, []);
});

test('ending a lease does not grant the lease to a client that is waiting for it', () => {
  const { lease } = make();
  lease.take('anna');
  lease.take('bob');
  lease.end();
  assert.equal(lease.holder, undefined);
  lease.refuseAll();
  lease.settle();
  assert.equal(lease.holder, undefined);
});

test.run();
