import { type PlanarPose, relative } from '../planar.js';
import { fused, moved, type PoseEstimate } from './estimate.js';

/** A marker is suspicious after this many rejections in a row; a false detection can cause a single one. */
const REJECTIONS = 3;
/** Only markers seen within this time vote on the pose. */
const VOTE_MS = 10_000;

interface Vote {
  atMs: number;
  /** The pose computed from the marker alone. */
  estimate: PoseEstimate;
  odometer: PlanarPose;
}

interface Rejection {
  id: number;
  atMs: number;
  /** Undefined if the marker's yaw is unknown. */
  estimate: PoseEstimate | undefined;
  odometer: PlanarPose;
}

/**
 * When markers contradict the pose, decides whether the markers or the pose are wrong. A marker that is rejected
 * three times in a row is suspicious, but if several markers agree on a different pose, the pose is wrong.
 */
export class MarkerTrust {
  readonly #rejections = new Map<number, number>();
  readonly #suspicious = new Set<number>();
  readonly #accepted = new Map<number, number>();
  readonly #votes = new Map<number, Vote>();

  /** IDs of the markers whose registered poses are not used, in ascending order. */
  get suspicious(): number[] {
    return [...this.#suspicious].sort((a, b) => a - b);
  }

  isSuspicious(id: number): boolean {
    return this.#suspicious.has(id);
  }

  /** Must be called when an operator has set the pose or changed the marker. */
  forget(id?: number): void {
    if (id !== undefined) {
      for (const list of [this.#rejections, this.#suspicious, this.#accepted, this.#votes]) list.delete(id);
      return;
    }
    for (const list of [this.#rejections, this.#suspicious, this.#accepted, this.#votes]) list.clear();
  }

  accept(id: number, atMs: number): void {
    this.#rejections.delete(id);
    this.#votes.delete(id);
    this.#accepted.set(id, atMs);
  }

  /** Returns the pose that the rejected markers agree on if they outnumber the accepted markers. */
  reject({ id, atMs, estimate, odometer }: Rejection): PoseEstimate | undefined {
    const count = (this.#rejections.get(id) ?? 0) + 1;
    this.#rejections.set(id, count);
    this.#accepted.delete(id);
    if (count < REJECTIONS) return undefined;
    this.#suspicious.add(id);
    if (!estimate) return undefined;
    this.#votes.set(id, { atMs, estimate, odometer });
    const agreeing = [...this.#votes]
      .filter(([other, vote]) => other !== id && atMs - vote.atMs <= VOTE_MS)
      .map(([, vote]) => moved(vote.estimate, relative(vote.odometer, odometer)))
      .filter((other) => fused(other, estimate));
    const accepted = [...this.#accepted.values()].filter((seenMs) => atMs - seenMs <= VOTE_MS);
    if (agreeing.length === 0 || agreeing.length + 1 <= accepted.length) return undefined;
    return agreeing.reduce((pose, other) => fused(pose, other) ?? pose, estimate);
  }
}
