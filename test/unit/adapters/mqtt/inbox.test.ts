import assert from 'node:assert/strict';
import { test } from 'uvu';
import { Inbox } from '../../../../src/adapters/mqtt/inbox.js';
import { InputScheduler } from '../../../../src/shared/input-scheduler.js';
import type { BusMessage } from '../../../../src/shared/ports/mqtt.js';
import { until } from '../../../helpers/until.js';

function openInbox() {
  let nowMs = 0;
  const inputs = new InputScheduler(() => ++nowMs);
  const delivered: string[] = [];
  const inbox = new Inbox({
    inputs,
    deliver: ({ topic, payload }) => void delivered.push(`${topic} ${payload}`),
    isNewestOnly: (topic) => topic.endsWith('/state'),
  });
  const add = (topic: string, text: string, rest: Partial<BusMessage> = {}): void =>
    inbox.add({ topic, payload: Buffer.from(text), retain: false, ...rest });
  return { inbox, add, delivered, settled: () => until(() => inputs.waiting === 0) };
}

test('the inbox delivers only the latest of several waiting messages on the same topic', async () => {
  const { add, delivered, settled } = openInbox();
  for (let nth = 0; nth < 1000; nth += 1) {
    add('7/state', String(nth));
    add('8/state', String(nth));
  }
  await settled();
  assert.deepEqual(delivered.sort(), ['7/state 999', '8/state 999']);
});

test('the inbox delivers every message on a topic that requires all messages', async () => {
  const { add, delivered, settled } = openInbox();
  for (let nth = 0; nth < 100; nth += 1) add('7/ack', String(nth));
  await settled();
  assert.deepEqual(
    delivered,
    Array.from({ length: 100 }, (_, nth) => `7/ack ${nth}`),
  );
});

test('the inbox delivers the latest state after the messages that preceded it', async () => {
  const { add, delivered, settled } = openInbox();
  add('7/state', 'driving');
  add('7/ack', 'finished');
  add('7/state', 'idle');
  await settled();
  assert.deepEqual(delivered, ['7/ack finished', '7/state idle']);
});

test('the inbox does not replace a waiting message with a retained one', async () => {
  const { add, delivered, settled } = openInbox();
  add('7/state', 'new');
  add('7/state', 'old', { retain: true });
  await settled();
  assert.deepEqual(delivered, ['7/state new', '7/state old']);
});

test('the inbox does not deliver messages during the call that adds one', () => {
  const { add, delivered } = openInbox();
  add('7/ack', 'x');
  assert.deepEqual(delivered, []);
});

test("the inbox delivers one sender's message before another sender's backlog", async () => {
  const { add, delivered, settled } = openInbox();
  for (let nth = 0; nth < 200; nth += 1) add('7/ack', String(nth), { sourceKey: 'key 1' });
  add('8/ack', 'x', { sourceKey: 'key 2' });
  await settled();
  assert.ok(delivered.indexOf('8/ack x') <= 2, String(delivered.indexOf('8/ack x')));
});

test('the inbox pauses reading when many messages are waiting, and resumes later', async () => {
  const { inbox, add, settled } = openInbox();
  let reads = 0;
  const read = (): void => inbox.whenRoom(() => reads++);
  read();
  for (let nth = 0; nth < 300; nth += 1) add('7/ack', String(nth));
  read();
  assert.equal(reads, 1);
  await settled();
  assert.equal(reads, 2);
});

test('the inbox drops waiting messages and continues reading when the inbox is closed', async () => {
  const { inbox, add, delivered, settled } = openInbox();
  let reads = 0;
  for (let nth = 0; nth < 300; nth += 1) add('7/ack', String(nth));
  inbox.whenRoom(() => reads++);
  inbox.close();
  await settled();
  assert.deepEqual([reads, delivered], [1, []]);
});

test.run();
