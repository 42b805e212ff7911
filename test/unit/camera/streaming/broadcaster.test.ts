import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { Broadcaster } from '../../../../src/camera/streaming/broadcaster.js';
import type { Layout } from '../../../../src/camera/streaming/multipart-frame.js';
import { drawPlaceholder, PlaceholderCache } from '../../../../src/camera/streaming/placeholder.js';
import type { Sink } from '../../../../src/camera/streaming/viewer.js';
import { settle } from '../../../helpers/cart-harness.js';
import { FakeClock } from '../../../helpers/fake-clock.js';
import { FakeSource } from '../fake-source.js';

const test = suite('camera broadcaster');

/** A viewer that flushes its bytes immediately, or only when the test calls `flush`. */
class TestSink implements Sink {
  readonly written: Buffer[] = [];
  destroyed = false;
  isFast: boolean;
  #flushed: (() => void) | undefined;

  constructor({ isFast = true } = {}) {
    this.isFast = isFast;
  }

  write(bytes: Buffer, flushed: () => void): void {
    this.written.push(bytes);
    this.#flushed = flushed;
    if (this.isFast) this.flush();
  }

  flush(): void {
    const flushed = this.#flushed;
    this.#flushed = undefined;
    flushed?.();
  }

  destroy(): void {
    this.destroyed = true;
  }

  /** Returns the numbers of the received images; NaN for placeholders. */
  numbers(): number[] {
    return this.written.slice(1).map((part) => Number(/X-Frame: (\d+)/.exec(part.toString('latin1'))?.[1]));
  }
}

function open(): { clock: FakeClock; source: FakeSource; broadcaster: Broadcaster } {
  const clock = new FakeClock();
  const source = new FakeSource(clock);
  return {
    clock,
    source,
    broadcaster: new Broadcaster({ source, placeholders: new PlaceholderCache(), clock }),
  };
}

/** Publishes 30 images per second for `ms` milliseconds. */
function run(clock: FakeClock, source: FakeSource, ms: number): void {
  for (let at = 0; at < ms; at += 100 / 3) {
    clock.advance(100 / 3);
    source.publish();
  }
}

const PLACEHOLDER = Number.NaN;

test('sends every image to fifty viewers from one buffer', () => {
  const { clock, source, broadcaster } = open();
  const sinks = Array.from({ length: 50 }, () => new TestSink());
  source.publish();
  for (const sink of sinks) broadcaster.stream(sink);
  run(clock, source, 1000);
  const [first] = sinks;
  assert.deepEqual(
    first?.numbers(),
    Array.from({ length: 31 }, (_, at) => at + 1),
  );
  for (const sink of sinks) {
    assert.equal(sink.written.length, first?.written.length);
    assert.ok(sink.written.slice(2).every((bytes, at) => bytes === first?.written[at + 2]));
  }
});

test('sends each part with its type, length, number and time, immediately followed by the boundary', () => {
  const { clock, source, broadcaster } = open();
  const sink = new TestSink();
  const { jpeg } = source.publish();
  clock.advance(250);
  broadcaster.stream(sink);
  const takenAt = ((clock.wallTime() - 250) / 1000).toFixed(3);
  const head = `Content-Type: image/jpeg\r\nContent-Length: ${jpeg.length}\r\nX-Timestamp: ${takenAt}\r\nX-Frame: 1`;
  assert.deepEqual(sink.written.map(String), ['--frame\r\n', `${head}\r\n\r\n${jpeg}\r\n--frame\r\n`]);
});

test("the headers-first layout sends the next part's headers directly after each image", () => {
  const { source, broadcaster } = open();
  const sink = new TestSink();
  const layout: Layout = 'headers-first';
  const { jpeg } = source.publish();
  broadcaster.stream(sink, { layout });
  const head = '--frame\r\nContent-Type: image/jpeg\r\n\r\n';
  assert.deepEqual(sink.written.map(String), [head, `${jpeg}\r\n${head}`]);
});

test('disconnects a viewer that does not read for 15 s, without affecting other viewers', () => {
  const { clock, source, broadcaster } = open();
  source.publish();
  const stalled = new TestSink({ isFast: false });
  const other = new TestSink();
  broadcaster.stream(stalled);
  broadcaster.stream(other);
  run(clock, source, 14_500);
  assert.equal(stalled.destroyed, false);
  run(clock, source, 1500);
  assert.equal(stalled.destroyed, true);
  // At most one write is pending and one image is waiting, so images do not accumulate.
  assert.equal(stalled.written.length, 1);
  assert.equal(other.destroyed, false);
  assert.deepEqual(
    other.numbers(),
    Array.from({ length: source.view().newest }, (_, at) => at + 1),
  );
  assert.equal(broadcaster.viewers, 1);
});

