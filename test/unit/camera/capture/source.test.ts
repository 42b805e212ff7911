import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { baseline } from '../jpeg-samples.js';
import { SourceRig } from '../source-rig.js';

const test = suite('the camera as one source of pictures');

const NONE = 'ERROR: *** no cameras available ***';
const BUSY = 'Pipeline handler in use by another process';

test('nothing runs before somebody wants it, and one program runs for however many want it', () => {
  const { source, device } = new SourceRig();
  assert.equal(device.programs.length, 0);
  source.want();
  source.want();
  assert.equal(device.programs.length, 1);
  assert.equal(source.view().phase, 'starting');
});

test('a connection is no picture: connect and end again is a failed start', () => {
  const { source, device } = new SourceRig();
  source.want();
  device.last.connect();
  assert.equal(source.view().phase, 'starting');
  device.last.end(255, NONE);
  const { phase, fault, newest } = source.view();
  assert.deepEqual([phase, fault?.code, newest], ['backoff', 'missing', 0]);
});

test('pictures carry numbers that count on across restarts, and the moment when they were whole', () => {
  const rig = new SourceRig();
  const { source, device, clock } = rig;
  source.want();
  device.last.show();
  assert.equal(rig.phase, 'streaming');
  clock.advance(40);
  device.last.send(baseline(2));
  device.endTurn();
  assert.deepEqual(
    rig.frames.map(({ number, atMs }) => [number, atMs]),
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
  const rig = new SourceRig();
  rig.source.want();
  rig.device.last.show();
  rig.clock.stall(1000);
  const late = Array.from({ length: 30 }, (_, at) => baseline(100 + at));
  rig.device.last.send(Buffer.concat(late.slice(0, 20)));
  rig.device.last.send(Buffer.concat(late.slice(20)));
  rig.device.endTurn();
  assert.equal(rig.frames.length, 2);
  assert.deepEqual(rig.frames[1]?.jpeg, baseline(129));
  assert.equal(rig.frames[1]?.number, 2);
});

test('a pause longer than the limit is no stall when pictures have arrived meanwhile', () => {
  const rig = new SourceRig();
  rig.source.want();
  rig.device.last.show();
  rig.clock.stall(10_000);
  // Timers come first in a turn, then what was received.
  rig.clock.advance(0);
  rig.device.last.send();
  rig.device.endTurn();
  assert.equal(rig.phase, 'streaming');
  assert.deepEqual(rig.device.last.done, []);
});

test('a program that does not connect within 4 s is ended', () => {
  const rig = new SourceRig();
  rig.source.want();
  rig.advance(3999);
  assert.deepEqual(rig.device.last.done, []);
  rig.advance(1);
  assert.deepEqual(rig.device.last.done, ['cut']);
});

test('no first picture within the set time: reset, SIGTERM after 1.5 s, SIGKILL 1 s later', () => {
  const rig = new SourceRig({ timeoutMs: 8000 });
  rig.source.want();
  rig.device.last.connect();
  rig.advance(7999);
  assert.equal(rig.phase, 'starting');
  rig.advance(1);
  assert.equal(rig.phase, 'stopping');
  assert.deepEqual(rig.device.last.done, ['cut']);
  rig.advance(1499);
  assert.deepEqual(rig.device.last.done, ['cut']);
  rig.advance(1);
  assert.deepEqual(rig.device.last.done, ['cut', 'SIGTERM']);
  rig.advance(1000);
  assert.deepEqual(rig.device.last.done, ['cut', 'SIGTERM', 'SIGKILL']);
  rig.advance(1000);
  assert.deepEqual(rig.device.last.done, ['cut', 'SIGTERM', 'SIGKILL', 'SIGKILL']);
  assert.equal(rig.device.programs.length, 1, 'no other one before this one is gone');
  rig.device.last.end(137);
  const { phase, fault } = rig.source.view();
  assert.deepEqual([phase, fault?.code], ['backoff', 'stalled']);
  assert.match(fault?.text ?? '', /nothing for 8 s/);
});

test('a stream that falls silent is ended and started again; its own words say why', () => {
  const rig = new SourceRig();
  rig.source.want();
  rig.device.last.show();
  rig.advance(2999);
  assert.equal(rig.phase, 'streaming');
  rig.advance(1);
  assert.equal(rig.phase, 'stopping');
  rig.device.last.end(143, 'ERROR: Device timeout detected, attempting a restart!!!');
  assert.match(rig.source.view().fault?.hint ?? '', /ribbon cable/);
  rig.advance(500);
  assert.equal(rig.device.programs.length, 2);
});

test('slow pictures have more time: four of them, or three exposures', () => {
  const slow = new SourceRig({ framerate: 1 });
  slow.source.want();
  slow.device.last.show();
  slow.advance(3999);
  assert.equal(slow.phase, 'streaming');
  slow.advance(1);
  assert.equal(slow.phase, 'stopping');
});

test('a crash is followed by a new start after the backoff; who wants pictures need do nothing', () => {
  const rig = new SourceRig();
  rig.source.want();
  rig.device.last.show();
  rig.device.last.end(139);
  assert.deepEqual([rig.phase, rig.source.view().retryAtMs], ['backoff', rig.clock.now() + 500]);
  rig.advance(500);
  rig.device.last.show();
  assert.equal(rig.phase, 'streaming');
  assert.equal(rig.source.view().fault, undefined);
});

test('the waits grow from 0.5 s to 30 s, and 30 s of pictures begin them anew', () => {
  const rig = new SourceRig();
  rig.source.want();
  const waits: number[] = [];
  const fail = (): void => {
    rig.device.last.end(139);
    waits.push((rig.source.view().retryAtMs ?? 0) - rig.clock.now());
    rig.advance(waits.at(-1) ?? 0);
  };
  for (let failure = 0; failure < 7; failure++) fail();
  assert.deepEqual(waits, [500, 1000, 2000, 5000, 10_000, 30_000, 30_000]);
  const stream = (seconds: number): void => {
    rig.device.last.connect();
    for (let second = 0; second <= seconds; second++) {
      rig.device.last.send();
      rig.device.endTurn();
      if (second < seconds) rig.clock.advance(1000);
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
    const rig = new SourceRig();
    rig.source.want();
    const waits = Array.from({ length: 3 }, () => {
      rig.device.last.end(code, text);
      const wait = (rig.source.view().retryAtMs ?? 0) - rig.clock.now();
      rig.advance(wait);
      return wait;
    });
    assert.deepEqual(waits, [10_000, 30_000, 30_000], text);
  }
});

test('a busy camera is tried every 2 s and found free without anybody doing anything', () => {
  const rig = new SourceRig();
  rig.source.want();
  for (let failure = 0; failure < 5; failure++) {
    rig.device.last.end(255, BUSY);
    assert.equal(rig.source.view().fault?.code, 'busy');
    assert.equal((rig.source.view().retryAtMs ?? 0) - rig.clock.now(), 2000);
    rig.advance(2000);
  }
  rig.device.last.show();
  assert.equal(rig.phase, 'streaming');
});

test('a refused option is not tried again until the settings change, or a person asks', () => {
  const rig = new SourceRig();
  rig.source.want();
  const refuse = () => rig.device.last.end(255, "ERROR: *** unrecognised option '--sparkle' ***");
  refuse();
  rig.advance(3_600_000);
  assert.equal(rig.device.programs.length, 1);
  assert.deepEqual([rig.phase, rig.source.view().retryAtMs], ['backoff', undefined]);
  rig.change({ sharpness: 2 });
  rig.advance(300);
  assert.equal(rig.device.programs.length, 2);
  refuse();
  rig.source.retry();
  assert.equal(rig.device.programs.length, 3);
});

test('a person who asks need not wait for the backoff', () => {
  const rig = new SourceRig();
  rig.source.want();
  rig.device.last.end(255, NONE);
  rig.source.retry();
  assert.deepEqual([rig.device.programs.length, rig.phase], [2, 'starting']);
});

test('a stop is a reset, and the abort that follows it is no fault', () => {
  for (const code of [134, 141, 143, 0]) {
    const rig = new SourceRig();
    const release = rig.source.want();
    rig.device.last.show();
    release();
    rig.advance(10_000);
    rig.device.last.end(code, 'terminate called after throwing an instance of std::runtime_error');
    assert.deepEqual([rig.phase, rig.source.view().fault], ['idle', undefined], String(code));
    assert.deepEqual(rig.device.last.done, ['cut']);
  }
});

test('the camera goes on for 10 s without a viewer; one who returns finds it running', () => {
  const rig = new SourceRig();
  const first = rig.source.want();
  rig.device.last.connect();
  const streamFor = (ms: number): void => {
    for (let passed = 0; passed < ms; passed += 100) {
      rig.device.last.send();
      rig.advance(100);
    }
  };
  streamFor(1000);
  first();
  first();
  streamFor(9900);
  assert.equal(rig.phase, 'streaming');
  const second = rig.source.want();
  streamFor(20_000);
  assert.deepEqual([rig.phase, rig.device.programs.length], ['streaming', 1]);
  second();
  streamFor(10_000);
  assert.equal(rig.phase, 'stopping');
  rig.device.last.end();
  assert.equal(rig.phase, 'idle');
});

test('a viewer who comes while the camera is stopping gets a new start when the old one is gone', () => {
  const rig = new SourceRig();
  rig.source.want()();
  rig.device.last.connect();
  rig.advance(10_000);
  assert.equal(rig.phase, 'stopping');
  rig.source.want();
  assert.equal(rig.device.programs.length, 1);
  rig.device.last.end();
  assert.equal(rig.device.programs.length, 2);
  assert.equal(rig.device.most, 1);
});

test('three changes within 300 ms of each other are one restart, with the last of them', () => {
  const rig = new SourceRig();
  rig.source.want();
  rig.device.last.show();
  for (const quality of [50, 60, 80]) {
    rig.change({ quality });
    rig.advance(200);
  }
  assert.equal(rig.phase, 'streaming');
  rig.advance(100);
  assert.equal(rig.phase, 'stopping');
  rig.device.last.end();
  assert.deepEqual([rig.device.programs.length, rig.device.last.options.quality], [2, 80]);
});

test('a change that makes no other pictures, or that is taken back, restarts nothing', () => {
  const rig = new SourceRig();
  rig.source.want();
  rig.device.last.show();
  rig.change({ timeoutMs: 9000, photoQuality: 50 });
  rig.advance(300);
  rig.change({ quality: 20 });
  rig.change({ quality: 70 });
  rig.advance(300);
  assert.deepEqual([rig.phase, rig.device.last.done], ['streaming', []]);
});

test('switched off in the settings it ends at once; switched on again it goes on for who still waits', () => {
  const rig = new SourceRig();
  rig.source.want();
  rig.device.last.show();
  rig.change({ enabled: false });
  rig.advance(300);
  rig.device.last.end();
  assert.deepEqual([rig.phase, rig.device.programs.length], ['disabled', 1]);
  rig.change({ enabled: true });
  rig.advance(300);
  assert.equal(rig.phase, 'starting');
});

test('another kind of camera is another start', () => {
  const rig = new SourceRig();
  rig.source.want();
  rig.device.last.show();
  rig.device.simulated = true;
  rig.change({ mode: 'simulated' });
  rig.advance(300);
  rig.device.last.end();
  assert.deepEqual([rig.device.programs.length, rig.source.view().simulated], [2, true]);
});

test('something else than JPEGs ends the program with the first bytes', () => {
  const rig = new SourceRig();
  rig.source.want();
  rig.device.last.connect();
  rig.device.last.send(Buffer.from([0, 0, 0, 1, 0x67]));
  assert.deepEqual(rig.device.last.done, ['cut']);
  rig.device.last.end(134, 'failed to send data on socket');
  assert.equal(rig.source.view().fault?.code, 'not-jpeg');
});

test('a flood of words is followed by a new start at once, and a second one by a wait', () => {
  const rig = new SourceRig();
  rig.source.want();
  rig.device.last.end('ERR_CHILD_PROCESS_STDIO_MAXBUFFER', 'x');
  rig.advance(0);
  assert.equal(rig.device.programs.length, 2);
  rig.device.last.end('ERR_CHILD_PROCESS_STDIO_MAXBUFFER', 'x');
  assert.equal((rig.source.view().retryAtMs ?? 0) - rig.clock.now(), 1000);
});

test('each change of what there is to tell is told once, and pictures are no change', () => {
  const rig = new SourceRig();
  const told: string[] = [];
  rig.source.onChange(() => told.push(rig.phase));
  rig.source.want();
  rig.device.last.show();
  for (let count = 0; count < 5; count++) {
    rig.device.last.send();
    rig.device.endTurn();
  }
  rig.device.last.end(139);
  assert.deepEqual(told, ['starting', 'streaming', 'backoff']);
});

test('the same failure is logged once', () => {
  const rig = new SourceRig();
  rig.source.want();
  for (let failure = 0; failure < 4; failure++) {
    rig.device.last.end(255, NONE);
    rig.advance(30_000);
  }
  rig.device.last.end(255, BUSY);
  assert.deepEqual(rig.log.events(), ['camera.failed', 'camera.failed']);
});

test('close ends the program and resolves when it is gone; nothing is left', async () => {
  const rig = new SourceRig();
  rig.source.want();
  rig.device.last.show();
  let isClosed = false;
  const closing = rig.source.close().then(() => {
    isClosed = true;
  });
  await Promise.resolve();
  assert.deepEqual([rig.device.last.done, isClosed], [['cut'], false]);
  rig.device.last.end(134);
  await Promise.all([closing, rig.source.close()]);
  assert.deepEqual([rig.clock.timers, rig.device.isClosed], [0, true]);
  rig.source.want();
  assert.equal(rig.device.programs.length, 1);
});

test.run();
