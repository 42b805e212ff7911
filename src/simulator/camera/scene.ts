import { open, readFile } from 'node:fs/promises';
import { BlockImage, type Colour } from '../../camera/streaming/jpeg-blocks.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';

/** Position in mm from the start, with x along the initial heading; heading in degrees, positive left. */
export interface Pose {
  xMm: number;
  yMm: number;
  headingDeg: number;
}

const PERIOD_MS = 50;
/** Fixed length in bytes, so that a new pose overwrites the whole old pose. */
const LENGTH = 64;

/**
 * Writes the pose to a file every 50 ms. A write smaller than a page is atomic. The file should be on a
 * tmpfs.
 */
export function publishPose(path: string, pose: () => Pose | undefined, clock: Clock): Cancel {
  let written = '';
  let isWriting = false;
  const write = async (): Promise<void> => {
    const text = textOf(pose());
    if (isWriting || text === written) return;
    isWriting = true;
    try {
      const file = await open(path, written === '' ? 'w' : 'r+', 0o600);
      await file.write(text, 0).finally(() => file.close());
      written = text;
    } catch {
      // A failed write is not fatal: the image shows no cart until the next write recreates the file.
      written = '';
    } finally {
      isWriting = false;
    }
  };
  void write();
  return clock.every(PERIOD_MS, () => void write());
}

/** Returns undefined if the file does not exist or contains no pose. */
export async function readPose(path: string): Promise<Pose | undefined> {
  try {
    const [xMm = Number.NaN, yMm = Number.NaN, headingDeg = Number.NaN] = (await readFile(path, 'utf8'))
      .trim()
      .split(' ')
      .map(Number);
    return [xMm, yMm, headingDeg].every(Number.isFinite) ? { xMm, yMm, headingDeg } : undefined;
  } catch {
    return undefined;
  }
}

function textOf(pose: Pose | undefined): string {
  const text = pose
    ? [pose.xMm, pose.yMm, pose.headingDeg].map((value) => value.toFixed(2)).join(' ')
    : 'none';
  return text.padEnd(LENGTH - 1).concat('\n');
}

const PALETTE = [
  [58, 66, 74],
  [76, 86, 96],
  [16, 18, 20],
  [235, 238, 240],
  [255, 176, 32],
  [64, 132, 214],
  [150, 205, 255],
  [226, 70, 60],
] as const satisfies readonly Colour[];
const [LINE, DARK, LIGHT, AMBER, BODY, NOSE, RED] = [1, 2, 3, 4, 5, 6, 7];

/** A block covers 5 cm of floor; grid lines are 1 m apart. */
const BLOCK_MM = 50;
const GRID_MM = 1000;
const CART = { lengthMm: 600, widthMm: 400 } as const;
const MAX_TRAIL_POINTS = 2000;

export interface SceneState {
  /** Frame number, starting at 1. */
  frame: number;
  /** `12:34:56`. */
  time: string;
  pose: Pose | undefined;
}

/** A view from above, centred on the cart, with a grid and the cart's trail. */
export class CameraScene {
  readonly picture: BlockImage;
  readonly #trail: Pose[] = [];

  constructor(width: number, height: number) {
    this.picture = new BlockImage(width, height, PALETTE);
  }

  draw({ frame, time, pose }: SceneState): void {
    const { picture } = this;
    picture.clear();
    if (pose) {
      this.#drawFloor(pose);
      this.#drawTrail(pose);
      this.#drawCart(pose);
    }
    const texts = ['SIMULATED', time, `#${frame}`];
    if (pose)
      texts.push(`X ${metres(pose.xMm)} Y ${metres(pose.yMm)}`, `HEADING ${pose.headingDeg.toFixed(0)}`);
    // Text is drawn only in the upper half of the image, above the cart.
    const maxLines = Math.max(1, Math.floor(picture.rows / 14 - 1));
    texts.slice(0, maxLines).forEach((text, at) => {
      picture.fill(0, at * 7, text.length * 4 + 3, 7, DARK);
      picture.write(2, at * 7 + 1, text, at === 0 ? AMBER : LIGHT);
    });
    const run = Math.max(1, picture.columns - 4);
    picture.fill(frame % run, picture.rows - 4, 4, 4, RED);
  }

  #drawFloor(pose: Pose): void {
    const { columns, rows } = this.picture;
    for (let column = 0; column < columns; column++) {
      if (isLine(pose.xMm + (column - columns / 2) * BLOCK_MM)) this.picture.fill(column, 0, 1, rows, LINE);
    }
    for (let row = 0; row < rows; row++) {
      if (isLine(pose.yMm - (row - rows / 2) * BLOCK_MM)) this.picture.fill(0, row, columns, 1, LINE);
    }
  }

  #drawTrail(pose: Pose): void {
    const last = this.#trail.at(-1);
    if (!last || Math.hypot(pose.xMm - last.xMm, pose.yMm - last.yMm) >= BLOCK_MM) this.#trail.push(pose);
    if (this.#trail.length > MAX_TRAIL_POINTS) this.#trail.shift();
    for (const { xMm, yMm } of this.#trail) this.#point(xMm - pose.xMm, yMm - pose.yMm, AMBER);
  }

  #drawCart({ headingDeg }: Pose): void {
    const cos = Math.cos((headingDeg * Math.PI) / 180);
    const sin = Math.sin((headingDeg * Math.PI) / 180);
    const half = { length: CART.lengthMm / 2, width: CART.widthMm / 2 };
    // With steps of half a block, the drawn cart has no gaps at any heading.
    for (let ahead = -half.length; ahead <= half.length; ahead += BLOCK_MM / 2) {
      const colour = ahead > half.length - 3 * BLOCK_MM ? NOSE : BODY;
      for (let left = -half.width; left <= half.width; left += BLOCK_MM / 2)
        this.#point(ahead * cos - left * sin, ahead * sin + left * cos, colour);
    }
  }

  #point(xMm: number, yMm: number, colour: number): void {
    const { columns, rows } = this.picture;
    const column = Math.round(columns / 2 + xMm / BLOCK_MM);
    this.picture.set(column, Math.round(rows / 2 - yMm / BLOCK_MM), colour);
  }
}

function isLine(mm: number): boolean {
  return ((mm % GRID_MM) + GRID_MM) % GRID_MM < BLOCK_MM;
}

function metres(mm: number): string {
  return (mm / 1000).toFixed(2);
}
