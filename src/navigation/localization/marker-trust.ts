import { type PlanarPose, relative } from '../planar.js';
import { fused, moved, type PoseEstimate } from './estimate.js';

/** A single rejection can be a false detection. */
const REJECTIONS = 3;
/** Markers that were seen within this time vote on the pose. */
const VOTE_MS = 10_000;

interface Vote {
  atMs: number;
  /** The pose that follows from the marker alone. */
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
 * Decides whether markers or the pose are wrong when markers contradict the pose: one marker that is rejected three
 * times in a row is suspicious; if several markers agree on another pose, the pose is wrong.
 */
export class MarkerTrust {
  readonly #rejections = new Map<number, number>();
  readonly #suspicious = new Set<number>();
  readonly #accepted = new Map<number, number>();
  readonly #votes = new Map<number, Vote>();

  /** The markers that are no longer used, in ascending order. */
  get suspicious(): number[] {
    return [...this.#suspicious].sort((a, b) => a - b);
  }

  isSuspicious(id: number): boolean {
    return this.#suspicious.has(id);
  }

  /** Called when the pose or the marker was changed by a person. */
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

  /** Returns the pose on which the rejected markers agree if they outnumber the accepted markers. */
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
