import { normalised, type PlanarPose, relative } from '../planar.js';

interface Sample {
  atMs: number;
  pose: PlanarPose;
}

/** Images that are older than this are not used. */
const KEPT_MS = 1000;

/** The odometer poses of the last second. */
export class OdometryHistory {
  #samples: Sample[] = [];

  get latest(): Sample | undefined {
    return this.#samples.at(-1);
  }

  add(sample: Sample): void {
    this.#samples.push(sample);
    // One sample older than a second is kept, so that poses can be interpolated throughout the last second.
    while ((this.#samples[1]?.atMs ?? Infinity) <= sample.atMs - KEPT_MS) this.#samples.shift();
  }

  clear(): void {
    this.#samples = [];
  }

  /** Returns the pose at `atMs`; undefined if the history does not go back that far. */
  poseAt(atMs: number): PlanarPose | undefined {
    const { latest } = this;
    if (!latest || atMs >= latest.atMs) return latest?.pose;
    const next = this.#samples.findIndex((sample) => sample.atMs > atMs);
    const [before, after] = [this.#samples[next - 1], this.#samples[next]];
    if (!before || !after || latest.atMs - atMs > KEPT_MS) return undefined;
    return between(before, after, atMs);
  }

  /** Returns the motion from `atMs` to the latest sample; undefined if the history does not go back that far. */
  motionSince(atMs: number): PlanarPose | undefined {
    const pose = this.poseAt(atMs);
    return pose && this.latest && relative(pose, this.latest.pose);
  }
}

function between(before: Sample, after: Sample, atMs: number): PlanarPose {
  const share = (atMs - before.atMs) / (after.atMs - before.atMs);
  const [from, to] = [before.pose, after.pose];
  return {
    x: from.x + share * (to.x - from.x),
    y: from.y + share * (to.y - from.y),
    heading: from.heading + share * normalised(to.heading - from.heading),
  };
}
