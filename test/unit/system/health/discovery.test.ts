import assert from 'node:assert/strict';
import { test } from 'uvu';
import type { Announcement } from '../../../../src/shared/ports/discovery.js';
import type { Log } from '../../../../src/shared/ports/log.js';
import { Discovery } from '../../../../src/system/health/discovery.js';
import { settle } from '../../../helpers/cart-harness.js';
import { FakeClock } from '../../../helpers/fake-clock.js';

/** A simulated network that records announcements (+) and withdrawals (-). */
class Network {
  readonly clock = new FakeClock();
  readonly events: string[] = [];
  readonly logged: string[] = [];
  addresses = ['192.168.1.7'];
  announcement: Announcement | undefined = { name: 'Cart 1', host: 'cartwright.local', port: 3000, txt: {} };
  failure = '';
  readonly discovery: Discovery;

  constructor() {
    const note = (event: string): void => void this.logged.push(event);
    const log: Log = { debug: note, info: note, warn: note, error: note };
    this.discovery = new Discovery({
      announce: async ({ name }) => {
        if (this.failure) throw new Error(this.failure);
        this.events.push(`+${name}`);
        return { close: async () => void this.events.push(`-${name}`) };
      },
      announcement: () => this.announcement,
      addresses: () => this.addresses,
      clock: this.clock,
      log,
    });
  }

  async wait(): Promise<void> {
    this.clock.advance(10_000);
    await settle();
  }
}

test('withdraws the old announcement before announcing a change', async () => {
  const net = new Network();
  net.discovery.start();
  await net.wait();
  await net.wait();
  assert.deepEqual(net.events, ['+Cart 1']);
  net.announcement = { name: 'Harbour', host: 'cartwright.local', port: 3000, txt: {} };
  await net.discovery.refresh();
  assert.deepEqual(net.events, ['+Cart 1', '-Cart 1', '+Harbour']);
  await net.discovery.close();
  assert.deepEqual(net.events.at(-1), '-Harbour');
  assert.equal(net.clock.timers, 0);
});

test('announces the gateway when a network becomes available and when its address changes', async () => {
  const net = new Network();
  net.addresses = [];
  net.discovery.start();
  await net.wait();
  assert.deepEqual(net.events, []);
  net.addresses = ['10.0.0.4'];
  await net.wait();
  net.addresses = ['10.0.0.5'];
  await net.wait();
  net.addresses = [];
  await net.wait();
  assert.deepEqual(net.events, ['+Cart 1', '-Cart 1', '+Cart 1', '-Cart 1']);
  await net.discovery.close();
});

test('announces the gateway or withdraws the announcement when the announce setting changes', async () => {
  const net = new Network();
  const { announcement } = net;
  net.discovery.start();
  await settle();
  net.announcement = undefined;
  await net.discovery.refresh();
  net.announcement = announcement;
  await net.discovery.refresh();
  assert.deepEqual(net.events, ['+Cart 1', '-Cart 1', '+Cart 1']);
  await net.discovery.close();
});

test('logs a failure once, retries, and can still be closed', async () => {
  const net = new Network();
  net.failure = 'EACCES';
  net.discovery.start();
  await net.wait();
  await net.wait();
  assert.deepEqual(net.logged, ['discovery.announce_failed']);
  net.failure = '';
  await net.wait();
  assert.deepEqual(net.events, ['+Cart 1']);
  net.failure = 'EACCES';
  net.announcement = { name: 'Harbour', host: 'cartwright.local', port: 3000, txt: {} };
  await net.wait();
  assert.deepEqual(net.logged, [
    'discovery.announce_failed',
    'discovery.announced',
    'discovery.announce_failed',
  ]);
  await net.discovery.close();
});

test.run();
