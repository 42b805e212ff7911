import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { Broadcaster } from '../../../../src/camera/streaming/broadcaster.js';
import type { Layout } from '../../../../src/camera/streaming/multipart-frame.js';
import { drawPlaceholder } from '../../../../src/camera/streaming/placeholder.js';
import { StandIns } from '../../../../src/camera/streaming/placeholder-cache.js';
import type { Sink } from '../../../../src/camera/streaming/viewer.js';
import { settle } from '../../../helpers/cart-harness.js';
import { FakeClock } from '../../../helpers/fake-clock.js';
import { FakeSource } from '../fake-source.js';

const test = suite('the camera broadcaster');

/** A viewer that takes bytes when the test says so, or at once. */
class TestSink implements Sink {
  readonly got: Buffer[] = [];
  destroyed = false;
  prompt: boolean;
  #taken: (() => void) | undefined;

  constructor({ prompt = true } = {}) {
    this.prompt = prompt;
  }

  write(bytes: Buffer, taken: () => void): void {
    this.got.push(bytes);
    this.#taken = taken;
    if (this.prompt) this.take();
  }

  take(): void {
    const taken = this.#taken;
    this.#taken = undefined;
    taken?.();
  }

  destroy(): void {
    this.destroyed = true;
  }

  /** Numbers of the pictures that came, by their header; stand-ins are NaN. */
  numbers(): number[] {
    return this.got.slice(1).map((part) => Number(/X-Frame: (\d+)/.exec(part.toString('latin1'))?.[1]));
  }
}

function open(): { clock: FakeClock; source: FakeSource; broadcaster: Broadcaster } {
  const clock = new FakeClock();
  const source = new FakeSource(clock);
  return { clock, source, broadcaster: new Broadcaster({ source, standIns: new StandIns(), clock }) };
}

/** Frames at 30 a second, for so long. */
function run(clock: FakeClock, source: FakeSource, ms: number): void {
  for (let at = 0; at < ms; at += 100 / 3) {
    clock.advance(100 / 3);
    source.frame();
  }
}

const STAND_IN = Number.NaN;

test('fifty viewers get every frame, as one and the same buffer', () => {
  const { clock, source, broadcaster } = open();
  const sinks = Array.from({ length: 50 }, () => new TestSink());
  source.frame();
  for (const sink of sinks) broadcaster.stream(sink);
  run(clock, source, 1000);
  const [first] = sinks;
  assert.deepEqual(
    first?.numbers(),
    Array.from({ length: 31 }, (_, at) => at + 1),
  );
  for (const sink of sinks) {
    assert.equal(sink.got.length, first?.got.length);
    assert.ok(sink.got.slice(2).every((bytes, at) => bytes === first?.got[at + 2]));
  }
});

test('a part tells its type, length, number and time, and the boundary follows it at once', () => {
  const { clock, source, broadcaster } = open();
  const sink = new TestSink();
  const { jpeg } = source.frame();
  clock.advance(250);
  broadcaster.stream(sink);
  const takenAt = ((clock.wallTime() - 250) / 1000).toFixed(3);
  const head = `Content-Type: image/jpeg\r\nContent-Length: ${jpeg.length}\r\nX-Timestamp: ${takenAt}\r\nX-Frame: 1`;
  assert.deepEqual(sink.got.map(String), ['--frame\r\n', `${head}\r\n\r\n${jpeg}\r\n--frame\r\n`]);
});

test('with headers first, the head of the next part follows every picture', () => {
  const { source, broadcaster } = open();
  const sink = new TestSink();
  const layout: Layout = 'headers-first';
  const { jpeg } = source.frame();
  broadcaster.stream(sink, { layout });
  const head = '--frame\r\nContent-Type: image/jpeg\r\n\r\n';
  assert.deepEqual(sink.got.map(String), [head, `${jpeg}\r\n${head}`]);
});

