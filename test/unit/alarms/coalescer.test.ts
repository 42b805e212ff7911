import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { type AlarmEvent, alarmOf, type EventGroup } from '../../../src/alarms/alarm.js';
import { Coalescer } from '../../../src/alarms/coalescer.js';
import { FakeClock } from '../../helpers/fake-clock.js';

const test = suite('alarm groups');

function open() {
  const clock = new FakeClock();
  const groups: EventGroup[] = [];
  const coalescer = new Coalescer(clock, (group) => groups.push(group));
  const add = (event: Partial<AlarmEvent> = {}): void =>
    coalescer.add({ kind: 'estop', cartID: 2, detail: 'Anna', at: clock.wallTime(), ...event });
  return { clock, groups, coalescer, add, counts: () => groups.map(({ count }) => count) };
}

test('reports a chattering input immediately, and then every 60 s with a count', () => {
  const { clock, add, counts } = open();
  for (let ms = 0; ms < 120_000; ms += 100) {
    add();
    clock.advance(100);
  }
  assert.deepEqual(counts(), [1, 599, 600]);
  clock.advance(120_000);
  assert.deepEqual(counts(), [1, 599, 600]);
  assert.equal(clock.timers, 0);
  add();
  assert.equal(counts().at(-1), 1);
});

test('does not combine alarms from different carts or of different kinds', () => {
  const { add, counts } = open();
  add();
  add({ cartID: 3 });
  add({ kind: 'protective-stop' });
  assert.deepEqual(counts(), [1, 1, 1]);
});

test('closing the coalescer reports all unreported events', () => {
  const { clock, add, counts, coalescer } = open();
  for (let n = 0; n < 3; n += 1) add();
  coalescer.close();
  assert.deepEqual([counts(), clock.timers], [[1, 2], 0]);
});

const SOURCE = { gateway: 'Cart 2', url: 'http://cart.local:3000' } as const;
const EVENT: AlarmEvent = { kind: 'estop', cartID: 2, at: Date.UTC(2026, 4, 4, 12, 2, 11), detail: 'Anna' };

/** Removes the times, because they depend on the machine's time zone. */
const withoutTimes = (text: string): string => text.replace(/\d\d:\d\d:\d\d \S+?(?=\)|$)/g, 'TIME');

test('describes an alarm in one sentence, in English or Dutch', () => {
  const one = { event: EVENT, count: 1, since: EVENT.at };
  const many = { event: EVENT, count: 38, since: EVENT.at - 50_000 };
  const text = (group: EventGroup, language: 'en' | 'nl'): string =>
    withoutTimes(alarmOf('id', group, { ...SOURCE, language }).text);
  assert.equal(text(one, 'en'), 'Cart 2: stopped by Anna at TIME');
  assert.equal(text(one, 'nl'), 'Cart 2: gestopt door Anna om TIME');
  assert.match(
    alarmOf('id', many, { ...SOURCE, language: 'en' }).text,
    /\(38 times since \d\d:\d\d:\d\d \S+\)$/,
  );
});

test('shows a multi-line error on one line', () => {
  const event: AlarmEvent = { ...EVENT, kind: 'backup-failed', detail: 'first\r\nBcc: eve@example.com' };
  const { text } = alarmOf('id', { event, count: 1, since: EVENT.at }, { ...SOURCE, language: 'en' });
  assert.match(text, /: first Bcc: eve@example\.com$/);
});

test("an alarm links to the cart's page or to the System page", () => {
  const urlOf = (kind: AlarmEvent['kind']): string =>
    alarmOf('id', { event: { ...EVENT, kind }, count: 1, since: EVENT.at }, { ...SOURCE, language: 'en' })
      .url;
  assert.equal(urlOf('estop'), 'http://cart.local:3000/?cart=2');
  assert.equal(urlOf('disk-low'), 'http://cart.local:3000/system');
});

test.run();
