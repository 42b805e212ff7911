import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import Bonjour from 'bonjour-service';
import { suite } from 'uvu';
import { type MdnsOptions, mdnsAnnouncer } from '../../../src/adapters/mdns.js';
import { announcementOf } from '../../../src/app/composition/discovery.js';

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

test('another program discovers the gateway through both service types and detects when the announcements end', async () => {
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

const SERVICES = ['_http._tcp.local', '_cartwright._tcp.local'];

/** Encodes `count` questions for PTR records, which alternate between the two services. */
function query(count: number): Buffer {
  const header = Buffer.alloc(12);
  header.writeUInt16BE(count, 4);
  const labels = (name: string): Buffer[] =>
    name.split('.').map((label) => Buffer.from(String.fromCharCode(label.length) + label));
  const questions = Array.from({ length: count }, (_, nth) =>
    Buffer.concat([...labels(SERVICES[nth % 2] ?? ''), Buffer.from([0, 0, 12, 0, 1])]),
  );
  return Buffer.concat([header, ...questions]);
}

/** Returns the number of responses to the packets, up to the response to a final query. */
async function responsesTo(packets: readonly Buffer[]): Promise<{ responses: number; answers: number }> {
  const receiver = createSocket({ type: 'udp4', reuseAddr: true });
  receiver.bind(options.port);
  await once(receiver, 'listening');
  receiver.addMembership(GROUP, LOOPBACK);
  receiver.setMulticastInterface(LOOPBACK);
  const announcement = announcementOf(ABOUT, URL_7, '3f2a');
  const received: Buffer[] = [];
  const answered = async (count: number): Promise<void> => {
    while (received.length < count) await once(receiver, 'message');
  };
  receiver.on('message', (packet) => void ((packet.readUInt8(2) & 0x80) !== 0 && received.push(packet)));
  const responder = await mdnsAnnouncer(options)(announcement);
  // Waits for one announcement per service.
  await answered(2);
  for (const packet of packets) receiver.send(packet, options.port ?? 0, GROUP);
  receiver.send(query(1), options.port ?? 0, GROUP);
  const isLast = (packet: Buffer | undefined): boolean => packet?.readUInt16BE(6) === 1;
  let count = 3;
  do await answered(count++);
  while (!isLast(received.at(-1)));
  await responder.close();
  receiver.close();
  const responses = received.slice(2, count - 2);
  return { responses: responses.length, answers: responses[0]?.readUInt16BE(6) ?? 0 };
}

test('the announcer sends one response to a packet with many questions', async () => {
  assert.deepEqual(await responsesTo([query(64)]), { responses: 1, answers: 2 });
});

test('the announcer does not respond to packets with too many questions', async () => {
  assert.deepEqual(await responsesTo([query(65), query(300)]), { responses: 0, answers: 0 });
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