test('a viewer that takes nothing for 15 s is dropped; nobody else notices', () => {
  const { clock, source, broadcaster } = open();
  source.frame();
  const stalled = new TestSink({ prompt: false });
  const other = new TestSink();
  broadcaster.stream(stalled);
  broadcaster.stream(other);
  run(clock, source, 14_500);
  assert.equal(stalled.destroyed, false);
  run(clock, source, 1500);
  assert.equal(stalled.destroyed, true);
  // One write is on its way, one part waits: nothing piles up.
  assert.equal(stalled.got.length, 1);
  assert.equal(other.destroyed, false);
  assert.deepEqual(
    other.numbers(),
    Array.from({ length: source.view().newest }, (_, at) => at + 1),
  );
  assert.equal(broadcaster.viewers, 1);
});

test('fps=10 gives ten of thirty, however the clock trembles', () => {
  const { clock, source, broadcaster } = open();
  const sink = new TestSink();
  broadcaster.stream(sink, { fps: 10 });
  const before = sink.got.length;
  for (let nth = 0; nth < 300; nth++) {
    clock.advance(nth % 2 === 0 ? 31 : 35.667);
    source.frame();
  }
  const got = sink.got.length - before;
  assert.ok(got >= 99 && got <= 101, `${got} pictures in 10 s`);
});

test('a slow reader gets the newest frame, and what it missed is counted', () => {
  const { source, broadcaster } = open();
  const sink = new TestSink();
  source.frame();
  broadcaster.stream(sink);
  sink.prompt = false;
  for (let nth = 0; nth < 5; nth++) source.frame();
  assert.deepEqual(sink.numbers(), [1, 2]);
  sink.take();
  assert.deepEqual(sink.numbers(), [1, 2, 6]);
  assert.deepEqual(broadcaster.streams(), [{ sent: 3, dropped: 3 }]);
});

test('a page that polls gets only what is newer than it has, and the newest of that', async () => {
  const { source, broadcaster } = open();
  source.frame();
  const second = source.frame();
  assert.equal(await broadcaster.next(0), second);
  const waiting = broadcaster.next(2);
  await settle();
  const third = source.frame();
  assert.equal(await waiting, third);
});

test('nothing new within 5 s answers nothing', async () => {
  const { clock, source, broadcaster } = open();
  const { number } = source.frame();
  const waiting = broadcaster.next(number);
  await settle();
  clock.advance(4999);
  assert.equal(broadcaster.viewers, 1);
  clock.advance(1);
  assert.equal(await waiting, undefined);
  assert.equal(broadcaster.viewers, 0);
});

test('a poll that is called off leaves no waiter and no timer behind', async () => {
  const { clock, source, broadcaster } = open();
  source.become({ phase: 'starting' });
  const timers = clock.timers;
  const cut = new AbortController();
  const waiting = broadcaster.next(0, cut.signal);
  await settle();
  assert.equal(broadcaster.viewers, 1);
  cut.abort();
  assert.equal(await waiting, undefined);
  assert.equal(broadcaster.viewers, 0);
  // The camera is kept for the next poll, then let go.
  assert.equal(source.wanted, 1);
  clock.advance(5000);
  assert.deepEqual([source.wanted, clock.timers], [0, timers]);
});

test('a picture from before a pause is never given as the newest', async () => {
  const { clock, source, broadcaster } = open();
  source.frame();
  clock.advance(1001);
  const waiting = broadcaster.next(0);
  await settle();
  const fresh = source.frame();
  assert.equal(await waiting, fresh);
});

test('a number from before a restart of the gateway does not wait for ever', async () => {
  const { source, broadcaster } = open();
  const waiting = broadcaster.next(7000);
  await settle();
  const first = source.frame();
  assert.equal(await waiting, first);
  assert.equal(await broadcaster.next(7000), first);
});

test('without a camera a poll is told why, also while it waits', async () => {
  const { source, broadcaster } = open();
  const fault = { code: 'missing', text: 'No camera is connected', hint: 'Look at the cable.', lines: [] };
  const told = (error: { code: string; message: string; info: { hint?: string } }): boolean => {
    assert.deepEqual([error.code, error.message, error.info.hint], ['CAMERA_DOWN', fault.text, fault.hint]);
    return true;
  };
  const waiting = assert.rejects(broadcaster.next(0), told);
  await settle();
  source.become({ phase: 'backoff', fault });
  await waiting;
  await assert.rejects(broadcaster.next(0), told);
  source.become({ phase: 'disabled' });
  await assert.rejects(broadcaster.next(0), /switched off/);
});

