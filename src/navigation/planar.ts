/** A pose in mm and radians; the heading is not normalised. */
export interface PlanarPose {
  x: number;
  y: number;
  heading: number;
}

export const RAD = Math.PI / 180;

/** Returns `motion`, which is relative to `from`, as a pose in the frame of `from`. */
export function composed(from: PlanarPose, motion: PlanarPose): PlanarPose {
  const [cos, sin] = [Math.cos(from.heading), Math.sin(from.heading)];
  return {
    x: from.x + motion.x * cos - motion.y * sin,
    y: from.y + motion.x * sin + motion.y * cos,
    heading: from.heading + motion.heading,
  };
}

/** Returns `to` relative to `from`. */
export function relative(from: PlanarPose, to: PlanarPose): PlanarPose {
  const [cos, sin] = [Math.cos(from.heading), Math.sin(from.heading)];
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  return { x: dx * cos + dy * sin, y: dy * cos - dx * sin, heading: normalised(to.heading - from.heading) };
}

export function inverted(pose: PlanarPose): PlanarPose {
  return relative(pose, { x: 0, y: 0, heading: 0 });
}

export function normalised(rad: number): number {
  return rad - 2 * Math.PI * Math.round(rad / (2 * Math.PI));
}

export function planar({
  xMm,
  yMm,
  headingDeg,
}: {
  xMm: number;
  yMm: number;
  headingDeg: number;
}): PlanarPose {
  return { x: xMm, y: yMm, heading: headingDeg * RAD };
}
