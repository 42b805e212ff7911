import { signedDegrees } from '../../shared/angles.js';
import type { Leg } from './route.js';
import { headingOn, offRouteMm, type RoutePose, SAME_POINT_MM } from './steps.js';

/** A pose of a cart that is driven by hand, with its signed speed. */
export interface TaughtPose extends RoutePose {
  speedMmps: number;
}

/** A cart that moved or turned less than this has not left its place. */
const JITTER = { mm: 30, deg: 3 };
/** A slower cart is stationary or turns in place. */
const DRIVING_MMPS = 15;
const MAX_DEVIATION_MM = 30;
/** Distance between the poses in which crossings are looked for. */
const SPACING_MM = 50;
/** Longer than a line, which has the length of the spacing or of the way between two poses. */
const CELL_MM = 100;
/** Lines that follow each other meet at a corner and do not cross. */
const MIN_LOOP_MM = 300;
/** Lines that meet at a smaller angle run beside each other and do not cross. */
const MIN_CROSSING_DEG = 20;
/** Turns at the end that are smaller are not part of the route. */
const MIN_END_TURN_DEG = 3;
const SPEED_STEP_MMPS = 10;
/** Share of the samples of a leg that were not faster than the leg's speed. */
const SPEED_SHARE = 0.9;

/**
 * Returns the legs of a route that a person drove by hand: straight lines within 30 mm of the way, which end where the
 * cart changed direction and where its way crosses itself. Standstill and jitter at both ends are dropped. Returns an
 * empty list if the cart has not moved.
 */
export function taughtLegs(poses: readonly TaughtPose[]): Leg[] {
  const moved = withoutEnds(poses);
  const [start, end] = [moved[0], moved.at(-1)];
  if (!start || !end) return [];
  const legs: Leg[] = [{ ...pointOf(start), headingDeg: rounded(start.headingDeg) }];
  const spaced = piecesOf(moved).map((piece) => ({ ...piece, poses: spacedOut(piece.poses) }));
  const crossings = crossingsOf(spaced.map(({ poses }) => poses));
  for (const { poses, isReverse } of spaced) {
    for (const [from, to] of simplified(poses, crossings)) {
      const [before, last] = [poses[from], poses[to]];
      if (!before || !last || distance(before, last) <= SAME_POINT_MM) continue;
      const maxSpeedMmps = speedOf(poses.slice(from, to + 1));
      const heading = isReverse ? { headingDeg: rounded(last.headingDeg) } : {};
      legs.push({ ...pointOf(last), ...heading, maxSpeedMmps });
    }
  }
  const [beforeLast, last] = [legs.at(-2), legs.at(-1)];
  const arrivedDeg = beforeLast && last ? headingOn(beforeLast, last) : start.headingDeg;
  if (last && Math.abs(signedDegrees(end.headingDeg - arrivedDeg)) > MIN_END_TURN_DEG)
    legs.push({ xMm: last.xMm, yMm: last.yMm, headingDeg: rounded(end.headingDeg) });
  return legs.length > 1 ? legs : [];
}

interface Piece {
  poses: readonly TaughtPose[];
  isReverse: boolean;
}

function withoutEnds(poses: readonly TaughtPose[]): readonly TaughtPose[] {
  const [first, last] = [poses[0], poses.at(-1)];
  if (!first || !last) return [];
  const isAway = (from: TaughtPose) => (pose: TaughtPose) =>
    distance(from, pose) > JITTER.mm ||
    Math.abs(signedDegrees(pose.headingDeg - from.headingDeg)) > JITTER.deg;
  const left = poses.findIndex(isAway(first));
  const arrived = poses.findLastIndex(isAway(last));
  if (left < 0 || arrived < 0) return [];
  const isStationary = ({ speedMmps }: TaughtPose) => Math.abs(speedMmps) < DRIVING_MMPS;
  const begin = Math.max(0, poses.slice(0, left).findLastIndex(isStationary));
  const after = poses.slice(arrived + 1).findIndex(isStationary);
  return poses.slice(begin, after < 0 ? poses.length : arrived + after + 2);
}

/** Splits a way where the cart changed between driving forwards and backwards, or turned in place. */
function piecesOf(poses: readonly TaughtPose[]): Piece[] {
  const pieces: { poses: TaughtPose[]; isReverse: boolean }[] = [];
  let stood: TaughtPose | undefined;
  for (const pose of poses) {
    const current = pieces.at(-1);
    if (Math.abs(pose.speedMmps) < DRIVING_MMPS) {
      stood ??= pose;
      continue;
    }
    const isReverse = pose.speedMmps < 0;
    const hasTurned =
      stood !== undefined && Math.abs(signedDegrees(pose.headingDeg - stood.headingDeg)) > JITTER.deg;
    if (current?.isReverse === isReverse && !hasTurned) current.poses.push(pose);
    else {
      // One piece ends and the next one begins where the cart was stationary.
      if (stood) current?.poses.push(stood);
      pieces.push({ poses: [...(stood ? [stood] : []), pose], isReverse });
    }
    stood = undefined;
  }
  if (stood) pieces.at(-1)?.poses.push(stood);
  return pieces;
}

