import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import { JpegSplitter } from '../../../../src/camera/streaming/splitter.js';
import type { Cancel, Clock } from '../../../../src/shared/ports/clock.js';
import { readArguments } from '../../../../src/simulator/camera/options.js';
import { SimulatedCameraProgram } from '../../../../src/simulator/camera/program.js';
import type { SceneState } from '../../../../src/simulator/camera/scene.js';
import { publishScene, SceneReader } from '../../../../src/simulator/camera/scene-file.js';
import { FakeClock } from '../../../helpers/fake-clock.js';
import { markerAt, SCENE } from './scenes.js';

const test = suite('simulated camera program');

let dir = '';
test.before.each(async () => {
  dir = await mkdtemp(join(tmpdir(), 'simulated-camera-'));
});
test.after.each(async () => {
  await rm(dir, { recursive: true });
});

/** A clock that jumps to its next timer as soon as all input and output has been processed. */
class EagerClock implements Clock {
  readonly #timers: { dueMs: number; run: () => void }[] = [];
  #nowMs = 0;

  now(): number {
    return this.#nowMs;
  }

  wallTime(): number {
    return this.#nowMs;
  }

  after(delayMs: number, run: () => void): Cancel {
    this.#timers.push({ dueMs: this.#nowMs + delayMs, run });
    this.#timers.sort((a, b) => a.dueMs - b.dueMs);
    setImmediate(() => setImmediate(() => this.#runNext()));
    return () => assert.fail('the camera cancels no timers');
  }

  every(): Cancel {
    return assert.fail('the camera has no periodic timers');
  }

  #runNext(): void {
    const next = this.#timers.shift();
    if (!next) return;
    this.#nowMs = next.dueMs;
    next.run();
  }
}

interface Received {
  atMs: number;
  seq: number;
  jpeg: Buffer;
}

/** Streams for 2 s of simulated time at 30 images a second. */
async function stream(faults: SceneState['faults'], scene = SCENE): Promise<Received[]> {
  const scenePath = join(dir, 'scene.json');
  await writeFile(scenePath, JSON.stringify({ ...scene, faults }));
  const clock = new EagerClock();
  const received: Received[] = [];
  const server = createServer((socket) => {
    const splitter = new JpegSplitter((jpeg) => {
      const [, seq] = /\{"seq":(\d+),/.exec(jpeg.toString('latin1', 0, 100)) ?? [];
      received.push({ atMs: clock.now(), seq: Number(seq), jpeg });
    });
    socket.on('data', (chunk) => splitter.push(chunk));
    socket.on('error', () => undefined);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const text = `--width 64 --height 48 --framerate 30 --timeout 2000 --output tcp://127.0.0.1:${port}`;
  const program = new SimulatedCameraProgram(readArguments('vid', text.split(' ')), {
    faults: new Map(),
    scenePath,
    lockPath: join(dir, 'lock'),
    minBytes: 0,
    clock,
    logError: () => undefined,
  });
  await program.stream();
  server.close();
  await once(server, 'close');
  return received;
}

test('the simulated camera sends each image once', async () => {
  const received = await stream({});
  assert.ok(received.length > 40, `${received.length}`);
  assert.deepEqual(
    received.map(({ seq }) => seq),
    received.map((_, at) => at + 1),
  );
});

test('the drop fault drops about one in n images', async () => {
  const seqs = (await stream({ cameraDrops: 3 })).map(({ seq }) => seq);
  const last = seqs.at(-1) ?? 0;
  assert.ok(last > 40 && last - seqs.length > last / 6 && last - seqs.length < last / 2, `${seqs}`);
});

test('the simulated camera repeats the same image while it is frozen', async () => {
  const received = await stream({ cameraFrozen: 0 });
  assert.ok(received.length > 40, `${received.length}`);
  assert.ok(received.every(({ jpeg }) => jpeg.equals(received[0]?.jpeg ?? Buffer.alloc(0))));
});

test('the simulated camera sends each image after the given delay', async () => {
  const [prompt] = await stream({});
  const [late] = await stream({ cameraDelay: 400 });
  assert.ok(prompt && prompt.atMs < 100, `${prompt?.atMs}`);
  assert.ok(late && late.seq === 1 && late.atMs >= 400, `${late?.atMs}`);
});

test('the simulated camera shows the caption except in a black image', async () => {
  const [plain] = await stream({});
  const [black] = await stream({ cameraBlack: 0 });
  assert.ok(plain && black && black.jpeg.length < plain.jpeg.length - 100);
});

test('the scene file is always complete and is written only when the scene has changed', async () => {
  const path = join(dir, 'scene.json');
  const clock = new FakeClock();
  let scene: SceneState = SCENE;
  const stop = publishScene(path, () => scene, clock);
  const reader = new SceneReader(path);
  const next = async (): Promise<SceneState> => {
    for (;;) {
      const read = await reader.read();
      if (read && read.markers.length === scene.markers.length) return read;
      clock.advance(25);
    }
  };
  const first = await next();
  assert.deepEqual(first, scene);
  clock.advance(1000);
  assert.equal(await reader.read(), first, 'the same object');
  scene = { ...scene, markers: [markerAt(1000, 0)] };
  assert.deepEqual(await next(), scene);
  stop();
  assert.equal(clock.timers, 0);
});

test.run();
