import assert from 'node:assert/strict';
import { suite } from 'uvu';
import { MARKER_CELLS, markerCells } from '../../../../src/shared/markers/tag36h11.js';
import { Lens, lensModel } from '../../../../src/simulator/camera/render/lens.js';
import type { Picture } from '../../../../src/simulator/camera/render/picture.js';
import { Renderer } from '../../../../src/simulator/camera/render/renderer.js';
import type { SceneMarker } from '../../../../src/simulator/camera/scene.js';
import { randomFrom } from '../../../helpers/random.js';
import { draw, jpegOf, luma, markerAt, meanOf, SCENE } from './scenes.js';

const test = suite('simulated camera images');

const { fPx, cxPx, cyPx } = lensModel(640, 480);
const BLACK = 28;
const WHITE = 222;

/** Position of the change from white to black between two pixels of a row. */
function edge(picture: Picture, row: number, white: number, black: number): number {
  const step = Math.sign(black - white);
  let width = 0;
  for (let column = white; column !== black + step; column += step)
    width += (luma(picture, column, row) - BLACK) / (WHITE - BLACK);
  return white + step * (width - 0.5);
}

/** Pixel column of a point on the plan, for the camera at the origin. */
const columnOf = (xMm: number, yMm: number): number => cxPx - (fPx * yMm) / xMm;

test('the lens has a horizontal field of view of 66 degrees at every width', () => {
  for (const width of [320, 640, 1280]) {
    const model = lensModel(width, 480);
    assert.ok(Math.abs((2 * Math.atan(width / 2 / model.fPx) * 180) / Math.PI - 66) < 1e-9);
    assert.deepEqual([model.cxPx, model.cyPx], [(width - 1) / 2, 239.5]);
  }
});

test("a marker's edges are within 0.02 pixels of their projection", () => {
  const row = Math.round(cyPx);
  for (const [xMm, yMm, yawDeg] of [
    [500, 0, 0],
    [1000, 200, 20],
    [2000, -700, -30],
    [3000, 1200, 10],
  ] as const) {
    const picture = draw({ markers: [markerAt(xMm, yMm, { headingDeg: 180 + yawDeg })] });
    const yaw = (yawDeg * Math.PI) / 180;
    /** A point of the marker, in mm to the left of its centre as seen from the camera. */
    const at = (leftMm: number): number =>
      columnOf(xMm - leftMm * Math.sin(yaw), yMm + leftMm * Math.cos(yaw));
    const left = edge(picture, row, Math.round(at(90)), Math.round(at(70)));
    const right = edge(picture, row, Math.round(at(-90)), Math.round(at(-70)));
    assert.ok(Math.abs(left - at(80)) < 0.02, `${xMm} mm: ${left} instead of ${at(80)}`);
    assert.ok(Math.abs(right - at(-80)) < 0.02, `${xMm} mm: ${right} instead of ${at(-80)}`);
  }
});

/** Returns the cells that a marker at 0.5 m shows. */
function cellsOf(picture: Picture): string {
  const cellPx = (fPx * 20) / 500;
  return Array.from({ length: MARKER_CELLS ** 2 }, (_, at) => {
    const column = Math.round(cxPx + ((at % MARKER_CELLS) - 4.5) * cellPx);
    const row = Math.round(cyPx + (Math.floor(at / MARKER_CELLS) - 4.5) * cellPx);
    return luma(picture, column, row) > (BLACK + WHITE) / 2 ? 1 : 0;
  }).join('');
}

test('a marker shows the pattern of its number', () => {
  for (const id of [0, 5, 123, 586])
    assert.equal(cellsOf(draw({ markers: [markerAt(500, 0, { id })] })), markerCells(id).join(''));
});

test('the upside-down fault applies to the marker with that ID', () => {
  const cells = cellsOf(draw({ markers: [markerAt(500, 0)], faults: { markerUpsideDown: 0 } }));
  assert.equal(cells, markerCells(0).reverse().join(''));
  const others = cellsOf(draw({ markers: [markerAt(500, 0)], faults: { markerUpsideDown: 1 } }));
  assert.equal(others, markerCells(0).join(''));
});

