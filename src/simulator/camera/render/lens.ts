/** A pinhole camera with radial distortion. Pixel centres are at whole numbers. */
export interface LensModel {
  width: number;
  height: number;
  fPx: number;
  cxPx: number;
  cyPx: number;
  /** Radial distortion of normalised coordinates: a point at radius r is seen at r(1 + k1 r²). */
  k1: number;
}

/** From the data sheet of Camera Module 3. */
const HORIZONTAL_FOV_DEG = 66;

export function lensModel(width: number, height: number, k1 = 0): LensModel {
  const fPx = width / 2 / Math.tan((HORIZONTAL_FOV_DEG * Math.PI) / 360);
  return { width, height, fPx, cxPx: (width - 1) / 2, cyPx: (height - 1) / 2, k1 };
}

const TABLE_SIZE = 1024;

/** Computes the rays of pixels, in normalised coordinates: x right and y down at a distance of 1. */
export class Lens {
  readonly model: LensModel;
  /** Largest horizontal coordinate of a ray. */
  readonly maxX: number;
  /** Rays of the row that `aim` was called for. */
  readonly xs: Float64Array;
  readonly ys: Float64Array;
  readonly #stride: number;
  /** Ratio of the undistorted to the distorted radius of a ray, indexed by the square of the distorted radius. */
  readonly #ratios = new Float64Array(TABLE_SIZE + 1);
  readonly #perRadius2: number;

  /** `stride` and `rows` are the padded image's size. */
  constructor(model: LensModel, stride: number, rows: number) {
    const { fPx, cxPx, cyPx, k1 } = model;
    this.model = model;
    this.#stride = stride;
    this.xs = Float64Array.from({ length: stride }, (_, column) => (column - cxPx) / fPx);
    this.ys = new Float64Array(stride);
    const [farX, farY] = [Math.max(cxPx, stride - cxPx) / fPx, Math.max(cyPx, rows - cyPx) / fPx];
    const maxRadius2 = farX * farX + farY * farY;
    this.#perRadius2 = TABLE_SIZE / maxRadius2;
    for (let at = 0; at <= TABLE_SIZE; at++)
      this.#ratios[at] = undistortedRatio(Math.sqrt(at / this.#perRadius2), k1);
    this.maxX = farX * Math.max(1, this.#ratios[TABLE_SIZE] ?? 1);
  }

  /** Fills `xs` and `ys` with the rays of a row of pixels. */
  aim(row: number): void {
    const { xs, ys } = this;
    const { fPx, cxPx, cyPx, k1 } = this.model;
    const y = (row - cyPx) / fPx;
    if (k1 === 0) return void ys.fill(y);
    for (let column = 0; column < this.#stride; column++) {
      const x = (column - cxPx) / fPx;
      const ratio = this.#ratio(x * x + y * y);
      xs[column] = x * ratio;
      ys[column] = y * ratio;
    }
  }

  /** Returns the pixel of a ray, which may be outside the image. */
  project(x: number, y: number): [column: number, row: number] {
    const { fPx, cxPx, cyPx, k1 } = this.model;
    const scale = 1 + k1 * Math.min(x * x + y * y, foldRadius(k1) ** 2);
    return [cxPx + fPx * x * scale, cyPx + fPx * y * scale];
  }

  #ratio(radius2: number): number {
    const position = radius2 * this.#perRadius2;
    const at = Math.min(TABLE_SIZE - 1, Math.floor(position));
    const low = this.#ratios[at] ?? 1;
    return low + ((this.#ratios[at + 1] ?? 1) - low) * (position - at);
  }
}

/**
 * Radius beyond which the distortion would fold the image, because a larger radius would appear as a smaller one.
 */
function foldRadius(k1: number): number {
  return k1 < 0 ? Math.sqrt(-1 / (3 * k1)) * 0.99 : Number.MAX_VALUE;
}

/** Solves r(1 + k1 r²) = `radius` with Newton's method. */
function undistortedRatio(radius: number, k1: number): number {
  if (radius === 0) return 1;
  const fold = foldRadius(k1);
  let r = Math.min(radius, fold);
  for (let step = 0; step < 20; step++) {
    r = Math.min(fold, r - (r * (1 + k1 * r * r) - radius) / (1 + 3 * k1 * r * r));
  }
  return r / radius;
}
