import { open, readFile } from 'node:fs/promises';
import { BlockPicture, type Colour } from '../../camera/streaming/jpeg-blocks.js';
import type { Cancel, Clock } from '../../shared/ports/ports.js';

/** Where the simulated cart is: mm from its start, x along its first heading; degrees, + = left. */
export interface Pose {
  xMm: number;
  yMm: number;
  headingDeg: number;
}

const PERIOD_MS = 50;
/** Every text has the same length, so that a new one covers the old one whole. */
const LENGTH = 64;

/**
 * Keeps a small file up to date with where the simulated cart is, for the simulated camera, which is a process of its
 * own. One write of one page: a reader sees the old text or the new one. Belongs on a tmpfs.
 */
export function tellPose(path: string, pose: () => Pose | undefined, clock: Clock): Cancel {
  let told = '';
  let isWriting = false;
  const tell = async (): Promise<void> => {
    const now = textOf(pose());
    if (isWriting || now === told) return;
    isWriting = true;
    try {
      const file = await open(path, told === '' ? 'w' : 'r+', 0o600);
      await file.write(now, 0).finally(() => file.close());
      told = now;
    } catch {
      // A picture without the cart is no reason to stop anything; the next turn tries again from the start.
      told = '';
    } finally {
      isWriting = false;
    }
  };
  void tell();
  return clock.every(PERIOD_MS, () => void tell());
}

/** What the file says; undefined when there is none, or no cart. */
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

/** One block is 5 cm of floor; lines are a metre apart. */
const BLOCK_MM = 50;
const GRID_MM = 1000;
const CART = { lengthMm: 600, widthMm: 400 } as const;
const MOST_TRAIL = 2000;

export interface SceneMoment {
  /** Counts the pictures from 1. */
  frame: number;
  /** `12:34:56`. */
  time: string;
  pose: Pose | undefined;
}

/** What the simulated camera sees: from above, always over the cart, so that the floor with its lines and the trail move. */
export class CameraScene {
  readonly picture: BlockPicture;
  readonly #trail: Pose[] = [];

  constructor(width: number, height: number) {
    this.picture = new BlockPicture(width, height, PALETTE);
  }

  draw({ frame, time, pose }: SceneMoment): void {
    const { picture } = this;
    picture.clear();
    if (pose) {
      this.#drawFloor(pose);
      this.#drawTrail(pose);
      this.#drawCart(pose);
    }
    const words = ['SIMULATED', time, `#${frame}`];
    if (pose)
      words.push(`X ${metres(pose.xMm)} Y ${metres(pose.yMm)}`, `HEADING ${pose.headingDeg.toFixed(0)}`);
    // The cart, in the middle, is not written over.
    const room = Math.max(1, Math.floor(picture.rows / 14 - 1));
    words.slice(0, room).forEach((text, at) => {
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
    if (this.#trail.length > MOST_TRAIL) this.#trail.shift();
    for (const { xMm, yMm } of this.#trail) this.#point(xMm - pose.xMm, yMm - pose.yMm, AMBER);
  }

  #drawCart({ headingDeg }: Pose): void {
    const cos = Math.cos((headingDeg * Math.PI) / 180);
    const sin = Math.sin((headingDeg * Math.PI) / 180);
    const half = { length: CART.lengthMm / 2, width: CART.widthMm / 2 };
    // Half a block at a time: turned, it has no holes.
    for (let ahead = -half.length; ahead <= half.length; ahead += BLOCK_MM / 2) {
      const colour = ahead > half.length - 3 * BLOCK_MM ? NOSE : BODY;
      for (let left = -half.width; left <= half.width; left += BLOCK_MM / 2)
        this.#point(ahead * cos - left * sin, ahead * sin + left * cos, colour);
    }
  }

  /** A block of the floor, mm from the middle of the picture. */
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
