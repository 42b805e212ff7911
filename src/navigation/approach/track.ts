import { OdometryHistory } from '../localization/odometry-history.js';
import { composed, type PlanarPose, relative } from '../planar.js';

/** An image can be older than its capture time indicates, because the camera needs time to encode and send it. */
const MAX_LAG_MS = 250;
const STEP_MS = 25;
/**
 * The controller reports its odometry about every 100 ms, so an image can show a later pose than the last
 * report.
 */
const AHEAD_MS = [50, 100, 150];
/** Greatest distance and turn between two consecutive poses of a track. */
const RESOLUTION = { mm: 10, rad: 0.02 };
/** A cart whose pose has not changed for this long is stationary. */
const MOVING_MS = 200;

/** The odometer poses that the cart may have had when an image was taken. */
export class OdometryTrack {
  readonly #history = new OdometryHistory();
  #last: { atMs: number; pose: PlanarPose } | undefined;
  #previous: { atMs: number; pose: PlanarPose } | undefined;

  /** Called at least every 100 ms, even if the pose has not changed. */
  add(atMs: number, pose: PlanarPose): void {
    this.#history.add({ atMs, pose });
    const { x, y, heading } = this.#last?.pose ?? {};
    if (x === pose.x && y === pose.y && heading === pose.heading) return;
    this.#previous = this.#last;
    this.#last = { atMs, pose };
  }

  get pose(): PlanarPose | undefined {
    return this.#history.latest?.pose;
  }

  /** Returns the poses relative to `origin`, in chronological order. */
  around(capturedMs: number, origin: PlanarPose): PlanarPose[] {
    const { latest } = this.#history;
    const poses: PlanarPose[] = [];
    for (let atMs = capturedMs - MAX_LAG_MS; atMs <= (latest?.atMs ?? atMs - 1); atMs += STEP_MS) {
      const pose = this.#history.poseAt(atMs);
      if (pose) poses.push(pose);
    }
    const known = [...poses, ...this.#extrapolated(latest?.atMs ?? 0)].map((pose) => relative(origin, pose));
    return known.flatMap((pose, nth) => stepsTo(pose, known[nth - 1] ?? pose));
  }

  #extrapolated(nowMs: number): PlanarPose[] {
    const [from, to] = [this.#previous, this.#last];
    if (!from || !to || nowMs - to.atMs > MOVING_MS) return [];
    const motion = relative(from.pose, to.pose);
    // The duration is limited, because the first report of a motion follows a standstill of unknown length.
    const durationMs = Math.min(to.atMs - from.atMs, MOVING_MS);
    return AHEAD_MS.map((ms) => {
      const share = ms / durationMs;
      const { x, y, heading } = motion;
      return composed(to.pose, { x: share * x, y: share * y, heading: share * heading });
    });
  }
}

/** Returns the poses from `from` (excluded) to `to`. */
function stepsTo(to: PlanarPose, from: PlanarPose): PlanarPose[] {
  const { x, y, heading } = relative(from, to);
  const count = Math.ceil(Math.max(1, Math.hypot(x, y) / RESOLUTION.mm, Math.abs(heading) / RESOLUTION.rad));
  return Array.from({ length: count }, (_, nth) => {
    const share = (nth + 1) / count;
    return composed(from, { x: share * x, y: share * y, heading: share * heading });
  });
}
