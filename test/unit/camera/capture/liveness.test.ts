import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { ImageCheck } from '../../../../src/camera/capture/image-check.js';
import { JpegEncoder } from '../../../../src/simulator/camera/jpeg/encoder.js';
import { commentOf, padded, withThumbnail } from '../../../../src/simulator/camera/jpeg/segments.js';
import { Picture } from '../../../../src/simulator/camera/render/picture.js';
import { Renderer } from '../../../../src/simulator/camera/render/renderer.js';
import type { SceneState } from '../../../../src/simulator/camera/scene.js';
import { randomFrom } from '../../../helpers/random.js';
import { SCENE } from '../../simulator/camera/scenes.js';
import { CameraSourceHarness } from '../camera-source-harness.js';

const test = suite('images that are not live');

const STEP_MS = 100;
/** Pages show an image as live up to this age. */
const LIVE_MS = 1000;

/** Renders images like the simulated camera, at ten images a second, and records when. */
class Scene {
  readonly #random = randomFrom(7);
  readonly #takenMs = new Map<string, number>();
  readonly harness: CameraSourceHarness;
  readonly #tools = new Map<string, { renderer: Renderer; encoder: JpegEncoder }>();
  #count = 0;

  constructor(harness: CameraSourceHarness) {
    this.harness = harness;
  }

  image(faults: SceneState['faults'] = {}, width = 160, height = 120): Buffer {
    this.#count += 1;
    const { renderer, encoder } = this.#toolsFor(width, height);
    const picture = renderer.draw({ ...SCENE, faults });
    if (Object.keys(faults).length === 0) picture.write(`#${this.#count}`);
    return encoder.encode(picture);
  }

  #toolsFor(width: number, height: number): { renderer: Renderer; encoder: JpegEncoder } {
    const key = `${width}x${height}`;
    const tools = this.#tools.get(key) ?? {
      renderer: new Renderer({ width, height, random: this.#random }),
      encoder: new JpegEncoder(new Picture(width, height), 70),
    };
    this.#tools.set(key, tools);
    return tools;
  }

  /** An image that shows what is in front of the camera now. */
  good(): Buffer {
    const jpeg = this.image();
    this.#takenMs.set(jpeg.toString('latin1'), this.harness.clock.now());
    return jpeg;
  }

