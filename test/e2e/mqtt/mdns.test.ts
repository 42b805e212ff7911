import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import Bonjour from 'bonjour-service';
import { suite } from 'uvu';
import { type MdnsOptions, mdnsAnnouncer } from '../../../src/adapters/mdns.js';
import { announcementOf } from '../../../src/gateway/composition/discovery.js';

/**
 * Browses for gateways from a second program on this machine. Packets stay on the loopback interface, on a
 * port that nothing else uses.
 */
const test = suite('mDNS');

const GROUP = '224.0.0.251';
const LOOPBACK = '127.0.0.1';

/**
 * Returns a free port on which this machine receives its own multicast packets, or undefined if multicast
 * does not work.
 */
async function multicastPort(): Promise<number | undefined> {
  const socket = createSocket({ type: 'udp4', reuseAddr: true });
  try {
    socket.bind(0);
    await once(socket, 'listening');
    socket.addMembership(GROUP, LOOPBACK);
    socket.setMulticastInterface(LOOPBACK);
    const { port } = socket.address();
    const message = once(socket, 'message', { signal: AbortSignal.timeout(1000) });
    socket.send('hello', port, GROUP);
    await message;
    return port;
  } catch {
    return undefined;
  } finally {
    socket.close();
  }
}

const port = await multicastPort();
const options: MdnsOptions = { port: port ?? 0, interface: LOOPBACK, bind: '0.0.0.0' };
const ABOUT = { name: 'Cart 7', cartID: 7, fleet: 'harbour', version: '1.2.3' };
const URL_7 = new URL('https://localhost:8443');

test('another program finds the gateway by both service types and detects when the announcements end', async () => {
  const seeker = new Bonjour(options);
  try {
    for (const type of ['cartwright', 'http']) {
      const browser = seeker.find({ type });
      const up = once(browser, 'up');
      const answer = await mdnsAnnouncer(options)(announcementOf(ABOUT, URL_7, '3f2a'));
      const [found] = await up;
      assert.deepEqual(
        [found.name, found.port, found.host],
        ['Cart 7 (3f2a)', 8443, 'cartwright-3f2a.local'],
      );
      assert.deepEqual(
        { ...found.txt },
        { path: '/', cartID: '7', fleet: 'harbour', version: '1.2.3', tls: '1' },
      );
      const down = once(browser, 'down');
      await answer.close();
      assert.equal((await down)[0].name, 'Cart 7 (3f2a)');
      browser.stop();
    }
  } finally {
    await new Promise<void>((resolve) => seeker.destroy(() => resolve()));
  }
});

test('the announcer responds to a query that is sent after the announcement', async () => {
  const answer = await mdnsAnnouncer(options)(announcementOf(ABOUT, URL_7, '3f2a'));
  const seeker = new Bonjour(options);
  const [found] = await once(seeker.find({ type: 'cartwright' }), 'up');
  assert.equal(found.name, 'Cart 7 (3f2a)');
  await answer.close();
  await new Promise<void>((resolve) => seeker.destroy(() => resolve()));
});

test('the announcement fails when the mDNS port is in use, but the process continues', async () => {
  const holder = createSocket('udp4');
  holder.bind(0);
  await once(holder, 'listening');
  const taken = { ...options, port: holder.address().port };
  await assert.rejects(mdnsAnnouncer(taken)(announcementOf(ABOUT, URL_7, '3f2a')), { code: 'EADDRINUSE' });
  holder.close();
});

if (port === undefined)
  process.stdout.write('SKIPPED: mDNS (multicast does not reach this machine itself)\n');
else test.run();
