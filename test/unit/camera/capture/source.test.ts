import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { textOf } from '../../../../src/shared/messages/message.js';
import { CameraSourceHarness } from '../camera-source-harness.js';
import { baseline } from '../jpeg-samples.js';

const test = suite('camera source');

const NO_CAMERA = 'ERROR: *** no cameras available ***';
const BUSY = 'Pipeline handler in use by another process';

test('starts one camera program when the source is acquired, not earlier', () => {
  const { source, device } = new CameraSourceHarness();
  assert.equal(device.programs.length, 0);
  source.acquire();
  source.acquire();
  assert.equal(device.programs.length, 1);
  assert.equal(source.view().phase, 'starting');
});

test('a program that connects but exits before its first image counts as a failed start', () => {
  const { source, device } = new CameraSourceHarness();
  source.acquire();
  device.last.connect();
  assert.equal(source.view().phase, 'starting');
  device.last.end(255, NO_CAMERA);
  const { phase, fault, newest } = source.view();
  assert.deepEqual([phase, fault?.code, newest], ['backoff', 'missing', 0]);
});

test('each image includes its completion time, and image numbers continue across restarts', () => {
  const harness = new CameraSourceHarness();
  const { source, device, clock } = harness;
  source.acquire();
  device.last.start();
  assert.equal(harness.phase, 'streaming');
  clock.advance(40);
  device.last.send(baseline(2));
  device.endTurn();
  assert.deepEqual(
    harness.images.map(({ number, atMs }) => [number, atMs]),
    [
      [1, 1_000_000],
      [2, 1_000_040],
    ],
  );
  assert.deepEqual(source.newest()?.jpeg, baseline(2));
  device.last.end(139);
  assert.equal(source.newest(), undefined, 'no old image is shown as live');
  clock.advance(500);
  device.last.start();
  assert.equal(source.newest()?.number, 3);
});

test('publishes only the latest of the images that arrived while the process was paused', () => {
  const harness = new CameraSourceHarness();
  harness.source.acquire();
  harness.device.last.start();
  harness.clock.stall(1000);
  const late = Array.from({ length: 30 }, (_, at) => baseline(100 + at));
  harness.device.last.send(Buffer.concat(late.slice(0, 20)));
  harness.device.last.send(Buffer.concat(late.slice(20)));
  harness.device.endTurn();
  assert.equal(harness.images.length, 2);
  assert.deepEqual(harness.images[1]?.jpeg, baseline(129));
  assert.equal(harness.images[1]?.number, 2);
});

test('a pause longer than the timeout does not count as a stall if images arrived during the pause', () => {
  const harness = new CameraSourceHarness();
  harness.source.acquire();
  harness.device.last.start();
  harness.clock.stall(10_000);
  // In each iteration of the event loop, timers run before received data is read.
  harness.clock.advance(0);
  harness.device.last.send();
  harness.device.endTurn();
  assert.equal(harness.phase, 'streaming');
  assert.deepEqual(harness.device.last.calls, []);
});

test('terminates a program that does not connect within 4 s', () => {
  const harness = new CameraSourceHarness();
  harness.source.acquire();
  harness.advance(3999);
  assert.deepEqual(harness.device.last.calls, []);
  harness.advance(1);
  assert.deepEqual(harness.device.last.calls, ['cut']);
});

test('resets the connection when the first image is late, then sends SIGTERM after 1.5 s and SIGKILL 1 s later', () => {
  const harness = new CameraSourceHarness({ timeoutMs: 8000 });
  harness.source.acquire();
  harness.device.last.connect();
  harness.advance(7999);
  assert.equal(harness.phase, 'starting');
  harness.advance(1);
  assert.equal(harness.phase, 'stopping');
  assert.deepEqual(harness.device.last.calls, ['cut']);
  harness.advance(1499);
  assert.deepEqual(harness.device.last.calls, ['cut']);
  harness.advance(1);
  assert.deepEqual(harness.device.last.calls, ['cut', 'SIGTERM']);
  harness.advance(1000);
  assert.deepEqual(harness.device.last.calls, ['cut', 'SIGTERM', 'SIGKILL']);
  harness.advance(1000);
  assert.deepEqual(harness.device.last.calls, ['cut', 'SIGTERM', 'SIGKILL', 'SIGKILL']);
  assert.equal(harness.device.programs.length, 1, 'no second program before the first has ended');
  harness.device.last.end(137);
  const { phase, fault } = harness.source.view();
  assert.deepEqual([phase, fault?.code], ['backoff', 'stalled']);
  assert.match(textOf(fault?.text ?? ''), /no image for 8 s/);
});

