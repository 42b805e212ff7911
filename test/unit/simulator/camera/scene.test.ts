import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { readArguments } from '../../../../src/simulator/camera/options.js';
import { CameraScene, type Pose } from '../../../../src/simulator/camera/scene.js';
import { readBlocks } from '../../camera/jpeg-blocks-read.js';

const test = suite('simulated camera image');

/** Luma values of the grid lines and of the cart's body and nose. */
const LINE = 84;
const BODY = 121;
const NOSE = 194;

function lumaOf(pose: Pose | undefined, frame = 1, scene = new CameraScene(640, 480)): number[][] {
  scene.draw({ frame, time: '12:34:56', pose });
  return readBlocks(scene.picture.encode()).luma;
}

/** Returns the columns of the vertical grid lines, taken from a row without text, trail or cart. */
const lines = (picture: number[][]) =>
  (picture[45] ?? []).flatMap((luma, column) => (luma === LINE ? [column] : []));
const at = (xMm: number, yMm = 250, headingDeg = 0): Pose => ({ xMm, yMm, headingDeg });

test('shifts the grid by ten blocks when the cart moves forward by half a metre', () => {
  const here = lines(lumaOf(at(250)));
  assert.deepEqual(here, [15, 35, 55, 75]);
  assert.deepEqual(lines(lumaOf(at(750))), [5, 25, 45, 65]);
  assert.deepEqual(lines(lumaOf(at(-250))), [5, 25, 45, 65]);
});

test('draws the cart in the middle, facing in the direction of its heading', () => {
  const middleOf = (picture: number[][], colour: number) => {
    const cells = picture.flatMap((row, y) => row.flatMap((luma, x) => (luma === colour ? [{ x, y }] : [])));
    const mean = (values: number[]) => Math.round(values.reduce((sum, value) => sum + value) / values.length);
    return { x: mean(cells.map(({ x }) => x)), y: mean(cells.map(({ y }) => y)) };
  };
  for (const [headingDeg, ahead] of [
    [0, { x: 1, y: 0 }],
    [90, { x: 0, y: -1 }],
    [180, { x: -1, y: 0 }],
    [-90, { x: 0, y: 1 }],
  ] as const) {
    const picture = lumaOf(at(250, 250, headingDeg));
    const body = middleOf(picture, BODY);
    const nose = middleOf(picture, NOSE);
    assert.ok(Math.hypot(body.x - 40, body.y - 30) <= 3, JSON.stringify(body));
    assert.deepEqual(
      { x: Math.sign(nose.x - body.x), y: Math.sign(nose.y - body.y) },
      ahead,
      `${headingDeg}°`,
    );
  }
});

test("draws the cart's trail", () => {
  const scene = new CameraScene(640, 480);
  const fresh = lumaOf(at(1000), 1, new CameraScene(640, 480));
  for (let xMm = 0; xMm < 1000; xMm += 50) lumaOf(at(xMm), 1, scene);
  const driven = lumaOf(at(1000), 1, scene);
  const changed = driven.flatMap((row, y) =>
    row.flatMap((luma, x) => (luma === fresh[y]?.[x] ? [] : [{ x, y }])),
  );
  assert.ok(changed.length >= 10 && changed.every(({ x, y }) => x < 40 && y === 30), JSON.stringify(changed));
});

test('draws the text and a square that moves with each image, even if there is no cart', () => {
  const differ = (a: number[][], b: number[][]) =>
    a.flatMap((row, y) => (row.join() === b[y]?.join() ? [] : [y]));
  const first = lumaOf(undefined, 4);
  assert.deepEqual(differ(first, lumaOf(undefined, 4)), []);
  const moved = differ(first, lumaOf(undefined, 5));
  assert.deepEqual(moved.slice(-4), [56, 57, 58, 59], 'the square at the bottom');
  assert.ok(Math.max(...(first[3] ?? [])) > 150, 'the texts');
});

test('parses arguments as the real camera programs do', () => {
  const args = readArguments(
    'vid',
    '--codec mjpeg --width 640 --height 480 --brightness -0.5 --hflip'.split(' '),
  );
  assert.deepEqual(
    [args.width, args.height, args.brightness, args.hflip, args.vflip],
    [640, 480, -0.5, true, false],
  );
  const turned = readArguments('still', ['--rotation', '180', '--hflip', '--roi', '0,0,1,1']);
  assert.deepEqual(
    [turned.hflip, turned.vflip],
    [false, true],
    'rotated and flipped horizontally is flipped vertically',
  );
  assert.throws(() => readArguments('vid', ['--sparkle']), /unrecognised option '--sparkle'/);
  assert.throws(() => readArguments('vid', ['--width', 'x']), /the argument \('x'\) for option '--width'/);
});

test.run();