function spacedOut(poses: readonly TaughtPose[]): TaughtPose[] {
  const kept: TaughtPose[] = [];
  for (const [nth, pose] of poses.entries()) {
    const before = kept.at(-1);
    if (!before || nth === poses.length - 1 || distance(before, pose) >= SPACING_MM) kept.push(pose);
  }
  return kept;
}

/** Returns the poses before which the way crosses itself. */
function crossingsOf(ways: readonly (readonly TaughtPose[])[]): Set<TaughtPose> {
  let drivenMm = 0;
  const lines = ways.flatMap((poses) =>
    poses.slice(1).map((to, nth): Line => {
      const from = poses[nth] ?? to;
      const startMm = drivenMm;
      drivenMm += distance(from, to);
      return { from, to, startMm, endMm: drivenMm };
    }),
  );
  const found = new Set<TaughtPose>();
  const cells = new Map<string, Line[]>();
  for (const line of lines) {
    const near = new Set(cellsOf(line).flatMap((cell) => cells.get(cell) ?? []));
    for (const earlier of near) {
      if (line.startMm - earlier.endMm < MIN_LOOP_MM || !cross(earlier, line)) continue;
      found.add(earlier.to);
      found.add(line.to);
    }
    for (const cell of cellsOf(line)) {
      const known = cells.get(cell);
      if (known) known.push(line);
      else cells.set(cell, [line]);
    }
  }
  return found;
}

/** Returns the cells of a grid that a line may touch, so that only lines in the same cell are compared. */
function cellsOf({ from, to }: Line): string[] {
  const [x1, x2] = [from.xMm, to.xMm].map((mm) => Math.floor(mm / CELL_MM)).toSorted((a, b) => a - b);
  const [y1, y2] = [from.yMm, to.yMm].map((mm) => Math.floor(mm / CELL_MM)).toSorted((a, b) => a - b);
  const cells: string[] = [];
  for (let x = x1 ?? 0; x <= (x2 ?? 0); x++)
    for (let y = y1 ?? 0; y <= (y2 ?? 0); y++) cells.push(`${x} ${y}`);
  return cells;
}

interface Line {
  from: TaughtPose;
  to: TaughtPose;
  /** Distance driven before the line and at its end. */
  startMm: number;
  endMm: number;
}

function cross({ from: a, to: b }: Line, { from: c, to: d }: Line): boolean {
  const [abX, abY, cdX, cdY] = [b.xMm - a.xMm, b.yMm - a.yMm, d.xMm - c.xMm, d.yMm - c.yMm];
  const product = abX * cdY - abY * cdX;
  const sine = product / (Math.hypot(abX, abY) * Math.hypot(cdX, cdY));
  // Also false if a line has no length.
  if (!(Math.abs(sine) > Math.sin((MIN_CROSSING_DEG * Math.PI) / 180))) return false;
  const [acX, acY] = [c.xMm - a.xMm, c.yMm - a.yMm];
  const [along, across] = [(acX * cdY - acY * cdX) / product, (acX * abY - acY * abX) / product];
  return along >= 0 && along <= 1 && across >= 0 && across <= 1;
}

/** Returns the legs as pairs of indexes: no pose is farther than 30 mm from its leg (Douglas–Peucker). */
function simplified(poses: readonly TaughtPose[], fixed: ReadonlySet<TaughtPose>): [number, number][] {
  const legs: [number, number][] = [];
  const visit = (from: number, to: number): void => {
    const [start, end] = [poses[from], poses[to]];
    if (!start || !end) return;
    let [at, widest] = [-1, MAX_DEVIATION_MM];
    for (let nth = from + 1; nth < to; nth++) {
      const pose = poses[nth];
      if (!pose) continue;
      const beside = fixed.has(pose) ? Number.POSITIVE_INFINITY : offRouteMm(start, end, pose);
      if (beside > widest) [at, widest] = [nth, beside];
    }
    if (at < 0) legs.push([from, to]);
    else {
      visit(from, at);
      visit(at, to);
    }
  };
  visit(0, poses.length - 1);
  return legs;
}

function speedOf(poses: readonly TaughtPose[]): number {
  const speeds = poses.map(({ speedMmps }) => Math.abs(speedMmps)).toSorted((a, b) => a - b);
  const speed = speeds[Math.floor((speeds.length - 1) * SPEED_SHARE)] ?? 0;
  return Math.max(SPEED_STEP_MMPS, Math.round(speed / SPEED_STEP_MMPS) * SPEED_STEP_MMPS);
}

function pointOf({ xMm, yMm }: RoutePose): Pick<Leg, 'xMm' | 'yMm'> {
  return { xMm: Math.round(xMm), yMm: Math.round(yMm) };
}

function rounded(headingDeg: number): number {
  return Math.round(signedDegrees(headingDeg) * 10) / 10 + 0;
}

function distance(a: RoutePose, b: RoutePose): number {
  return Math.hypot(b.xMm - a.xMm, b.yMm - a.yMm);
}
