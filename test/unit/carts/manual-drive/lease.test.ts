import assert from 'node:assert/strict';
import { test } from 'uvu';
import { DriveLease, GIVES_WAY_MS } from '../../../../src/carts/manual-drive/lease.js';
import { FakeClock } from '../../../helpers/fake-clock.js';

function make(): { clock: FakeClock; lease: DriveLease<string> } {
  const clock = new FakeClock();
  return { clock, lease: new DriveLease(clock) };
}

test('a free lease goes to the first who takes it, and every lease has a number of its own', () => {
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

test('a lease that is held is asked for, once, and nobody takes it from somebody who drives', () => {
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

test('the holder hands over to whoever asked first', () => {
  const { lease } = make();
  lease.take('anna');
  lease.handOver();
  assert.equal(lease.holder, 'anna', 'to nobody it cannot be handed over');
  lease.take('bob');
  lease.take('carl');
  lease.handOver();
  assert.equal(lease.holder, 'bob');
  assert.deepEqual(lease.asking, ['carl']);
});

test('a holder who has not driven for five seconds gives way to whoever asks, and not a moment earlier', () => {
  const { clock, lease } = make();
  lease.take('anna');
  clock.advance(1000);
  lease.touch();
  lease.take('bob');
  clock.advance(GIVES_WAY_MS - 1);
  lease.settle();
  assert.equal(lease.holder, 'anna');
  clock.advance(1);
  lease.settle();
  assert.equal(lease.holder, 'bob');
});

test('an idle holder gives way at once when he has been idle for long, and keeps the lease while nobody asks', () => {
  const { clock, lease } = make();
  lease.take('anna');
  clock.advance(600_000);
  lease.settle();
  assert.equal(lease.holder, 'anna');
  lease.take('bob');
  assert.equal(lease.holder, 'bob');
});

test('who leaves makes way for the next, and does not come back into the queue by it', () => {
  const { lease } = make();
  lease.take('anna');
  lease.take('bob');
  lease.take('carl');
  lease.leave('bob');
  lease.leave('anna');
  assert.equal(lease.holder, 'carl');
  assert.deepEqual(lease.asking, []);
});

test('a lease that was ended for a reason passes to nobody by itself', () => {
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
