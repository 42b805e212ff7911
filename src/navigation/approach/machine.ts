import { never } from '../../shared/errors.js';
import { type PlanarPose, relative } from '../planar.js';
import { hasMarkerMoved, isInView, isMismatch } from './consistency.js';
import type {
  ApproachEffect,
  ApproachFailure,
  ApproachInput,
  ApproachMotion,
  ApproachRules,
  ApproachState,
  Expected,
  Goal,
  Looking,
  Measured,
  Moving,
  Stopping,
} from './model.js';
import { bearingInCamera, markerInCart, planApproach, poseAfter } from './plan.js';

/** An older image no longer shows where the cart is. */
const MAX_IMAGE_AGE_MS = 300;
/** How long a cart may sway after it has stopped. */
const SETTLE_MS = 200;
/** Time limits at a standstill for seeing the marker and for receiving any image. */
const LOOK_MS = 3000;
const NO_IMAGE_MS = 2000;
/** Number of images to average; more near the goal. */
const IMAGES = { far: 3, near: 8, withinMm: 1600 };
/** If the marker is not within this angle of the camera's axis, the cart first turns towards it. */
const VISIBLE_DEG = 22;
/** Maximum age of the latest image when a turn that brings the marker back into view begins. */
const NO_IMAGE_TURN_MS = 1000;
const STOP_MS = 3000;
const TOTAL_MS = 180_000;
const MAX_COMMANDS = 40;
const MAX_BACKS = 6;
const MAX_STALE_STOPS = 5;
/** Number of successive mismatches that are tolerated, because a single measurement can be wrong. */
const MAX_MISMATCHES = 1;

export interface ApproachStep {
  state: ApproachState;
  effects: readonly ApproachEffect[];
}

export function startApproach(goal: Goal, rules: ApproachRules, nowMs: number): ApproachState {
  return {
    phase: 'LOOKING',
    goal,
    rules,
    startedMs: nowMs,
    sinceMs: nowMs,
    seen: [],
    imageMs: Number.NEGATIVE_INFINITY,
    expected: undefined,
    commands: 0,
    backs: 0,
    staleStops: 0,
  };
}

/**
 * Drives to a marker: measures at a standstill, moves a limited distance, and measures again. A run that has
 * ended never restarts. Times are monotonic times in ms; `tick` must be sent at least every 100 ms.
 */
export function stepApproach(state: ApproachState, input: ApproachInput, nowMs: number): ApproachStep {
  if (state.phase === 'FINISHED' || state.phase === 'FAILED') return { state, effects: [] };
  if (input.kind === 'interrupted') return failed(state, 'STOPPED');
  if (input.kind === 'unusable-images') return failed(state, 'IMAGE_STALE');
  if (nowMs - state.startedMs > TOTAL_MS) return failed(state, 'TIMEOUT');
  const seen = input.kind === 'image' ? withImage(state, input, nowMs) : state;
  switch (seen.phase) {
    case 'LOOKING':
      return look(seen, input, nowMs);
    case 'MOVING':
      return move(seen, input, nowMs);
    case 'STOPPING':
      return stop(seen, input, nowMs);
    default:
      return never(seen);
  }
}

type Image = Extract<ApproachInput, { kind: 'image' }>;

function withImage<S extends Looking | Moving | Stopping>(state: S, image: Image, nowMs: number): S {
  const { capturedMs, sighting } = image;
  if (!isFresh(capturedMs, nowMs) || capturedMs <= state.imageMs) return state;
  if (state.phase === 'MOVING') return { ...state, ...seenInMotion(state, image) };
  if (state.phase === 'STOPPING' || capturedMs < state.sinceMs || !sighting)
    return { ...state, imageMs: capturedMs };
  // If the marker still moves in images taken at a standstill, the images are late, so the earlier ones are discarded.
  const seen = state.seen.some((before) => hasMarkerMoved(before, sighting)) ? [] : state.seen;
  return { ...state, imageMs: capturedMs, seen: [...seen, sighting] };
}

/** Evaluates an image that was taken during a motion. If the marker must be visible, ignores an image without it. */
function seenInMotion(
  { marker, motion, rules, imageMs, mismatches }: Moving,
  { capturedMs, sighting, track }: Image,
): Pick<Moving, 'imageMs' | 'mismatches'> {
  const expected = { marker, track };
  if (sighting)
    return { imageMs: capturedMs, mismatches: isMismatch(sighting, expected, rules) ? mismatches + 1 : 0 };
  // Near the marker, the cart drives straight towards it, so the marker must be visible.
  const isApproaching = motion.isSlow && motion.distanceMm !== 0;
  const isBlind = isApproaching || isInView(expected, rules, VISIBLE_DEG);
  return { imageMs: isBlind ? imageMs : capturedMs, mismatches };
}

function isFresh(capturedMs: number, nowMs: number): boolean {
  return nowMs - capturedMs <= MAX_IMAGE_AGE_MS;
}

function look(state: Looking, input: ApproachInput, nowMs: number): ApproachStep {
  if (input.kind === 'ended') return { state, effects: [] };
  const { seen, sinceMs, imageMs } = state;
  const isNear = (seen[0]?.rangeMm ?? Infinity) < IMAGES.withinMm;
  if (input.kind === 'image' && seen.length >= (isNear ? IMAGES.near : IMAGES.far))
    return decide(state, averaged(seen), nowMs);
  if (nowMs - Math.max(imageMs, sinceMs) > NO_IMAGE_MS) return failed(state, 'IMAGE_STALE');
  if (nowMs - sinceMs > LOOK_MS)
    return failed(state, isFresh(imageMs, nowMs) ? 'MARKER_LOST' : 'IMAGE_STALE');
  return { state, effects: [] };
}