test('sends ten of every thirty images at fps=10 despite jitter', () => {
  const { clock, source, broadcaster } = open();
  const sink = new TestSink();
  broadcaster.stream(sink, { fps: 10 });
  const before = sink.written.length;
  for (let nth = 0; nth < 300; nth++) {
    clock.advance(nth % 2 === 0 ? 31 : 35.667);
    source.publish();
  }
  const count = sink.written.length - before;
  assert.ok(count >= 99 && count <= 101, `${count} images in 10 s`);
});

test('sends the latest image to a slow viewer and counts the dropped images', () => {
  const { source, broadcaster } = open();
  const sink = new TestSink();
  source.publish();
  broadcaster.stream(sink);
  sink.isFast = false;
  for (let nth = 0; nth < 5; nth++) source.publish();
  assert.deepEqual(sink.numbers(), [1, 2]);
  sink.flush();
  assert.deepEqual(sink.numbers(), [1, 2, 6]);
  assert.deepEqual(broadcaster.streams(), [{ sent: 3, dropped: 3 }]);
});

test('a poll returns the latest image if its number is higher than the specified number', async () => {
  const { source, broadcaster } = open();
  source.publish();
  const second = source.publish();
  assert.equal(await broadcaster.next(0), second);
  const waiting = broadcaster.next(2);
  await settle();
  const third = source.publish();
  assert.equal(await waiting, third);
});

test('a poll returns undefined after 5 s when there is no new image', async () => {
  const { clock, source, broadcaster } = open();
  const { number } = source.publish();
  const waiting = broadcaster.next(number);
  await settle();
  clock.advance(4999);
  assert.equal(broadcaster.viewers, 1);
  clock.advance(1);
  assert.equal(await waiting, undefined);
  assert.equal(broadcaster.viewers, 0);
});

test('an aborted poll leaves no waiting request or timer behind', async () => {
  const { clock, source, broadcaster } = open();
  source.update({ phase: 'starting' });
  const timers = clock.timers;
  const abort = new AbortController();
  const waiting = broadcaster.next(0, abort.signal);
  await settle();
  assert.equal(broadcaster.viewers, 1);
  abort.abort();
  assert.equal(await waiting, undefined);
  assert.equal(broadcaster.viewers, 0);
  // The broadcaster releases the camera 5 s after the last poll.
  assert.equal(source.acquired, 1);
  clock.advance(5000);
  assert.deepEqual([source.acquired, clock.timers], [0, timers]);
});

test('waits for a new image after a pause instead of returning an old one', async () => {
  const { clock, source, broadcaster } = open();
  source.publish();
  clock.advance(1001);
  const waiting = broadcaster.next(0);
  await settle();
  const fresh = source.publish();
  assert.equal(await waiting, fresh);
});

test('an image number from before a gateway restart does not delay a poll', async () => {
  const { source, broadcaster } = open();
  const waiting = broadcaster.next(7000);
  await settle();
  const first = source.publish();
  assert.equal(await waiting, first);
  assert.equal(await broadcaster.next(7000), first);
});

test("a poll fails with the camera's fault, even if the fault occurs during the poll", async () => {
  const { source, broadcaster } = open();
  const fault = { code: 'missing', text: 'No camera is connected', hint: 'Look at the cable.', lines: [] };
  const isFault = (error: { code: string; message: string; info: { hint?: string } }): boolean => {
    assert.deepEqual([error.code, error.message, error.info.hint], ['CAMERA_DOWN', fault.text, fault.hint]);
    return true;
  };
  const waiting = assert.rejects(broadcaster.next(0), isFault);
  await settle();
  source.update({ phase: 'backoff', fault });
  await waiting;
  await assert.rejects(broadcaster.next(0), isFault);
  source.update({ phase: 'disabled' });
  await assert.rejects(broadcaster.next(0), /disabled/);
});

test('uses the camera only while there are viewers', async () => {
  const { clock, source, broadcaster } = open();
  assert.equal(source.acquired, 0);
  const idle = clock.timers;
  const leave = [broadcaster.stream(new TestSink()), broadcaster.stream(new TestSink())];
  assert.equal(source.acquired, 2);
  for (const cancel of leave) cancel();
  for (const cancel of leave) cancel();
  assert.deepEqual([source.acquired, broadcaster.viewers, clock.timers], [0, 0, idle]);
});

test('the 65th viewer replaces the oldest viewer of the client that has the most viewers', async () => {
  const { source, broadcaster } = open();
  source.publish();
  const [oldest, ...greedy] = Array.from({ length: 60 }, () => new TestSink());
  for (const sink of [oldest, ...greedy]) if (sink) broadcaster.stream(sink, { holder: 'greedy' });
  const others = Array.from({ length: 5 }, () => new TestSink());
  for (const [nth, sink] of others.entries()) broadcaster.stream(sink, { holder: `other ${nth}` });
  assert.equal(broadcaster.viewers, 64);
  assert.equal(oldest?.destroyed, true);
  assert.ok([...greedy, ...others].every(({ destroyed }) => !destroyed));
});

