import assert from 'node:assert/strict';
import { test } from 'uvu';
import type { Announcement } from '../../../../src/shared/ports/discovery.js';
import type { Log } from '../../../../src/shared/ports/log.js';
import { Discovery } from '../../../../src/system/health/discovery.js';
import { settle } from '../../../helpers/cart-harness.js';
import { FakeClock } from '../../../helpers/fake-clock.js';

/** A network that only remembers what it was told, and taken back. */
class Network {
  readonly clock = new FakeClock();
  readonly said: string[] = [];
  readonly logged: string[] = [];
  addresses = ['192.168.1.7'];
  what: Announcement | undefined = { name: 'Cart 1', host: 'cartwright.local', port: 3000, txt: {} };
  broken = '';
  readonly discovery: Discovery;

  constructor() {
    const note = (event: string): void => void this.logged.push(event);
    const log: Log = { debug: note, info: note, warn: note, error: note };
    this.discovery = new Discovery({
      announce: async ({ name }) => {
        if (this.broken) throw new Error(this.broken);
        this.said.push(`+${name}`);
        return { close: async () => void this.said.push(`-${name}`) };
      },
      wanted: () => this.what,
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

test('what is told once is told until it changes, and then taken back first', async () => {
  const net = new Network();
  net.discovery.start();
  await net.wait();
  await net.wait();
  assert.deepEqual(net.said, ['+Cart 1']);
  net.what = { name: 'Harbour', host: 'cartwright.local', port: 3000, txt: {} };
  await net.discovery.refresh();
  assert.deepEqual(net.said, ['+Cart 1', '-Cart 1', '+Harbour']);
  await net.discovery.close();
  assert.deepEqual(net.said.at(-1), '-Harbour');
  assert.equal(net.clock.timers, 0);
});

test('without a network nothing is told, and a cable that is plugged in later is noticed', async () => {
  const net = new Network();
  net.addresses = [];
  net.discovery.start();
  await net.wait();
  assert.deepEqual(net.said, []);
  net.addresses = ['10.0.0.4'];
  await net.wait();
  net.addresses = ['10.0.0.5'];
  await net.wait();
  net.addresses = [];
  await net.wait();
  assert.deepEqual(net.said, ['+Cart 1', '-Cart 1', '+Cart 1', '-Cart 1']);
  await net.discovery.close();
});

test('switched off it is taken back, switched on it is told again', async () => {
  const net = new Network();
  const { what } = net;
  net.discovery.start();
  await settle();
  net.what = undefined;
  await net.discovery.refresh();
  net.what = what;
  await net.discovery.refresh();
  assert.deepEqual(net.said, ['+Cart 1', '-Cart 1', '+Cart 1']);
  await net.discovery.close();
});

test('a failure is noted once, tried again, and does not keep the gateway from closing', async () => {
  const net = new Network();
  net.broken = 'EACCES';
  net.discovery.start();
  await net.wait();
  await net.wait();
  assert.deepEqual(net.logged, ['discovery.announce_failed']);
  net.broken = '';
  await net.wait();
  assert.deepEqual(net.said, ['+Cart 1']);
  net.broken = 'EACCES';
  net.what = { name: 'Harbour', host: 'cartwright.local', port: 3000, txt: {} };
  await net.wait();
  assert.deepEqual(net.logged, [
    'discovery.announce_failed',
    'discovery.announced',
    'discovery.announce_failed',
  ]);
  await net.discovery.close();
});

test.run();