test('the size fault scales markers about their centre', () => {
  const picture = draw({ markers: [markerAt(1000, 0)], faults: { markerSize: 1.25 } });
  const row = Math.round(cyPx);
  const left = edge(picture, row, Math.round(columnOf(1000, 112)), Math.round(columnOf(1000, 88)));
  assert.ok(Math.abs(left - columnOf(1000, 100)) < 0.02, `${left}`);
});

/** Mean luma of the black border's left edge at 1 m. */
const border = (picture: Picture): number => {
  const column = Math.round(columnOf(1000, 70));
  return meanOf(picture, column - 2, Math.round(cyPx) - 20, column + 2, Math.round(cyPx) + 20);
};

test("a wall, another cart and a cover hide the marker behind them, and a marker's back is blank", () => {
  const markers = [markerAt(1000, 0)];
  assert.ok(border(draw({ markers })) < BLACK + 1);
  const wall = (xMm: number) => ({ x1: xMm, y1: -500, x2: xMm, y2: 500 });
  const cart = (xMm: number) => ({ xMm, yMm: 0, headingDeg: 90 });
  const hidden = {
    wall: draw({ markers, walls: [wall(800)] }),
    cart: draw({ markers, carts: [cart(700)] }),
    cover: draw({ markers, faults: { markerCovered: 0 } }),
    back: draw({ markers: [markerAt(1000, 0, { headingDeg: 0 })] }),
  };
  for (const [cause, picture] of Object.entries(hidden)) assert.ok(border(picture) > 80, cause);
  const visible = {
    'wall behind it': draw({ markers, walls: [wall(1000)] }),
    'cart behind it': draw({ markers, carts: [cart(1500)] }),
    'cover of another marker': draw({ markers, faults: { markerCovered: 1 } }),
  };
  for (const [cause, picture] of Object.entries(visible)) assert.ok(border(picture) < BLACK + 1, cause);
});

test('lines on the floor and walls appear where they are projected', () => {
  const picture = draw({ walls: [{ x1: 2500, y1: -9000, x2: 2500, y2: 9000 }] });
  const column = Math.round(columnOf(1000, 350));
  const floorRow = (xMm: number): number => Math.round(cyPx + (fPx * 200) / xMm);
  assert.ok(luma(picture, column, floorRow(1015)) < luma(picture, column, floorRow(900)) - 25, 'grid line');
  const skirtingTop = cyPx + (fPx * 80) / 2500;
  assert.ok(
    luma(picture, column, Math.round(skirtingTop + 2)) <
      luma(picture, column, Math.round(skirtingTop - 2)) - 40,
    'skirting',
  );
});

test('the image turns with the cart', () => {
  const turned = draw({
    pose: { xMm: 0, yMm: -250, headingDeg: 90 },
    markers: [markerAt(-100, 1000, { headingDeg: 270 })],
  });
  const straight = draw({ markers: [markerAt(1000, 100)] });
  const row = Math.round(cyPx);
  const range = [Math.round(columnOf(1000, 190)), Math.round(columnOf(1000, 170))] as const;
  assert.ok(Math.abs(edge(turned, row, ...range) - edge(straight, row, ...range)) < 0.01);
});

test('radial distortion scales the radius r of a point by 1 + k1 r²', () => {
  for (const k1 of [-0.15, 0.1]) {
    const lens = new Lens(lensModel(640, 480, k1), 640, 480);
    const markers: SceneMarker[] = [markerAt(1000, 400)];
    const picture = draw({ markers, faults: { cameraDistortion: k1 } });
    const expected = cxPx - fPx * 0.48 * (1 + k1 * 0.48 * 0.48);
    const [white] = lens.project(-0.49, 0);
    const [black] = lens.project(-0.47, 0);
    const seen = edge(picture, Math.round(cyPx), Math.round(white), Math.round(black));
    assert.ok(Math.abs(seen - expected) < 0.03, `k1 ${k1}: ${seen} instead of ${expected}`);
  }
});

const noisy = (seed: number): Picture => draw({ faults: { cameraNoise: 8 } }, 640, 480, seed);

test('noise has the given standard deviation', () => {
  const clean = draw({});
  const picture = noisy(1);
  const squares = picture.luma.reduce((sum, value, at) => sum + (value - (clean.luma[at] ?? 0)) ** 2, 0);
  const deviation = Math.sqrt(squares / picture.luma.length);
  assert.ok(Math.abs(deviation - 8) < 0.4, `${deviation}`);
});

