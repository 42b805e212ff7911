import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { test } from 'uvu';
import { type SimulatedDevice, simulatedOpener } from '../../../../src/adapters/serialport/mock.js';
import type { ByteLink } from '../../../../src/shared/ports/ports.js';
import { Signal } from '../../../../src/shared/signal.js';

/** A device that remembers what it got and answers on demand. */
function fakeDevice() {
  const sent = new Signal<[Uint8Array]>();
  const got: string[] = [];
  const device: SimulatedDevice = {
    receive: (bytes) => void got.push(Buffer.from(bytes).toString()),
    onSend: sent.on.bind(sent),
  };
  return { device, got, say: (text: string) => sent.emit(Buffer.from(text)) };
}

/** Resolves as soon as `claim` holds; fails after a bounded number of turns of the event loop. */
async function turnsUntil(claim: () => boolean): Promise<void> {
  for (let turn = 0; turn < 1000 && !claim(); turn++) await setImmediate();
  assert.ok(claim(), 'did not come true within 1000 turns');
}

const nextBytes = (link: ByteLink) =>
  new Promise<string>((resolve) => link.onBytes((bytes) => resolve(Buffer.from(bytes).toString())));
const closed = (link: ByteLink) => new Promise<Error | undefined>((resolve) => link.onClose(resolve));

test('bytes go both ways between a link and its device', async () => {
  const { device, got, say } = fakeDevice();
  const link = await simulatedOpener({ path: '/sim/both-ways', device }).open();
  link.write(Buffer.from('hello'));
  await turnsUntil(() => got.length > 0);
  assert.deepEqual(got, ['hello']);
  const answer = nextBytes(link);
  say('world');
  assert.equal(await answer, 'world');
  await link.close();
});

test('a device that answers while it receives is heard', async () => {
  const sent = new Signal<[Uint8Array]>();
  const device = { receive: (bytes: Uint8Array) => sent.emit(bytes), onSend: sent.on.bind(sent) };
  const link = await simulatedOpener({ path: '/sim/echo', device }).open();
  const answer = nextBytes(link);
  link.write(Buffer.from('ping'));
  assert.equal(await answer, 'ping');
  await link.close();
});

test('many writes in a row arrive complete and in order', async () => {
  const { device, got } = fakeDevice();
  const link = await simulatedOpener({ path: '/sim/in-order', device }).open();
  const words = Array.from({ length: 40 }, (_, index) => `<${index}>`);
  for (const word of words) link.write(Buffer.from(word));
  await turnsUntil(() => got.join('').length === words.join('').length);
  assert.equal(got.join(''), words.join(''));
  await link.close();
});

test('more than a kilobyte that the device has not taken is refused, not queued', async () => {
  const { device, got } = fakeDevice();
  const link = await simulatedOpener({ path: '/sim/stuck', device }).open();
  link.write(new Uint8Array(1000));
  assert.throws(() => link.write(new Uint8Array(100)), /the line is stuck/);
  await turnsUntil(() => got.join('').length >= 1000);
  assert.equal(got.join('').length, 1000);
  await link.close();
});

test('a closed link throws SERIAL_DOWN, and what was written never reaches the next one', async () => {
  const { device, got } = fakeDevice();
  const opener = simulatedOpener({ path: '/sim/closed', device });
  const first = await opener.open();
  await first.close();
  assert.throws(() => first.write(Buffer.from('stale')), { code: 'SERIAL_DOWN' });
  const second = await opener.open();
  second.write(Buffer.from('fresh'));
  await turnsUntil(() => got.length > 0);
  assert.deepEqual(got, ['fresh']);
  await second.close();
});

test('unplugging closes the link once with a disconnected cause; a write in flight never arrives', async () => {
  const { device, got } = fakeDevice();
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
  assert.deepEqual([closes, got], [1, []]);
});

test('an unplugged device cannot be opened, a replugged one can', async () => {
  const { device } = fakeDevice();
  const opener = simulatedOpener({ path: '/sim/replug', device });
  opener.unplug();
  await assert.rejects(opener.open(), { code: 'SERIAL_DOWN' });
  opener.replug();
  await (await opener.open()).close();
});

test('a port that is open cannot be opened again', async () => {
  const { device } = fakeDevice();
  const opener = simulatedOpener({ path: '/sim/busy', device });
  const link = await opener.open();
  await assert.rejects(opener.open(), { code: 'SERIAL_BUSY' });
  await link.close();
  await (await opener.open()).close();
});

test('closing tells once, without a cause, and always resolves', async () => {
  const { device, say } = fakeDevice();
  const link = await simulatedOpener({ path: '/sim/close', device }).open();
  const causes: unknown[] = [];
  link.onClose((cause) => causes.push(cause));
  await Promise.all([link.close(), link.close()]);
  await link.close();
  say('nobody hears this');
  assert.deepEqual(causes, [undefined]);
});

test('many devices live side by side', async () => {
  const pairs = await Promise.all(
    Array.from({ length: 50 }, async (_, index) => {
      const { device, got } = fakeDevice();
      return { got, link: await simulatedOpener({ path: `/sim/many/${index}`, device }).open(), index };
    }),
  );
  for (const { link, index } of pairs) link.write(Buffer.from(String(index)));
  await turnsUntil(() => pairs.every(({ got }) => got.length > 0));
  for (const { got, index } of pairs) assert.deepEqual(got, [String(index)]);
  await Promise.all(pairs.map(({ link }) => link.close()));
});

test.run();