test("restarts a stalled stream and reports the reason from the program's output", () => {
  const harness = new CameraSourceHarness();
  harness.source.acquire();
  harness.device.last.start();
  harness.advance(2999);
  assert.equal(harness.phase, 'streaming');
  harness.advance(1);
  assert.equal(harness.phase, 'stopping');
  harness.device.last.end(143, 'ERROR: Device timeout detected, attempting a restart!!!');
  assert.match(textOf(harness.source.view().fault?.hint ?? ''), /ribbon cable/);
  harness.advance(500);
  assert.equal(harness.device.programs.length, 2);
});

test('waits four frame intervals before restarting a slow stream', () => {
  const slow = new CameraSourceHarness({ framerate: 1 });
  slow.source.acquire();
  slow.device.last.start();
  slow.advance(3999);
  assert.equal(slow.phase, 'streaming');
  slow.advance(1);
  assert.equal(slow.phase, 'stopping');
});

test('restarts a crashed camera program once the backoff has elapsed', () => {
  const harness = new CameraSourceHarness();
  harness.source.acquire();
  harness.device.last.start();
  harness.device.last.end(139);
  assert.deepEqual([harness.phase, harness.source.view().retryAtMs], ['backoff', harness.clock.now() + 500]);
  harness.advance(500);
  harness.device.last.start();
  assert.equal(harness.phase, 'streaming');
  assert.equal(harness.source.view().fault, undefined);
});

test('the backoff grows from 0.5 s to 30 s and resets after 30 s of streaming', () => {
  const harness = new CameraSourceHarness();
  harness.source.acquire();
  const delays: number[] = [];
  const fail = (): void => {
    harness.device.last.end(139);
    delays.push((harness.source.view().retryAtMs ?? 0) - harness.clock.now());
    harness.advance(delays.at(-1) ?? 0);
  };
  for (let failure = 0; failure < 7; failure++) fail();
  assert.deepEqual(delays, [500, 1000, 2000, 5000, 10_000, 30_000, 30_000]);
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
  assert.deepEqual(delays.slice(7), [30_000, 500]);
});

test('retries 10 s after a fault that requires an operator, and then every 30 s', () => {
  for (const [code, text] of [
    [127, 'not found'],
    [255, NO_CAMERA],
    [255, 'Could not open any dmaHeap device'],
  ] as const) {
    const harness = new CameraSourceHarness();
    harness.source.acquire();
    const delays = Array.from({ length: 3 }, () => {
      harness.device.last.end(code, text);
      const delay = (harness.source.view().retryAtMs ?? 0) - harness.clock.now();
      harness.advance(delay);
      return delay;
    });
    assert.deepEqual(delays, [10_000, 30_000, 30_000], text);
  }
});

test('retries a busy camera every 2 s until the camera is free', () => {
  const harness = new CameraSourceHarness();
  harness.source.acquire();
  for (let failure = 0; failure < 5; failure++) {
    harness.device.last.end(255, BUSY);
    assert.equal(harness.source.view().fault?.code, 'busy');
    assert.equal((harness.source.view().retryAtMs ?? 0) - harness.clock.now(), 2000);
    harness.advance(2000);
  }
  harness.device.last.start();
  assert.equal(harness.phase, 'streaming');
});

test('does not retry a rejected option until the settings change or a retry is requested', () => {
  const harness = new CameraSourceHarness();
  harness.source.acquire();
  const reject = () => harness.device.last.end(255, "ERROR: *** unrecognised option '--sparkle' ***");
  reject();
  harness.advance(3_600_000);
  assert.equal(harness.device.programs.length, 1);
  assert.deepEqual([harness.phase, harness.source.view().retryAtMs], ['backoff', undefined]);
  harness.change({ sharpness: 2 });
  harness.advance(300);
  assert.equal(harness.device.programs.length, 2);
  reject();
  harness.source.retry();
  assert.equal(harness.device.programs.length, 3);
});

test('a manual retry skips the backoff', () => {
  const harness = new CameraSourceHarness();
  harness.source.acquire();
  harness.device.last.end(255, NO_CAMERA);
  harness.source.retry();
  assert.deepEqual([harness.device.programs.length, harness.phase], [2, 'starting']);
});

test('stops the camera program by resetting its connection, and does not report the abort as a fault', () => {
  for (const code of [134, 141, 143, 0]) {
    const harness = new CameraSourceHarness();
    const release = harness.source.acquire();
    harness.device.last.start();
    release();
    harness.advance(10_000);
    harness.device.last.end(code, 'terminate called after throwing an instance of std::runtime_error');
    assert.deepEqual([harness.phase, harness.source.view().fault], ['idle', undefined], String(code));
    assert.deepEqual(harness.device.last.calls, ['cut']);
  }
});

