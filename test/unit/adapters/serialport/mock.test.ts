import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { test } from 'uvu';
import { type SimulatedDevice, simulatedOpener } from '../../../../src/adapters/serialport/mock.js';
import type { ByteLink } from '../../../../src/shared/ports/serial.js';
import { Signal } from '../../../../src/shared/signal.js';

function fakeDevice() {
  const sent = new Signal<[Uint8Array]>();
  const received: string[] = [];
  const device: SimulatedDevice = {
    receive: (bytes) => void received.push(Buffer.from(bytes).toString()),
    onSend: sent.on.bind(sent),
    opened: () => undefined,
  };
  return { device, received, send: (text: string) => sent.emit(Buffer.from(text)) };
}

/** Resolves when `condition` returns true; rejects after 1000 iterations of the event loop. */
async function turnsUntil(condition: () => boolean): Promise<void> {
  for (let turn = 0; turn < 1000 && !condition(); turn++) await setImmediate();
  assert.ok(condition(), 'the condition does not hold after 1000 turns');
}

const nextBytes = (link: ByteLink) =>
  new Promise<string>((resolve) => link.onBytes((bytes) => resolve(Buffer.from(bytes).toString())));
const closed = (link: ByteLink) => new Promise<Error | undefined>((resolve) => link.onClose(resolve));

test('passes bytes in both directions between a link and its device', async () => {
  const { device, received, send } = fakeDevice();
  const link = await simulatedOpener({ path: '/sim/both-ways', device }).open();
  link.write(Buffer.from('hello'));
  await turnsUntil(() => received.length > 0);
  assert.deepEqual(received, ['hello']);
  const answer = nextBytes(link);
  send('world');
  assert.equal(await answer, 'world');
  await link.close();
});

test('delivers a reply that the device sends from its receive handler', async () => {
  const sent = new Signal<[Uint8Array]>();
  const receive = (bytes: Uint8Array): void => sent.emit(bytes);
  const device = { receive, onSend: sent.on.bind(sent), opened: () => undefined };
  const link = await simulatedOpener({ path: '/sim/echo', device }).open();
  const answer = nextBytes(link);
  link.write(Buffer.from('ping'));
  assert.equal(await answer, 'ping');
  await link.close();
});

test('delivers the data that the device sends when the port is opened', async () => {
  const { device, send } = fakeDevice();
  device.opened = () => send('ready');
  const link = await simulatedOpener({ path: '/sim/opened', device }).open();
  assert.equal(await nextBytes(link), 'ready');
  await link.close();
});

test('delivers consecutive writes completely and in order', async () => {
  const { device, received } = fakeDevice();
  const link = await simulatedOpener({ path: '/sim/in-order', device }).open();
  const chunks = Array.from({ length: 40 }, (_, index) => `<${index}>`);
  for (const chunk of chunks) link.write(Buffer.from(chunk));
  await turnsUntil(() => received.join('').length === chunks.join('').length);
  assert.equal(received.join(''), chunks.join(''));
  await link.close();
});

test('rejects a write that would leave more than 1 kB unsent', async () => {
  const { device, received } = fakeDevice();
  const link = await simulatedOpener({ path: '/sim/stuck', device }).open();
  link.write(new Uint8Array(1000));
  assert.throws(() => link.write(new Uint8Array(100)), /the serial line is blocked/);
  await turnsUntil(() => received.join('').length >= 1000);
  assert.equal(received.join('').length, 1000);
  await link.close();
});

test('a closed link throws SERIAL_DOWN on a write and does not pass bytes to a new link', async () => {
  const { device, received } = fakeDevice();
  const opener = simulatedOpener({ path: '/sim/closed', device });
  const first = await opener.open();
  await first.close();
  assert.throws(() => first.write(Buffer.from('stale')), { code: 'SERIAL_DOWN' });
  const second = await opener.open();
  second.write(Buffer.from('fresh'));
  await turnsUntil(() => received.length > 0);
  assert.deepEqual(received, ['fresh']);
  await second.close();
});

test('unplugging closes the link once, reports a disconnection and drops the write in flight', async () => {
  const { device, received } = fakeDevice();
  const opener = simulatedOpener({ path: '/sim/unplug', device });
  const link = await opener.open();
  let closes = 0;
  link.onClose(() => {
    closes += 1;
  });
  const end = closed(link);
  link.write(Buffer.from('in flight'));
  opener.unplug();
  const cause = await end;
  assert.match(cause?.message ?? '', /unplugged/);
  assert.equal((cause as { disconnected?: boolean }).disconnected, true);
  await link.close();
  await setImmediate();
  assert.deepEqual([closes, received], [1, []]);
});

test('an unplugged device cannot be opened until it is plugged in again', async () => {
  const { device } = fakeDevice();
  const opener = simulatedOpener({ path: '/sim/replug', device });
  opener.unplug();
  await assert.rejects(opener.open(), { code: 'SERIAL_DOWN' });
  opener.replug();
  await (await opener.open()).close();
});

test('a port that is already open cannot be opened again', async () => {
  const { device } = fakeDevice();
  const opener = simulatedOpener({ path: '/sim/busy', device });
  const link = await opener.open();
  await assert.rejects(opener.open(), { code: 'SERIAL_BUSY' });
  await link.close();
  await (await opener.open()).close();
});

test('closing a link always resolves and emits one close event without a cause', async () => {
  const { device, send } = fakeDevice();
  const link = await simulatedOpener({ path: '/sim/close', device }).open();
  const causes: unknown[] = [];
  link.onClose((cause) => causes.push(cause));
  await Promise.all([link.close(), link.close()]);
  await link.close();
  send('after the end');
  assert.deepEqual(causes, [undefined]);
});

test('the mock keeps the data of 50 open devices separate', async () => {
  const pairs = await Promise.all(
    Array.from({ length: 50 }, async (_, index) => {
      const { device, received } = fakeDevice();
      return { received, link: await simulatedOpener({ path: `/sim/many/${index}`, device }).open(), index };
    }),
  );
  for (const { link, index } of pairs) link.write(Buffer.from(String(index)));
  await turnsUntil(() => pairs.every(({ received }) => received.length > 0));
  for (const { received, index } of pairs) assert.deepEqual(received, [String(index)]);
  await Promise.all(pairs.map(({ link }) => link.close()));
});

test.run();
