import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { textOf } from '../../../../src/shared/messages/message.js';
import { CameraSourceHarness } from '../camera-source-harness.js';
import { baseline } from '../jpeg-samples.js';

const test = suite('the camera as one source of pictures');

const NONE = 'ERROR: *** no cameras available ***';
const BUSY = 'Pipeline handler in use by another process';

test('nothing runs before somebody wants it, and one program runs for however many want it', () => {
  const { source, device } = new CameraSourceHarness();
  assert.equal(device.programs.length, 0);
  source.want();
  source.want();
  assert.equal(device.programs.length, 1);
  assert.equal(source.view().phase, 'starting');
});

test('a connection is no picture: connect and end again is a failed start', () => {
  const { source, device } = new CameraSourceHarness();
  source.want();
  device.last.connect();
  assert.equal(source.view().phase, 'starting');
  device.last.end(255, NONE);
  const { phase, fault, newest } = source.view();
  assert.deepEqual([phase, fault?.code, newest], ['backoff', 'missing', 0]);
});

test('pictures carry numbers that count on across restarts, and the moment when they were whole', () => {
  const harness = new CameraSourceHarness();
  const { source, device, clock } = harness;
  source.want();
  device.last.show();
  assert.equal(harness.phase, 'streaming');
  clock.advance(40);
  device.last.send(baseline(2));
  device.endTurn();
  assert.deepEqual(
    harness.frames.map(({ number, atMs }) => [number, atMs]),
    [
      [1, 1_000_000],
      [2, 1_000_040],
    ],
  );
  assert.deepEqual(source.newest()?.jpeg, baseline(2));
  device.last.end(139);
  assert.equal(source.newest(), undefined, 'an old picture is not shown as a live one');
  clock.advance(500);
  device.last.show();
  assert.equal(source.newest()?.number, 3);
});

test('after a pause of the process only the newest picture of the turn is published', () => {
  const harness = new CameraSourceHarness();
  harness.source.want();
  harness.device.last.show();
  harness.clock.stall(1000);
  const late = Array.from({ length: 30 }, (_, at) => baseline(100 + at));
  harness.device.last.send(Buffer.concat(late.slice(0, 20)));
  harness.device.last.send(Buffer.concat(late.slice(20)));
  harness.device.endTurn();
  assert.equal(harness.frames.length, 2);
  assert.deepEqual(harness.frames[1]?.jpeg, baseline(129));
  assert.equal(harness.frames[1]?.number, 2);
});

test('a pause longer than the limit is no stall when pictures have arrived meanwhile', () => {
  const harness = new CameraSourceHarness();
  harness.source.want();
  harness.device.last.show();
  harness.clock.stall(10_000);
  // Timers come first in a turn, then what was received.
  harness.clock.advance(0);
  harness.device.last.send();
  harness.device.endTurn();
  assert.equal(harness.phase, 'streaming');
  assert.deepEqual(harness.device.last.done, []);
});

test('a program that does not connect within 4 s is ended', () => {
  const harness = new CameraSourceHarness();
  harness.source.want();
  harness.advance(3999);
  assert.deepEqual(harness.device.last.done, []);
  harness.advance(1);
  assert.deepEqual(harness.device.last.done, ['cut']);
});

test('no first picture within the set time: reset, SIGTERM after 1.5 s, SIGKILL 1 s later', () => {
  const harness = new CameraSourceHarness({ timeoutMs: 8000 });
  harness.source.want();
  harness.device.last.connect();
  harness.advance(7999);
  assert.equal(harness.phase, 'starting');
  harness.advance(1);
  assert.equal(harness.phase, 'stopping');
  assert.deepEqual(harness.device.last.done, ['cut']);
  harness.advance(1499);
  assert.deepEqual(harness.device.last.done, ['cut']);
  harness.advance(1);
  assert.deepEqual(harness.device.last.done, ['cut', 'SIGTERM']);
  harness.advance(1000);
  assert.deepEqual(harness.device.last.done, ['cut', 'SIGTERM', 'SIGKILL']);
  harness.advance(1000);
  assert.deepEqual(harness.device.last.done, ['cut', 'SIGTERM', 'SIGKILL', 'SIGKILL']);
  assert.equal(harness.device.programs.length, 1, 'no other one before this one is gone');
  harness.device.last.end(137);
  const { phase, fault } = harness.source.view();
  assert.deepEqual([phase, fault?.code], ['backoff', 'stalled']);
  assert.match(textOf(fault?.text ?? ''), /nothing for 8 s/);
});

test('a stream that falls silent is ended and started again; its own words say why', () => {
  const harness = new CameraSourceHarness();
  harness.source.want();
  harness.device.last.show();
  harness.advance(2999);
  assert.equal(harness.phase, 'streaming');
  harness.advance(1);
  assert.equal(harness.phase, 'stopping');
  harness.device.last.end(143, 'ERROR: Device timeout detected, attempting a restart!!!');
  assert.match(textOf(harness.source.view().fault?.hint ?? ''), /ribbon cable/);
  harness.advance(500);
  assert.equal(harness.device.programs.length, 2);
});