function decide(state: Looking, measured: Measured, nowMs: number): ApproachStep {
  const { goal, rules, commands, expected } = state;
  if (expected && isMismatch(measured, expected, rules)) return failed(state, 'MISMATCH');
  const plan = planApproach(measured, goal, rules);
  if (plan.kind === 'finished') {
    return { state: { phase: 'FINISHED', residual: plan.residual, commands }, effects: [] };
  }
  if (plan.kind === 'stuck') return failed(state, 'NOT_CONVERGING');
  const backs = state.backs + (plan.backs ? 1 : 0);
  if (commands >= MAX_COMMANDS || backs > MAX_BACKS) return failed(state, 'NOT_CONVERGING');
  return begin({ ...state, backs }, plan.motion, markerInCart(measured, rules), nowMs);
}

function begin(
  { goal, rules, startedMs, imageMs, commands, backs, staleStops }: Looking | Moving | Stopping,
  motion: ApproachMotion,
  marker: PlanarPose,
  nowMs: number,
): ApproachStep {
  const run = { goal, rules, startedMs, imageMs, backs, staleStops };
  const moving: Moving = {
    phase: 'MOVING',
    ...run,
    commands: commands + 1,
    motion,
    marker,
    movingSinceMs: nowMs,
    mismatches: 0,
  };
  return { state: moving, effects: [{ kind: 'move', motion }] };
}

function move(state: Moving, input: ApproachInput, nowMs: number): ApproachStep {
  if (input.kind === 'ended') return ended(state, input, nowMs);
  if (state.mismatches > MAX_MISMATCHES) return failed(state, 'MISMATCH');
  if (isFresh(Math.max(state.imageMs, state.movingSinceMs), nowMs)) return { state, effects: [] };
  const { motion: _motion, movingSinceMs: _since, mismatches: _count, ...run } = state;
  const stopping: Stopping = {
    ...run,
    phase: 'STOPPING',
    stoppingSinceMs: nowMs,
    staleStops: state.staleStops + 1,
  };
  return { state: stopping, effects: [{ kind: 'stop' }] };
}

function ended(
  state: Moving | Stopping,
  { outcome, distanceMm, angleDeg: turnedDeg }: Extract<ApproachInput, { kind: 'ended' }>,
  nowMs: number,
): ApproachStep {
  if (outcome === 'blocked') return failed(state, 'BLOCKED', false);
  // A command can finish just before the run's own stop takes effect. Any other stop is a failure.
  const isExpected = outcome === 'finished' || (outcome === 'stopped' && state.phase === 'STOPPING');
  if (!isExpected) return failed(state, 'COMMAND_FAILED', false);
  if (state.staleStops > MAX_STALE_STOPS) return failed(state, 'IMAGE_STALE', false);
  const pose = poseAfter({ distanceMm, angleDeg: turnedDeg });
  const marker = relative(pose, state.marker);
  const bearingDeg = bearingInCamera(marker, state.rules);
  if (Math.abs(bearingDeg) <= VISIBLE_DEG)
    return { state: looking(state, { marker: state.marker, track: [pose] }, nowMs), effects: [] };
  if (nowMs - state.imageMs > NO_IMAGE_TURN_MS) return failed(state, 'IMAGE_STALE', false);
  if (state.commands >= MAX_COMMANDS) return failed(state, 'NOT_CONVERGING', false);
  const { deg } = state.rules.resolution;
  const angleDeg = Math.round(bearingDeg / deg) * deg;
  return begin(state, { distanceMm: 0, angleDeg, isSlow: false }, marker, nowMs);
}

function stop(state: Stopping, input: ApproachInput, nowMs: number): ApproachStep {
  if (input.kind === 'ended') return ended(state, input, nowMs);
  return nowMs - state.stoppingSinceMs > STOP_MS ? failed(state, 'TIMEOUT') : { state, effects: [] };
}

function looking(
  { goal, rules, startedMs, imageMs, commands, backs, staleStops }: Moving | Stopping,
  expected: Expected,
  nowMs: number,
): Looking {
  const run = { goal, rules, startedMs, imageMs, commands, backs, staleStops };
  return { phase: 'LOOKING', ...run, sinceMs: nowMs + SETTLE_MS, seen: [], expected };
}

/**
 * Ends the run with a failure. A moving cart is stopped, unless its command has already ended or its stop has already
 * been sent.
 */
function failed(
  { phase, commands }: Looking | Moving | Stopping,
  reason: ApproachFailure,
  isMoving = phase === 'MOVING',
): ApproachStep {
  return { state: { phase: 'FAILED', reason, commands }, effects: isMoving ? [{ kind: 'stop' }] : [] };
}

/** Returns the average measurement; its yaw is unknown if the yaw is unknown in most images. */
function averaged(seen: readonly Measured[]): Measured {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const yaws = seen.flatMap(({ yawDeg }) => (yawDeg === null ? [] : [yawDeg]));
  return {
    rangeMm: mean(seen.map(({ rangeMm }) => rangeMm)),
    bearingDeg: mean(seen.map(({ bearingDeg }) => bearingDeg)),
    yawDeg: 2 * yaws.length > seen.length ? mean(yaws) : null,
  };
}
