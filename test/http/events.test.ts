import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { Request, Response } from 'express';
import { suite } from 'uvu';
import { type EventDeps, EventFeed } from '../../src/http/events.js';
import { FakeClock } from '../support/fake-clock.js';

/** The stream of events, to a reader whose speed the test sets. */
const test = suite('GET /events');

/** As long as that of a cart. */
const NOTE = 'n'.repeat(1000);

class Reader extends EventEmitter {
  writableHighWaterMark = 16_384;
  writableLength = 0;
  isSlow = false;
  said: { name: string; data: { seq: number; sentMs: number } }[] = [];
  setHeader = (): void => undefined;
  writeHead = (): void => undefined;
  destroy = (): void => undefined;

  write(text: string): void {
    if (this.isSlow) this.writableLength += Buffer.byteLength(text);
    for (const [, name = '', data = ''] of text.matchAll(/^event: (.*)\nid: .*\ndata: (.*)$/gm)) {
      this.said.push({ name, data: JSON.parse(data) });
    }
  }

  readAll(): void {
    this.writableLength = 0;
    this.emit('drain');
  }
}

function setUp(carts: number): { clock: FakeClock; feed: EventFeed; join: (isSlow?: boolean) => Reader } {
  const clock = new FakeClock();
  const near = Array.from({ length: carts }, (_, at) => ({ cartID: at + 1, ageMs: 40, note: NOTE }));
  const never = () => () => undefined;
  const feed = new EventFeed({
    desk: {
      onCartChange: (told: (cartID: number) => void) =>
        clock.every(100, () => {
          for (const { cartID } of near) told(cartID);
        }),
      onCommand: never,
      near: () => near,
      newest: () => [],
    },
    frame: () => ({ gateway: {}, links: {}, carts: near }),
    sightings: { positions: () => [], onPosition: never },
    onLinks: never,
    onTrial: never,
    meaning: () => 'as now',
    onSettings: never,
    mayStay: () => true,
    clock,
  } as unknown as EventDeps);
  const router = feed.router();
  const join = (isSlow = false): Reader => {
    const reader = Object.assign(new Reader(), { isSlow });
    const req = { method: 'GET', url: '/events', query: {} } as unknown as Request;
    router(req, reader as unknown as Response, assert.fail);
    return reader;
  };
  return { clock, feed, join };
}

test('every event says when it was sent, by the clock that never jumps', () => {
  const { clock, feed, join } = setUp(1);
  const { said } = join();
  const startMs = clock.now();
  clock.stepWallTime(3_600_000);
  clock.advance(250);
  feed.close();
  assert.deepEqual(
    said.map(({ name, data }) => [name, data.sentMs - startMs]),
    [
      ['snapshot', 0],
      ['cart', 150],
      ['beat', 250],
      ['cart', 250],
    ],
  );
});

for (const carts of [1, 50]) {
  test(`of ${carts} carts, a reader who does not read is sent two snapshots' worth, and then what is true`, () => {
    const { clock, feed, join } = setUp(carts);
    const reader = join(true);
    const snapshotBytes = reader.writableLength;
    clock.advance(60_000);
    const most = Math.max(2 * snapshotBytes, reader.writableHighWaterMark) + (carts + 1) * 1200;
    assert.ok(reader.writableLength <= most, `${reader.writableLength} of ${most} bytes wait`);
    const before = reader.said.length;
    reader.readAll();
    feed.close();
    assert.deepEqual(
      reader.said.slice(before).map(({ name, data }) => [name, data.sentMs]),
      [['snapshot', clock.now()]],
    );
  });
}

test('a reader who is quicker than the news is not sent a second snapshot, however long the first takes', () => {
  const { clock, feed, join } = setUp(50);
  const reader = join(true);
  // 50 carts ten times a second are 550 kB.
  for (let ms = 0; ms < 2000; ms += 10) {
    clock.advance(10);
    reader.writableLength = Math.max(0, reader.writableLength - 6000);
    if (reader.writableLength === 0) reader.emit('drain');
  }
  feed.close();
  assert.equal(reader.said.filter(({ name }) => name === 'snapshot').length, 1);
});

test.run();