test('slow pictures have more time: four of them, or three exposures', () => {
  const slow = new CameraSourceHarness({ framerate: 1 });
  slow.source.want();
  slow.device.last.show();
  slow.advance(3999);
  assert.equal(slow.phase, 'streaming');
  slow.advance(1);
  assert.equal(slow.phase, 'stopping');
});

test('a crash is followed by a new start after the backoff; who wants pictures need do nothing', () => {
  const harness = new CameraSourceHarness();
  harness.source.want();
  harness.device.last.show();
  harness.device.last.end(139);
  assert.deepEqual([harness.phase, harness.source.view().retryAtMs], ['backoff', harness.clock.now() + 500]);
  harness.advance(500);
  harness.device.last.show();
  assert.equal(harness.phase, 'streaming');
  assert.equal(harness.source.view().fault, undefined);
});

test('the waits grow from 0.5 s to 30 s, and 30 s of pictures begin them anew', () => {
  const harness = new CameraSourceHarness();
  harness.source.want();
  const waits: number[] = [];
  const fail = (): void => {
    harness.device.last.end(139);
    waits.push((harness.source.view().retryAtMs ?? 0) - harness.clock.now());
    harness.advance(waits.at(-1) ?? 0);
  };
  for (let failure = 0; failure < 7; failure++) fail();
  assert.deepEqual(waits, [500, 1000, 2000, 5000, 10_000, 30_000, 30_000]);
  const stream = (seconds: number): void => {
    harness.device.last.connect();
    for (let second = 0; second <= seconds; second++) {
      harness.device.last.send();
      harness.device.endTurn();
      if (second < seconds) harness.clock.advance(1000);
    }
  };
  stream(29);
  fail();
  stream(30);
  fail();
  assert.deepEqual(waits.slice(7), [30_000, 500]);
});

test('what people must mend is tried every 10 s, then every 30 s', () => {
  for (const [code, text] of [
    [127, 'not found'],
    [255, NONE],
    [255, 'Could not open any dmaHeap device'],
  ] as const) {
    const harness = new CameraSourceHarness();
    harness.source.want();
    const waits = Array.from({ length: 3 }, () => {
      harness.device.last.end(code, text);
      const wait = (harness.source.view().retryAtMs ?? 0) - harness.clock.now();
      harness.advance(wait);
      return wait;
    });
    assert.deepEqual(waits, [10_000, 30_000, 30_000], text);
  }
});

test('a busy camera is tried every 2 s and found free without anybody doing anything', () => {
  const harness = new CameraSourceHarness();
  harness.source.want();
  for (let failure = 0; failure < 5; failure++) {
    harness.device.last.end(255, BUSY);
    assert.equal(harness.source.view().fault?.code, 'busy');
    assert.equal((harness.source.view().retryAtMs ?? 0) - harness.clock.now(), 2000);
    harness.advance(2000);
  }
  harness.device.last.show();
  assert.equal(harness.phase, 'streaming');
});

test('a refused option is not tried again until the settings change, or a person asks', () => {
  const harness = new CameraSourceHarness();
  harness.source.want();
  const refuse = () => harness.device.last.end(255, "ERROR: *** unrecognised option '--sparkle' ***");
  refuse();
  harness.advance(3_600_000);
  assert.equal(harness.device.programs.length, 1);
  assert.deepEqual([harness.phase, harness.source.view().retryAtMs], ['backoff', undefined]);
  harness.change({ sharpness: 2 });
  harness.advance(300);
  assert.equal(harness.device.programs.length, 2);
  refuse();
  harness.source.retry();
  assert.equal(harness.device.programs.length, 3);
});

test('a person who asks need not wait for the backoff', () => {
  const harness = new CameraSourceHarness();
  harness.source.want();
  harness.device.last.end(255, NONE);
  harness.source.retry();
  assert.deepEqual([harness.device.programs.length, harness.phase], [2, 'starting']);
});

test('a stop is a reset, and the abort that follows it is no fault', () => {
  for (const code of [134, 141, 143, 0]) {
    const harness = new CameraSourceHarness();
    const release = harness.source.want();
    harness.device.last.show();
    release();
    harness.advance(10_000);
    harness.device.last.end(code, 'terminate called after throwing an instance of std::runtime_error');
    assert.deepEqual([harness.phase, harness.source.view().fault], ['idle', undefined], String(code));
    assert.deepEqual(harness.device.last.done, ['cut']);
  }
});

test('the camera goes on for 10 s without a viewer; one who returns finds it running', () => {
  const harness = new CameraSourceHarness();
  const first = harness.source.want();
  harness.device.last.connect();
  const streamFor = (ms: number): void => {
    for (let passed = 0; passed < ms; passed += 100) {
      harness.device.last.send();
      harness.advance(100);
    }
  };
  streamFor(1000);
  first();
  first();
  streamFor(9900);
  assert.equal(harness.phase, 'streaming');
  const second = harness.source.want();
  streamFor(20_000);
  assert.deepEqual([harness.phase, harness.device.programs.length], ['streaming', 1]);
  second();
  streamFor(10_000);
  assert.equal(harness.phase, 'stopping');
  harness.device.last.end();
  assert.equal(harness.phase, 'idle');
});