test('the camera is wanted while anybody looks, and by nobody else', async () => {
  const { clock, source, broadcaster } = open();
  assert.equal(source.wanted, 0);
  const idle = clock.timers;
  const leave = [broadcaster.stream(new TestSink()), broadcaster.stream(new TestSink())];
  assert.equal(source.wanted, 2);
  for (const cancel of leave) cancel();
  for (const cancel of leave) cancel();
  assert.deepEqual([source.wanted, broadcaster.viewers, clock.timers], [0, 0, idle]);
});

test('viewer 65 takes the place of the oldest viewer of the holder with the most', async () => {
  const { source, broadcaster } = open();
  source.frame();
  const [oldest, ...greedy] = Array.from({ length: 60 }, () => new TestSink());
  for (const sink of [oldest, ...greedy]) if (sink) broadcaster.stream(sink, { holder: 'greedy' });
  const others = Array.from({ length: 5 }, () => new TestSink());
  for (const [nth, sink] of others.entries()) broadcaster.stream(sink, { holder: `other ${nth}` });
  assert.equal(broadcaster.viewers, 64);
  assert.equal(oldest?.destroyed, true);
  assert.ok([...greedy, ...others].every(({ destroyed }) => !destroyed));
});

test('a waiting page gives its place up with CAMERA_FULL when its holder has the most', async () => {
  const { source, broadcaster } = open();
  const { number } = source.frame();
  const full = assert.rejects(broadcaster.next(number, undefined, 'greedy'), { code: 'CAMERA_FULL' });
  for (let nth = 0; nth < 63; nth += 1) broadcaster.stream(new TestSink(), { holder: 'greedy' });
  broadcaster.stream(new TestSink(), { holder: 'other' });
  await full;
  assert.equal(broadcaster.viewers, 64);
});

test('while the camera is silent the newest picture is sent again every second, with its own time', () => {
  const { clock, source, broadcaster } = open();
  const sink = new TestSink();
  source.frame();
  broadcaster.stream(sink);
  clock.advance(3000);
  assert.deepEqual(sink.numbers(), [1, 1, 1, 1]);
  assert.equal(new Set(sink.got.slice(1).map(String)).size, 1);
});

test('without a camera the stream goes on, with a picture that says why', () => {
  const { clock, source, broadcaster } = open();
  const sink = new TestSink();
  source.frame();
  broadcaster.stream(sink);
  const fault = { code: 'missing', text: 'No camera is connected', hint: 'Look at the cable.', lines: [] };
  source.become({ phase: 'backoff', fault });
  clock.advance(2000);
  assert.deepEqual(sink.numbers(), [1, STAND_IN, STAND_IN, STAND_IN]);
  const picture = drawPlaceholder(['NO LIVE PICTURE', fault.text, fault.hint], 640, 480);
  assert.ok(sink.got.at(-1)?.includes(picture));
  source.become({ phase: 'streaming' });
  source.frame();
  assert.equal(sink.numbers().at(-1), 2);
});

test('a photo while live pauses the pictures; the viewers stay and get the next one', () => {
  const { clock, source, broadcaster } = open();
  const sink = new TestSink();
  source.frame();
  broadcaster.stream(sink);
  source.become({ phase: 'capturing' });
  clock.advance(610);
  assert.deepEqual(sink.numbers(), [1]);
  source.become({ phase: 'streaming' });
  source.frame();
  assert.deepEqual([sink.numbers(), sink.destroyed, source.wanted], [[1, 2], false, 1]);
});

test('closing drops every viewer and every poll, and lets go of the camera', async () => {
  const { clock, source, broadcaster } = open();
  const sink = new TestSink();
  broadcaster.stream(sink);
  const waiting = assert.rejects(broadcaster.next(0), { code: 'STOPPING' });
  await settle();
  broadcaster.close();
  await waiting;
  assert.equal(sink.destroyed, true);
  assert.deepEqual([source.wanted, source.listeners, clock.timers], [0, 0, 0]);
});

test.run();
