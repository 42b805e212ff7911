import assert from 'node:assert/strict';
import { test } from 'uvu';
import type { EmbeddedBroker } from '../../../../src/adapters/broker/broker.js';
import { MAX_RETAINED_BYTES } from '../../../../src/adapters/broker/retained.js';
import { connectBus } from '../../../../src/adapters/mqtt/mqtt.js';
import type { MessageBus } from '../../../../src/shared/ports/mqtt.js';
import {
  busOptions,
  connected,
  disconnected,
  echo,
  Inbox,
  openBroker,
  openBus,
  withCleanup,
} from '../../carts/mqtt/test-bus.js';

type Later = Parameters<Parameters<typeof withCleanup>[0]>[0];

async function openBoth(
  later: Later,
): Promise<{ broker: EmbeddedBroker; own: MessageBus; other: MessageBus }> {
  const broker = await openBroker();
  later(() => broker.close());
  const own = connectBus(busOptions(broker.port), broker.dial);
  await connected(own);
  const other = await openBus(broker.port);
  later(() => Promise.all([own.close(), other.close()]));
  return { broker, own, other };
}

const NO_EVENTS = {
  whenRoom: () => undefined,
  message() {},
  closed() {},
  abort: new AbortController().signal,
};

const textOf = ({ payload }: { payload: Buffer }): string => payload.toString();

for (const qos of [0, 1] as const) {
  test(`delivers live QoS ${qos} messages in order in both directions, with the retain flag cleared`, () =>
    withCleanup(async (later) => {
      const { own, other, broker } = await openBoth(later);
      const [here, there] = [new Inbox(own, 't/#'), new Inbox(other, 't/#')];
      await echo(other);
      const numbers = Array.from({ length: 300 }, (_, at) => String(at));
      const sent = numbers.map((text) => own.publish('t/own', text, { qos, retain: true }));
      sent.push(...numbers.map((text) => other.publish('t/other', text, { qos })));
      await Promise.all(sent);
      for (const bus of [own, other, own]) await echo(bus);
      for (const inbox of [here, there]) {
        for (const topic of ['t/own', 't/other']) {
          const received = inbox.messages.filter((message) => message.topic === topic);
          assert.deepEqual(received.map(textOf), numbers);
          assert.ok(received.every(({ retain }) => !retain));
        }
      }
      assert.equal(broker.stats().clients, 1);
    }));
}

test('delivers retained messages with the retain flag set, but never after newer messages', () =>
  withCleanup(async (later) => {
    const { own, other } = await openBoth(later);
    for (const topic of ['t/1', 't/2', 't/cleared'])
      await other.publish(topic, 'old', { qos: 1, retain: true });
    await own.publish('t/cleared', '', { qos: 1, retain: true });
    const inbox = new Inbox(own, 't/+');
    // This message is published while the retained messages are being read.
    const newer = own.publish('t/2', 'new', { qos: 0 });
    await Promise.all([newer, inbox.first('retained', ({ topic }) => topic === 't/1')]);
    await inbox.settled();
    const received = inbox.messages.map((message) => [message.topic, textOf(message), message.retain]);
    assert.deepEqual(received.sort(), [
      ['t/1', 'old', true],
      ['t/2', 'new', false],
    ]);
  }));

test('calls each matching listener once, and only after the publish call has returned', () =>
  withCleanup(async (later) => {
    const { own } = await openBoth(later);
    let calls = 0;
    own.subscribe('t/+/x', () => {
      calls += 1;
    });
    const inbox = new Inbox(own, 't/#');
    void own.publish('t/1/x', 'both', { qos: 0 });
    assert.equal(calls, 0);
    await inbox.settled();
    assert.deepEqual([calls, inbox.messages.length], [1, 1]);
  }));

test('a listener can publish and unsubscribe during delivery', () =>
  withCleanup(async (later) => {
    const { own, other } = await openBoth(later);
    const answers = new Inbox(other, 'answer');
    await echo(other);
    let asked = 0;
    const cancel = own.subscribe('question', () => {
      asked += 1;
      cancel();
      void own.publish('answer', 'received', { qos: 1 });
    });
    await own.publish('question', '1', { qos: 1 });
    await answers.first('the answer');
    await own.publish('question', '2', { qos: 1 });
    await echo(own);
    assert.equal(asked, 1);
  }));

test('retained messages from the gateway process do not count towards client limits', () =>
  withCleanup(async (later) => {
    const { own, other } = await openBoth(later);
    const payload = 'a'.repeat(200_000);
    const fits = Math.floor(MAX_RETAINED_BYTES / payload.length);
    for (let at = 0; at <= fits; at += 1) await own.publish(`t/${at}`, payload, { qos: 1, retain: true });
    await other.publish('o/1', payload.slice(0, 8000), { qos: 1, retain: true });
  }));

test('a closed connection rejects publishes and does not deliver messages, even after the broker closes', () =>
  withCleanup(async (later) => {
    const { broker, own } = await openBoth(later);
    const second = connectBus(busOptions(broker.port), broker.dial);
    await connected(second);
    const inbox = new Inbox(second, 't/#');
    await echo(second);
    await second.close();
    await assert.rejects(second.publish('t/1', 'late', { qos: 0 }), { code: 'BROKER_DOWN' });
    await own.publish('t/1', 'late', { qos: 1 });
    await echo(own);
    assert.equal(inbox.messages.length, 0);
    await broker.close();
    assert.equal(String((await disconnected(own)).reason), 'the MQTT server has shut down');
    // Every retry fails with the same error.
    await assert.rejects(broker.dial(busOptions(broker.port), NO_EVENTS), /the MQTT server has shut down/);
    await assert.rejects(own.publish('t/1', 'late', { qos: 1 }), { code: 'BROKER_DOWN' });
  }));

test.run();