test('a viewer who comes while the camera is stopping gets a new start when the old one is gone', () => {
  const harness = new CameraSourceHarness();
  harness.source.want()();
  harness.device.last.connect();
  harness.advance(10_000);
  assert.equal(harness.phase, 'stopping');
  harness.source.want();
  assert.equal(harness.device.programs.length, 1);
  harness.device.last.end();
  assert.equal(harness.device.programs.length, 2);
  assert.equal(harness.device.most, 1);
});

test('three changes within 300 ms of each other are one restart, with the last of them', () => {
  const harness = new CameraSourceHarness();
  harness.source.want();
  harness.device.last.show();
  for (const quality of [50, 60, 80]) {
    harness.change({ quality });
    harness.advance(200);
  }
  assert.equal(harness.phase, 'streaming');
  harness.advance(100);
  assert.equal(harness.phase, 'stopping');
  harness.device.last.end();
  assert.deepEqual([harness.device.programs.length, harness.device.last.options.quality], [2, 80]);
});

test('a change that makes no other pictures, or that is taken back, restarts nothing', () => {
  const harness = new CameraSourceHarness();
  harness.source.want();
  harness.device.last.show();
  harness.change({ timeoutMs: 9000, photoQuality: 50 });
  harness.advance(300);
  harness.change({ quality: 20 });
  harness.change({ quality: 70 });
  harness.advance(300);
  assert.deepEqual([harness.phase, harness.device.last.done], ['streaming', []]);
});

test('switched off in the settings it ends at once; switched on again it goes on for who still waits', () => {
  const harness = new CameraSourceHarness();
  harness.source.want();
  harness.device.last.show();
  harness.change({ enabled: false });
  harness.advance(300);
  harness.device.last.end();
  assert.deepEqual([harness.phase, harness.device.programs.length], ['disabled', 1]);
  harness.change({ enabled: true });
  harness.advance(300);
  assert.equal(harness.phase, 'starting');
});

test('another kind of camera is another start', () => {
  const harness = new CameraSourceHarness();
  harness.source.want();
  harness.device.last.show();
  harness.device.simulated = true;
  harness.change({ mode: 'simulated' });
  harness.advance(300);
  harness.device.last.end();
  assert.deepEqual([harness.device.programs.length, harness.source.view().simulated], [2, true]);
});

test('something else than JPEGs ends the program with the first bytes', () => {
  const harness = new CameraSourceHarness();
  harness.source.want();
  harness.device.last.connect();
  harness.device.last.send(Buffer.from([0, 0, 0, 1, 0x67]));
  assert.deepEqual(harness.device.last.done, ['cut']);
  harness.device.last.end(134, 'failed to send data on socket');
  assert.equal(harness.source.view().fault?.code, 'not-jpeg');
});

test('a flood of words is followed by a new start at once, and a second one by a wait', () => {
  const harness = new CameraSourceHarness();
  harness.source.want();
  harness.device.last.end('ERR_CHILD_PROCESS_STDIO_MAXBUFFER', 'x');
  harness.advance(0);
  assert.equal(harness.device.programs.length, 2);
  harness.device.last.end('ERR_CHILD_PROCESS_STDIO_MAXBUFFER', 'x');
  assert.equal((harness.source.view().retryAtMs ?? 0) - harness.clock.now(), 1000);
});

test('each change of what there is to tell is told once, and pictures are no change', () => {
  const harness = new CameraSourceHarness();
  const told: string[] = [];
  harness.source.onChange(() => told.push(harness.phase));
  harness.source.want();
  harness.device.last.show();
  for (let count = 0; count < 5; count++) {
    harness.device.last.send();
    harness.device.endTurn();
  }
  harness.device.last.end(139);
  assert.deepEqual(told, ['starting', 'streaming', 'backoff']);
});

test('the same failure is logged once', () => {
  const harness = new CameraSourceHarness();
  harness.source.want();
  for (let failure = 0; failure < 4; failure++) {
    harness.device.last.end(255, NONE);
    harness.advance(30_000);
  }
  harness.device.last.end(255, BUSY);
  assert.deepEqual(harness.log.events(), ['camera.failed', 'camera.failed']);
});

test('close ends the program and resolves when it is gone; nothing is left', async () => {
  const harness = new CameraSourceHarness();
  harness.source.want();
  harness.device.last.show();
  let isClosed = false;
  const closing = harness.source.close().then(() => {
    isClosed = true;
  });
  await Promise.resolve();
  assert.deepEqual([harness.device.last.done, isClosed], [['cut'], false]);
  harness.device.last.end(134);
  await Promise.all([closing, harness.source.close()]);
  assert.deepEqual([harness.clock.timers, harness.device.isClosed], [0, true]);
  harness.source.want();
  assert.equal(harness.device.programs.length, 1);
});

test.run();
