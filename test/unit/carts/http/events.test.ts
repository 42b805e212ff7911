import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { type EventDeps, EventFeed } from '../../../../src/carts/http/events.js';
import { EventReader } from '../../../helpers/event-reader.js';
import { FakeClock } from '../../../helpers/fake-clock.js';

const test = suite('GET /events');

/** A string of the same length as a cart event. */
const NOTE = 'n'.repeat(1000);

function setUp(carts: number): {
  clock: FakeClock;
  feed: EventFeed;
  join: (isSlow?: boolean) => EventReader;
  login: { isGood: boolean };
} {
  const clock = new FakeClock();
  const near = Array.from({ length: carts }, (_, at) => ({ cartID: at + 1, ageMs: 40, note: NOTE }));
  const never = () => () => undefined;
  const login = { isGood: true };
  const feed = new EventFeed({
    dispatcher: {
      onCartChange: (told: (cartID: number) => void) =>
        clock.every(100, () => {
          for (const { cartID } of near) told(cartID);
        }),
      onCommand: never,
      near: () => near,
      newest: () => [],
    },
    layout: () => ({ gateway: {}, links: {}, carts: near }),
    drivers: { list: () => [] },
    beaconReports: { positions: () => [], onPosition: never },
    onLinks: never,
    onTrial: never,
    meaning: () => 'as now',
    onSettings: never,
    mayStay: () => login.isGood,
    stopToken: () => undefined,
    clock,
  } as unknown as EventDeps);
  const join = (isSlow = false): EventReader => Object.assign(new EventReader(), { isSlow }).join(feed);
  return { clock, feed, join, login };
}

test('every event contains the monotonic time of its transmission', () => {
  const { clock, feed, join } = setUp(1);
  const { events } = join();
  const startMs = clock.now();
  clock.stepWallTime(3_600_000);
  clock.advance(250);
  feed.close();
  assert.deepEqual(
    events.map(({ name, data }) => [name, data.sentMs - startMs]),
    [
      ['snapshot', 0],
      ['cart', 150],
      ['beat', 250],
      ['cart', 250],
    ],
  );
});

test('sends no more data to a slow client after its session ends', () => {
  const { clock, feed, join, login } = setUp(1);
  const reader = join(true);
  login.isGood = false;
  clock.advance(2000);
  assert.ok(reader.isEnded);
  clock.advance(60_000);
  reader.readAll();
  clock.advance(1000);
  feed.close();
});

test('sends no more data to a client that newer clients have displaced', () => {
  const { clock, feed, join } = setUp(1);
  const oldest = join(true);
  for (let at = 0; at < 200; at += 1) join();
  assert.ok(oldest.isEnded);
  clock.advance(1000);
  feed.close();
});

for (const carts of [1, 50]) {
  test(`with ${carts} carts, buffers at most two data snapshots for a client that does not read`, () => {
    const { clock, feed, join } = setUp(carts);
    const reader = join(true);
    const snapshotBytes = reader.writableLength;
    clock.advance(60_000);
    const most = Math.max(2 * snapshotBytes, reader.writableHighWaterMark) + (carts + 1) * 1200;
    assert.ok(reader.writableLength <= most, `${reader.writableLength} of ${most} bytes wait`);
    const before = reader.events.length;
    reader.readAll();
    feed.close();
    assert.deepEqual(
      reader.events.slice(before).map(({ name, data }) => [name, data.sentMs]),
      [['snapshot', clock.now()]],
    );
  });
}

test('does not send a second snapshot to a fast client, even if sending the first takes a long time', () => {
  const { clock, feed, join } = setUp(50);
  const reader = join(true);
  // 50 carts with ten events per second each produce 550 kB/s.
  for (let ms = 0; ms < 2000; ms += 10) {
    clock.advance(10);
    reader.writableLength = Math.max(0, reader.writableLength - 6000);
    if (reader.writableLength === 0) reader.emit('drain');
  }
  feed.close();
  assert.equal(reader.events.filter(({ name }) => name === 'snapshot').length, 1);
});

test.run();
