import { JpegEncoder } from '../../../../src/simulator/camera/jpeg/encoder.js';
import { Picture } from '../../../../src/simulator/camera/render/picture.js';
import { Renderer } from '../../../../src/simulator/camera/render/renderer.js';
import type { SceneMarker, SceneState } from '../../../../src/simulator/camera/scene.js';
import { randomFrom } from '../../../helpers/random.js';

/** The camera is at (0, 0) and looks along the x axis. */
export const SCENE: SceneState = {
  pose: { xMm: -250, yMm: 0, headingDeg: 0 },
  mount: { xMm: 250, yMm: 0, headingDeg: 0 },
  walls: [],
  markers: [],
  carts: [],
  faults: {},
};

/** A marker of 160 mm, whose cells are 20 mm wide, that faces the camera squarely. */
export function markerAt(xMm: number, yMm: number, more: Partial<SceneMarker> = {}): SceneMarker {
  return { id: 0, sizeMm: 160, xMm, yMm, headingDeg: 180, ...more };
}

export function draw(scene: Partial<SceneState>, width = 640, height = 480, seed = 1): Picture {
  return new Renderer({ width, height, random: randomFrom(seed) }).draw({ ...SCENE, ...scene });
}

export function jpegOf(picture: Picture, quality = 85): Buffer {
  return new JpegEncoder(new Picture(picture.width, picture.height), quality).encode(picture);
}

export function luma({ luma, stride }: Picture, column: number, row: number): number {
  return luma[row * stride + column] ?? 0;
}

/** Mean luma of a rectangle. */
export function meanOf(picture: Picture, left: number, top: number, right: number, bottom: number): number {
  let sum = 0;
  for (let row = top; row < bottom; row++)
    for (let column = left; column < right; column++) sum += luma(picture, column, row);
  return sum / (right - left) / (bottom - top);
}