  /** Time since the image was taken; infinite if it does not show what was in front of the camera. */
  trueAgeMs(jpeg: Buffer): number {
    return (
      this.harness.clock.now() - (this.#takenMs.get(jpeg.toString('latin1')) ?? Number.NEGATIVE_INFINITY)
    );
  }

  random(): number {
    return this.#random();
  }
}

interface Case {
  title: string;
  isMoving: boolean;
  /** The fault that is reported after the last step; undefined if there is none. */
  fault: string | undefined;
  /**
   * Returns a function that is called every 100 ms and returns what the camera sends then. `before` contains images
   * that the camera sent earlier, when they were live.
   */
  sends: (scene: Scene, before: readonly Buffer[]) => (step: number) => Buffer[];
}

const frozen = (
  title: string,
  change: (last: Buffer, step: number) => Buffer,
): Omit<Case, 'isMoving' | 'fault'> => ({
  title,
  sends: (_scene, before) => (step) => [change(before.at(-1) ?? Buffer.alloc(0), step)],
});

const loopOf =
  (count: number): Case['sends'] =>
  (_scene, before) =>
  (step) => [before.slice(-count)[step % count] ?? Buffer.alloc(0)];

const CASES: readonly Case[] = [
  {
    ...frozen('repeats its last image while the cart moves', (last) => last),
    isMoving: true,
    fault: 'frozen',
  },
  { ...frozen('repeats its last image at rest', (last) => last), isMoving: false, fault: 'frozen' },
  {
    ...frozen('repeats its last image with a different comment', (last, step) =>
      Buffer.concat([last.subarray(0, 2), commentOf(Buffer.from(`image ${step}`)), last.subarray(2)]),
    ),
    isMoving: true,
    fault: 'frozen',
  },
  {
    ...frozen('repeats its last image with a different time in EXIF', (last, step) =>
      withThumbnail(last, Buffer.from(`2026-05-04T14:02:${step}`)),
    ),
    isMoving: false,
    fault: 'frozen',
  },
  {
    ...frozen('repeats its last image with different padding', (last, step) =>
      padded(last, 5000 + 10 * step),
    ),
    isMoving: true,
    fault: 'frozen',
  },
  {
    title: 'repeats a loop of 5 images while the cart moves',
    isMoving: true,
    fault: 'frozen',
    sends: loopOf(5),
  },
  { title: 'repeats a loop of 40 images at rest', isMoving: false, fault: 'frozen', sends: loopOf(40) },
  {
    title: 'repeats its last image at irregular intervals',
    isMoving: true,
    fault: 'frozen',
    sends: (scene, before) => () => (scene.random() < 0.5 ? [] : before.slice(-1)),
  },
  {
    title: 'alternates between its last image and an earlier one',
    isMoving: false,
    fault: 'frozen',
    sends: (scene, before) => () => (scene.random() < 0.5 ? before.slice(-1) : before.slice(0, 1)),
  },
  {
    title: 'sends one new image every 3 s and repeats it',
    isMoving: true,
    fault: 'frozen',
    sends: (scene, before) => {
      let images = before.slice(-1);
      return (step) => {
        if (step % 30 === 29) images = [scene.good()];
        return images;
      };
    },
  },
  {
    title: 'sends black images',
    isMoving: false,
    fault: 'black',
    sends: (scene) => () => [scene.image({ cameraBlack: 0 })],
  },
  {
    title: 'sends black images with noise',
    isMoving: true,
    fault: 'black',
    sends: (scene) => () => [scene.image({ cameraBlack: 0, cameraNoise: 4 })],
  },
  {
    title: 'sends overexposed images',
    isMoving: true,
    fault: 'white',
    sends: (scene) => () => [scene.image({ cameraExposure: 8, cameraNoise: 1 })],
  },
  {
    title: 'sends underexposed images',
    isMoving: true,
    fault: 'black',
    sends: (scene) => () => [scene.image({ cameraExposure: -8, cameraNoise: 1 })],
  },
  { title: 'does not send images', isMoving: true, fault: 'stalled', sends: () => () => [] },
  {
    title: 'sends an image only every 2.5 s',
    isMoving: true,
    fault: undefined,
    sends: (scene) => (step) => (step % 25 === 24 ? [scene.good()] : []),
  },
  {
    title: 'drops most of its images',
    isMoving: false,
    fault: undefined,
    sends: (scene) => () => (scene.random() < 0.05 ? [scene.good()] : []),
  },
  {
    title: 'sends images of a smaller size',
    isMoving: false,
    fault: 'wrong-size',
    sends: (scene) => () => [scene.image({}, 96, 64)],
  },
  {
    title: 'sends images with width and height swapped',
    isMoving: true,
    fault: 'wrong-size',
    sends: (scene) => () => [scene.image({}, 120, 160)],
  },
  {
    title: 'sends truncated images',
    isMoving: true,
    fault: 'stalled',
    sends: (scene) => () => {
      const image = scene.image();
      return [image.subarray(0, image.length / 2)];
    },
  },
  {
    title: 'sends data that is not an image',
    isMoving: false,
    fault: 'stalled',
    sends: () => () => [Buffer.alloc(2000, 'no picture')],
  },
  {
    title: 'repeats its last image again after a restart',
    isMoving: false,
    fault: 'frozen',
    sends: (scene, before) => (step) => {
      if (step === 3) scene.harness.device.last.end(139);
      return before.slice(-1);
    },
  },
];

/**
 * Lets 100 ms pass. Like a real program, a program that loses its connection exits, and a new one connects.
 */
function step(harness: CameraSourceHarness, images: readonly Buffer[]): void {
  const { device } = harness;
  if (harness.phase === 'stopping') device.last.end();
  if (harness.phase === 'starting') device.last.connect();
  if (harness.phase === 'starting' || harness.phase === 'streaming')
    for (const image of images) device.last.send(image);
  device.endTurn();
  harness.advance(STEP_MS);
}

/** The image that a page currently shows as live. */
function shown({ source, clock }: CameraSourceHarness): Buffer | undefined {
  const newest = source.newest();
  return newest && clock.now() - newest.atMs <= LIVE_MS ? newest.jpeg : undefined;
}

for (const { title, isMoving, fault, sends } of CASES) {
  // Fault case 71
  test(`never shows a non-live image as live when the camera ${title}`, () => {
    const harness = new CameraSourceHarness();
    const scene = new Scene(harness);
    harness.source.acquire();
    const before: Buffer[] = [];
    for (let nth = 0; nth < 40; nth += 1) {
      before.push(scene.good());
      step(harness, before.slice(-1));
    }
    assert.equal(
      shown(harness)?.equals(before.at(-1) ?? Buffer.alloc(0)),
      true,
      'the image is live before the fault',
    );
    harness.isMoving = isMoving;
    const send = sends(scene, before);
    const codes = new Set<string | undefined>();
    for (let nth = 0; nth < 80; nth += 1) {
      step(harness, send(nth));
      codes.add(harness.source.view().fault?.code);
      const jpeg = shown(harness);
      if (jpeg) assert.ok(scene.trueAgeMs(jpeg) <= LIVE_MS, `an old image is live after ${nth * STEP_MS} ms`);
    }
    assert.ok(codes.has(fault), `${[...codes]}`);
    const programs = harness.device.programs.length;
    for (let nth = 0; nth < 110; nth += 1) step(harness, [scene.good()]);
    assert.ok(shown(harness), 'the image is live after the fault');
    assert.equal(harness.source.view().fault, undefined);
    assert.ok(harness.device.programs.length <= programs + 1, 'the camera does not restart again');
  });
}

test('reports a frozen camera after 1 s while the cart moves and after 5 s at rest', () => {
  for (const [isMoving, limitMs] of [
    [true, 1000],
    [false, 5000],
  ] as const) {
    const harness = new CameraSourceHarness();
    const image = new Scene(harness).good();
    harness.isMoving = isMoving;
    harness.source.acquire();
    step(harness, [image]);
    const sinceMs = harness.source.newest()?.atMs ?? 0;
    while (harness.source.view().fault === undefined) step(harness, [image]);
    const { code } = harness.source.view().fault ?? {};
    assert.deepEqual([code, harness.clock.now() - STEP_MS - sinceMs], ['frozen', limitMs]);
  }
});

test('reports a frozen camera after 1 s when the cart has moved only briefly since the last new image', () => {
  const harness = new CameraSourceHarness();
  const image = new Scene(harness).good();
  harness.source.acquire();
  for (let nth = 0; nth < 3; nth += 1) step(harness, [image]);
  harness.isMoving = true;
  step(harness, [image]);
  harness.isMoving = false;
  for (let nth = 0; nth < 8; nth += 1) step(harness, [image]);
  assert.equal(harness.source.view().fault?.code, 'frozen');
});

test('counts repeated images and the number of times that the images become unusable', () => {
  const harness = new CameraSourceHarness();
  const scene = new Scene(harness);
  harness.source.acquire();
  for (let round = 0; round < 2; round += 1) {
    const image = scene.good();
    for (let nth = 0; nth <= 60; nth += 1) step(harness, [image]);
    step(harness, [scene.image({ cameraBlack: 0, cameraNoise: 2 })]);
    // After a black image, the next 200 ms are not checked.
    step(harness, []);
  }
  assert.deepEqual(harness.source.counts(), {
    repeated: 120,
    faults: [
      [{ reason: 'frozen' }, 2],
      [{ reason: 'black' }, 2],
    ],
  });
});

test('does not report a fault when every image is different, even at rest and with noise', () => {
  const harness = new CameraSourceHarness();
  const scene = new Scene(harness);
  harness.source.acquire();
  for (let nth = 0; nth < 100; nth += 1) step(harness, [scene.image({ cameraNoise: 2 })]);
  assert.deepEqual([harness.source.view().fault, harness.images.length], [undefined, 100]);
});

test('a manual retry restarts a frozen camera', () => {
  const harness = new CameraSourceHarness();
  const image = new Scene(harness).good();
  harness.source.acquire();
  for (let nth = 0; nth < 60; nth += 1) step(harness, [image]);
  harness.source.retry();
  assert.equal(harness.phase, 'stopping');
  step(harness, []);
  assert.equal(harness.device.programs.length, 2);
});

test('a camera that repeats its last image after startup is reported as frozen only after 5 s', () => {
  const check = new ImageCheck(() => false);
  const image = new Scene(new CameraSourceHarness()).good();
  const size = { width: 160, height: 120 };
  const faultAt = (atMs: number) => check.take(image, atMs, size).fault?.code;
  assert.equal(faultAt(0), undefined);
  check.restart();
  assert.deepEqual([60_000, 64_900, 65_000].map(faultAt), [undefined, undefined, 'frozen']);
});

test.run();
