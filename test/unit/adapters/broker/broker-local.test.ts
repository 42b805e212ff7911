import assert from 'node:assert/strict';
import { test } from 'uvu';
import type { EmbeddedBroker } from '../../../../src/adapters/broker/broker.js';
import { MAX_RETAINED_BYTES } from '../../../../src/adapters/broker/retained.js';
import { connectBus } from '../../../../src/adapters/mqtt/mqtt.js';
import type { MessageBus } from '../../../../src/shared/ports/ports.js';
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

/** How this process itself is connected to its broker; what the tree does on it is tested with the gateway. */
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

const NO_EVENTS = { message() {}, closed() {}, abort: new AbortController().signal };

const textOf = ({ payload }: { payload: Buffer }): string => payload.toString();

for (const qos of [0, 1] as const) {
  test(`at QoS ${qos} messages go both ways, in order, and none is said to be retained that was just published`, () =>
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
          const heard = inbox.messages.filter((message) => message.topic === topic);
          assert.deepEqual(heard.map(textOf), numbers);
          assert.ok(heard.every(({ retain }) => !retain));
        }
      }
      assert.equal(broker.stats().clients, 1);
    }));
}

test('what is retained is handed over with its flag, but not after something newer', () =>
  withCleanup(async (later) => {
    const { own, other } = await openBoth(later);
    for (const topic of ['t/1', 't/2', 't/cleared'])
      await other.publish(topic, 'old', { qos: 1, retain: true });
    await own.publish('t/cleared', '', { qos: 1, retain: true });
    const inbox = new Inbox(own, 't/+');
    // Published while what is retained is read.
    const newer = own.publish('t/2', 'new', { qos: 0 });
    await Promise.all([newer, inbox.first('retained', ({ topic }) => topic === 't/1')]);
    await inbox.settled();
    const told = inbox.messages.map((message) => [message.topic, textOf(message), message.retain]);
    assert.deepEqual(told.sort(), [
      ['t/1', 'old', true],
      ['t/2', 'new', false],
    ]);
  }));

test('a message that fits several filters comes once, and after the turn in which it was published', () =>
  withCleanup(async (later) => {
    const { own } = await openBoth(later);
    let heard = 0;
    own.subscribe('t/+/x', () => {
      heard += 1;
    });
    const inbox = new Inbox(own, 't/#');
    void own.publish('t/1/x', 'both', { qos: 0 });
    assert.equal(heard, 0);
    await inbox.settled();
    assert.deepEqual([heard, inbox.messages.length], [1, 1]);
  }));

test('who listens may publish and stop listening while a message is delivered', () =>
  withCleanup(async (later) => {
    const { own, other } = await openBoth(later);
    const answers = new Inbox(other, 'answer');
    await echo(other);
    let asked = 0;
    const cancel = own.subscribe('question', () => {
      asked += 1;
      cancel();
      void own.publish('answer', 'heard', { qos: 1 });
    });
    await own.publish('question', '1', { qos: 1 });
    await answers.first('the answer');
    await own.publish('question', '2', { qos: 1 });
    await echo(own);
    assert.equal(asked, 1);
  }));

test('what this process retains takes no room from others', () =>
  withCleanup(async (later) => {
    const { own, other } = await openBoth(later);
    const payload = 'a'.repeat(200_000);
    const fits = Math.floor(MAX_RETAINED_BYTES / payload.length);
    for (let at = 0; at <= fits; at += 1) await own.publish(`t/${at}`, payload, { qos: 1, retain: true });
    await other.publish('o/1', payload, { qos: 1, retain: true });
  }));

test('after its end, and after that of the broker, it refuses at once and hears nothing more', () =>
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
    assert.equal(String((await disconnected(own)).reason), 'the broker was closed');
    // It tries again, and again.
    await assert.rejects(broker.dial(busOptions(broker.port), NO_EVENTS), /the broker was closed/);
    await assert.rejects(own.publish('t/1', 'late', { qos: 1 }), { code: 'BROKER_DOWN' });
  }));

test.run();