test('continues streaming for 10 s after the last viewer leaves', () => {
  const harness = new CameraSourceHarness();
  const first = harness.source.acquire();
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
  const second = harness.source.acquire();
  streamFor(20_000);
  assert.deepEqual([harness.phase, harness.device.programs.length], ['streaming', 1]);
  second();
  streamFor(10_000);
  assert.equal(harness.phase, 'stopping');
  harness.device.last.end();
  assert.equal(harness.phase, 'idle');
});

test('restarts the camera program if a viewer connected while the program was stopping', () => {
  const harness = new CameraSourceHarness();
  harness.source.acquire()();
  harness.device.last.connect();
  harness.advance(10_000);
  assert.equal(harness.phase, 'stopping');
  harness.source.acquire();
  assert.equal(harness.device.programs.length, 1);
  harness.device.last.end();
  assert.equal(harness.device.programs.length, 2);
  assert.equal(harness.device.maxRunning, 1);
});

test('restarts the camera program once, with the latest settings, after several changes within 300 ms', () => {
  const harness = new CameraSourceHarness();
  harness.source.acquire();
  harness.device.last.start();
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

test('does not restart the camera program for a change that is reverted or does not affect the stream', () => {
  const harness = new CameraSourceHarness();
  harness.source.acquire();
  harness.device.last.start();
  harness.change({ timeoutMs: 9000, photoQuality: 50 });
  harness.advance(300);
  harness.change({ quality: 20 });
  harness.change({ quality: 70 });
  harness.advance(300);
  assert.deepEqual([harness.phase, harness.device.last.calls], ['streaming', []]);
});

test('the camera stops when it is disabled and starts again when it is enabled', () => {
  const harness = new CameraSourceHarness();
  harness.source.acquire();
  harness.device.last.start();
  harness.change({ enabled: false });
  harness.advance(300);
  harness.device.last.end();
  assert.deepEqual([harness.phase, harness.device.programs.length], ['disabled', 1]);
  harness.change({ enabled: true });
  harness.advance(300);
  assert.equal(harness.phase, 'starting');
});

test('restarts the camera program when the camera source changes', () => {
  const harness = new CameraSourceHarness();
  harness.source.acquire();
  harness.device.last.start();
  harness.device.simulated = true;
  harness.change({ mode: 'simulated' });
  harness.advance(300);
  harness.device.last.end();
  assert.deepEqual([harness.device.programs.length, harness.source.view().simulated], [2, true]);
});

test('stops the program as soon as it sends data that is not JPEG', () => {
  const harness = new CameraSourceHarness();
  harness.source.acquire();
  harness.device.last.connect();
  harness.device.last.send(Buffer.from([0, 0, 0, 1, 0x67]));
  assert.deepEqual(harness.device.last.calls, ['cut']);
  harness.device.last.end(134, 'failed to send data on socket');
  assert.equal(harness.source.view().fault?.code, 'not-jpeg');
});

test('restarts a camera program immediately after its first excessive output, and with a backoff after the second', () => {
  const harness = new CameraSourceHarness();
  harness.source.acquire();
  harness.device.last.end('ERR_CHILD_PROCESS_STDIO_MAXBUFFER', 'x');
  harness.advance(0);
  assert.equal(harness.device.programs.length, 2);
  harness.device.last.end('ERR_CHILD_PROCESS_STDIO_MAXBUFFER', 'x');
  assert.equal((harness.source.view().retryAtMs ?? 0) - harness.clock.now(), 1000);
});

test('emits one event for each state change, but no events for images', () => {
  const harness = new CameraSourceHarness();
  const phases: string[] = [];
  harness.source.onChange(() => phases.push(harness.phase));
  harness.source.acquire();
  harness.device.last.start();
  for (let count = 0; count < 5; count++) {
    harness.device.last.send();
    harness.device.endTurn();
  }
  harness.device.last.end(139);
  assert.deepEqual(phases, ['starting', 'streaming', 'backoff']);
});

test('logs a repeated camera failure only once', () => {
  const harness = new CameraSourceHarness();
  harness.source.acquire();
  for (let failure = 0; failure < 4; failure++) {
    harness.device.last.end(255, NO_CAMERA);
    harness.advance(30_000);
  }
  harness.device.last.end(255, BUSY);
  assert.deepEqual(harness.log.events(), ['camera.failed', 'camera.failed']);
});

test('closing the source waits for the program to exit and leaves no timers running', async () => {
  const harness = new CameraSourceHarness();
  harness.source.acquire();
  harness.device.last.start();
  let isClosed = false;
  const closing = harness.source.close().then(() => {
    isClosed = true;
  });
  await Promise.resolve();
  assert.deepEqual([harness.device.last.calls, isClosed], [['cut'], false]);
  harness.device.last.end(134);
  await Promise.all([closing, harness.source.close()]);
  assert.deepEqual([harness.clock.timers, harness.device.isClosed], [0, true]);
  harness.source.acquire();
  assert.equal(harness.device.programs.length, 1);
});

test.run();
