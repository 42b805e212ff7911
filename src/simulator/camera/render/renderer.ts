import type { CameraFaultVerb } from '../faults.js';
import type { SceneState } from '../scene.js';
import { Columns } from './columns.js';
import { addNoise, blur, expose } from './effects.js';
import { drawHall, outerWalls } from './hall.js';
import { Lens, lensModel } from './lens.js';
import { drawMarkers } from './marker.js';
import { Picture } from './picture.js';
import { View } from './view.js';

const NO_POSE_LUMA = 40;
const BLACK_LUMA = 16;

export interface RendererOptions {
  width: number;
  height: number;
  /** Brightness, −1 to 1. */
  brightness?: number;
  random: () => number;
}

export class Renderer {
  readonly picture: Picture;
  readonly #options: RendererOptions;
  /** The image of the last scene before noise and text are added; redrawn only when the scene changes. */
  readonly #clean: Picture;
  #scene: SceneState | undefined | null = null;
  #columns: Columns;

  constructor(options: RendererOptions) {
    const { width, height } = options;
    this.#options = options;
    this.picture = new Picture(width, height);
    this.#clean = new Picture(width, height);
    this.#columns = this.#columnsFor(0);
  }

  /** Draws a scene into `picture`. Without a scene or a pose, the image is uniformly grey. */
  draw(scene: SceneState | undefined): Picture {
    if (scene !== this.#scene) this.#drawClean(scene);
    this.#scene = scene;
    this.picture.copy(this.#clean);
    const noise = scene?.faults.cameraNoise ?? 0;
    if (noise > 0) addNoise(this.picture, noise, this.#options.random);
    return this.picture;
  }

  #drawClean(scene: SceneState | undefined): void {
    const { brightness = 0 } = this.#options;
    const faults: Partial<Record<CameraFaultVerb, number>> = scene?.faults ?? {};
    const picture = this.#clean;
    if (faults.cameraBlack !== undefined) return picture.fill(BLACK_LUMA);
    if (!scene?.pose) return picture.fill(NO_POSE_LUMA);
    const k1 = faults.cameraDistortion ?? 0;
    if (k1 !== this.#columns.lens.model.k1) this.#columns = this.#columnsFor(k1);
    const view = new View(scene, scene.pose);
    this.#columns.survey(view, [...outerWalls(view), ...scene.walls], scene.carts);
    drawHall(picture, this.#columns, view);
    drawMarkers(picture, this.#columns, view);
    if (faults.cameraBlur) blur(picture, faults.cameraBlur);
    const exposure = faults.cameraExposure ?? 0;
    if (exposure !== 0 || brightness !== 0) expose(picture, exposure, brightness);
  }

  #columnsFor(k1: number): Columns {
    const { width, height } = this.#options;
    const { stride, rows } = this.picture;
    return new Columns(new Lens(lensModel(width, height, k1), stride, rows), stride);
  }
}