test('a waiting poll fails with CAMERA_FULL when its client has the most viewers', async () => {
  const { source, broadcaster } = open();
  const { number } = source.publish();
  const full = assert.rejects(broadcaster.next(number, undefined, 'greedy'), { code: 'CAMERA_FULL' });
  for (let nth = 0; nth < 63; nth += 1) broadcaster.stream(new TestSink(), { holder: 'greedy' });
  broadcaster.stream(new TestSink(), { holder: 'other' });
  await full;
  assert.equal(broadcaster.viewers, 64);
});

test('repeats the latest image with its original time until the next image is due', () => {
  const { clock, source, broadcaster } = open();
  const sink = new TestSink();
  source.update({ framerate: 1 });
  source.publish();
  broadcaster.stream(sink);
  clock.advance(2000);
  assert.deepEqual(sink.numbers(), [1, 1, 1]);
  assert.equal(new Set(sink.written.slice(1).map(String)).size, 1);
});

test('a stream replaces an image that is older than 1 s with a placeholder', () => {
  const { clock, source, broadcaster } = open();
  const sink = new TestSink();
  source.publish();
  broadcaster.stream(sink);
  clock.advance(2000);
  assert.deepEqual(sink.numbers(), [1, 1, PLACEHOLDER]);
  source.publish();
  assert.deepEqual(sink.numbers(), [1, 1, PLACEHOLDER, 2]);
});

test('a stream replaces the image with a placeholder as soon as the camera repeats old images', () => {
  const { source, broadcaster } = open();
  const sink = new TestSink();
  source.publish();
  broadcaster.stream(sink);
  const fault = { code: 'frozen', text: 'the camera repeats old images', hint: 'Do not drive.', lines: [] };
  source.update({ fault });
  assert.deepEqual(sink.numbers(), [1, PLACEHOLDER]);
  assert.ok(
    sink.written
      .at(-1)
      ?.includes(drawPlaceholder(['NO LIVE IMAGE', 'The camera repeats old images', fault.hint], 640, 480)),
  );
});

for (const phase of ['idle', 'starting', 'stopping', 'capturing'] as const)
  test(`the first part of a stream that starts in the phase ${phase} is an image`, () => {
    const { clock, source, broadcaster } = open();
    const sink = new TestSink();
    source.update({ phase });
    broadcaster.stream(sink);
    clock.advance(4000);
    assert.deepEqual(sink.numbers(), []);
    source.update({ phase: 'streaming' });
    source.publish();
    assert.deepEqual(sink.numbers(), [1]);
  });

test('a stream starts with a placeholder when the camera does not deliver an image within 5 s', () => {
  const { clock, source, broadcaster } = open();
  const sink = new TestSink();
  source.update({ phase: 'starting' });
  broadcaster.stream(sink);
  clock.advance(5000);
  assert.deepEqual(sink.numbers(), [PLACEHOLDER]);
});

test('a stream starts with a placeholder immediately when the camera has a fault', () => {
  const { source, broadcaster } = open();
  const sink = new TestSink();
  source.update({ phase: 'backoff', fault: { code: 'missing', text: 'no camera is connected', lines: [] } });
  broadcaster.stream(sink);
  assert.deepEqual(sink.numbers(), [PLACEHOLDER]);
});

test('a stream continues with placeholder images that show the camera fault', () => {
  const { clock, source, broadcaster } = open();
  const sink = new TestSink();
  source.publish();
  broadcaster.stream(sink);
  const fault = { code: 'missing', text: 'No camera is connected', hint: 'Look at the cable.', lines: [] };
  source.update({ phase: 'backoff', fault });
  clock.advance(2000);
  assert.deepEqual(sink.numbers(), [1, PLACEHOLDER, PLACEHOLDER, PLACEHOLDER]);
  const placeholder = drawPlaceholder(['NO LIVE IMAGE', fault.text, fault.hint], 640, 480);
  assert.ok(sink.written.at(-1)?.includes(placeholder));
  source.update({ phase: 'streaming' });
  source.publish();
  assert.equal(sink.numbers().at(-1), 2);
});

test('viewers stay connected while a photo is taken, and then receive the next image', () => {
  const { clock, source, broadcaster } = open();
  const sink = new TestSink();
  source.publish();
  broadcaster.stream(sink);
  source.update({ phase: 'capturing' });
  clock.advance(610);
  assert.deepEqual(sink.numbers(), [1]);
  source.update({ phase: 'streaming' });
  source.publish();
  assert.deepEqual([sink.numbers(), sink.destroyed, source.acquired], [[1, 2], false, 1]);
});

test('closing the broadcaster drops all viewers and polls and releases the camera', async () => {
  const { clock, source, broadcaster } = open();
  const sink = new TestSink();
  broadcaster.stream(sink);
  const waiting = assert.rejects(broadcaster.next(0), { code: 'STOPPING' });
  await settle();
  broadcaster.close();
  await waiting;
  assert.equal(sink.destroyed, true);
  assert.deepEqual([source.acquired, source.listeners, clock.timers], [0, 0, 0]);
});

test.run();