test('the seed determines the noise', () => {
  const { luma } = noisy(1);
  assert.deepEqual(noisy(1).luma, luma);
  assert.notDeepEqual(noisy(2).luma, luma);
});

test('each image of a stationary cart has different noise', () => {
  const renderer = new Renderer({ width: 64, height: 48, random: randomFrom(1) });
  const scene = { ...SCENE, faults: { cameraNoise: 8 } };
  const first = jpegOf(renderer.draw(scene));
  assert.notDeepEqual(jpegOf(renderer.draw(scene)), first);
});

test('blur widens an edge and does not move it', () => {
  const markers = [markerAt(500, 0)];
  const picture = draw({ markers, faults: { cameraBlur: 3 } });
  const row = Math.round(cyPx);
  const column = (yMm: number): number => Math.round(columnOf(500, yMm));
  const ramp = [4, 3, 2, 1, 0, -1, -2, -3, -4].map((offset) => luma(picture, column(80) - offset, row));
  assert.ok(
    ramp.every((value, at) => at === 0 || value < (ramp[at - 1] ?? 0)),
    ramp.join(),
  );
  assert.ok(Math.abs(edge(picture, row, column(90), column(70)) - columnOf(500, 80)) < 0.3);
});

test('the exposure fault makes the image too bright or too dark', () => {
  const mean = (faults: object): number => meanOf(draw({ faults }), 0, 0, 640, 480);
  assert.ok(mean({ cameraExposure: 3 }) > 250);
  assert.ok(mean({ cameraExposure: -4 }) < 12);
});

test('the black fault makes the image black', () => {
  const black = draw({ markers: [markerAt(500, 0)], faults: { cameraBlack: 0 } });
  assert.ok(black.luma.every((value) => value === 16));
});

test('an image without a pose is uniform', () => {
  const picture = draw({ pose: null });
  assert.equal(new Set(picture.luma).size, 1);
});

test('flip() mirrors the image', () => {
  const markers = [markerAt(1000, 100)];
  const plain = draw({ markers }, 101, 67);
  const flipped = draw({ markers }, 101, 67);
  flipped.flip(true, true);
  for (const [column, row] of [
    [0, 0],
    [30, 33],
    [100, 66],
  ] as const)
    assert.equal(luma(flipped, 100 - column, 66 - row), luma(plain, column, row));
});

test('text stays within an image that is too narrow for it', () => {
  const markers = [markerAt(1000, 100)];
  const plain = draw({ markers }, 101, 67);
  const texted = draw({ markers }, 101, 67);
  texted.write('SIMULATED 12:34:56 #1 X 1.00 Y 1.00 HEADING 0');
  assert.notDeepEqual(texted.luma, plain.luma);
  for (let row = 10; row < 67; row++) assert.equal(luma(texted, 50, row), luma(plain, 50, row));
});

test('rendering an image of 640 x 480 pixels takes less than 50 times as long as one pass over its pixels', () => {
  const cpuMs = (run: () => void): number => {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  const least = (times: number[]): number => Math.min(...times);
  const pixels = new Uint8ClampedArray(640 * 480);
  const pass = (turn: number): void => {
    for (let at = 0; at < pixels.length; at++) pixels[at] = (at % 640) * turn + 20 / (at + turn + 1.5);
  };
  const renderer = new Renderer({ width: 640, height: 480, random: randomFrom(2) });
  const image = (turn: number): void => {
    const pose = { xMm: -250 + turn, yMm: 0, headingDeg: turn / 10 };
    jpegOf(renderer.draw({ ...SCENE, pose, markers: [markerAt(1000, 0), markerAt(2500, 500)] }));
  };
  const turns = Array.from({ length: 40 }, (_, turn) => turn + 0.5);
  const passMs = least(turns.map((turn) => cpuMs(() => pass(turn))));
  const imageMs = least(turns.map((turn) => cpuMs(() => image(turn))));
  process.stdout.write(`\n  ${imageMs.toFixed(1)} ms for an image, ${passMs.toFixed(2)} ms for a pass\n`);
  assert.ok(imageMs < 50 * passMs, `${imageMs} ms and ${passMs} ms`);
});

test.run();
