import type { MeasuredMarker } from '../../src/navigation/markers/model.js';
import type { MarkerTruth } from './marker-fixtures.js';

/** A reported yaw whose error is larger is wrong; the mirrored pose has such a yaw. */
const WRONG_YAW_DEG = 3;

/** Compares measured markers with the truth. */
export class MarkerFigures {
  #images = 0;
  #found = 0;
  #wrongYaws = 0;
  #unknownYaws = 0;
  readonly #falseIds: number[] = [];
  readonly #rangePercent: number[] = [];
  readonly #bearingDeg: number[] = [];
  readonly #yawDeg: number[] = [];

  add(truth: MarkerTruth | null, markers: readonly MeasuredMarker[]): void {
    this.#images += 1;
    for (const marker of markers) {
      if (marker.id === truth?.id) this.#addFound(truth, marker);
      else this.#falseIds.push(marker.id);
    }
  }

  #addFound(truth: MarkerTruth, { rangeMm, bearingDeg, yawDeg }: MeasuredMarker): void {
    this.#found += 1;
    this.#rangePercent.push(100 * Math.abs(rangeMm / truth.rangeMm - 1));
    this.#bearingDeg.push(Math.abs(bearingDeg - truth.bearingDeg));
    if (yawDeg === null) {
      this.#unknownYaws += 1;
      return;
    }
    const error = Math.abs(yawDeg - truth.yawDeg);
    this.#yawDeg.push(error);
    if (error > WRONG_YAW_DEG) this.#wrongYaws += 1;
  }

  /** Percentages of images, and 95th percentiles of the errors. */
  get summary() {
    return {
      images: this.#images,
      foundPercent: (100 * this.#found) / this.#images,
      rangeP95Percent: percentile95(this.#rangePercent),
      bearingP95Deg: percentile95(this.#bearingDeg),
      yawP95Deg: percentile95(this.#yawDeg),
      unknownYawPercent: (100 * this.#unknownYaws) / this.#images,
      wrongYaws: this.#wrongYaws,
      falseIds: this.#falseIds,
    };
  }
}

function percentile95(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(0.95 * sorted.length) - 1] ?? Number.NaN;
}
