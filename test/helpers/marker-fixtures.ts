import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CameraModel } from '../../src/navigation/markers/model.js';
import { packageRoot } from '../../src/shared/package-root.js';

export interface MarkerTruth {
  id: number;
  rangeMm: number;
  bearingDeg: number;
  yawDeg: number;
}

export interface RenderedImages {
  sizeMm: number;
  camera: CameraModel;
  images: { file: string; truth: MarkerTruth | null }[];
}

export type MarkerFixture = '480p' | '720p' | 'none';

/** Returns the path of a fixture's folder, which bench/markers/render.py has written. */
export function fixtureFolder(fixture: MarkerFixture): string {
  return join(packageRoot(), 'test/fixtures/markers', fixture);
}

/** Reads the images that bench/markers/render.py has written. */
export function renderedImages(folder: string): RenderedImages & { jpegOf(file: string): Buffer } {
  const truth: RenderedImages = JSON.parse(readFileSync(join(folder, 'truth.json'), 'utf8'));
  return { ...truth, jpegOf: (file) => readFileSync(join(folder, file)) };
}
