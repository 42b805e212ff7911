import type { MotionEnd } from '../../shared/ports/navigation/cart-motions.js';
import type { MarkerSighting, Pose } from '../markers/model.js';
import type { PlanarPose } from '../planar.js';

/**
 * The pose of the cart's centre relative to the marker: in front of it by `standoffMm`, to the left of its
 * normal by `lateralMm` as seen by a cart that faces the marker, and rotated by `headingDeg` relative to such
 * a cart.
 */
export interface Goal {
  standoffMm: number;
  lateralMm: number;
  headingDeg: number;
}

export interface ApproachRules {
  /** Pose of the camera in the cart's frame: x forward, y left. */
  camera: Pose;
  /** Units of a command's distance and angle. */
  resolution: { mm: number; deg: number };
}

export type Measured = Pick<MarkerSighting, 'rangeMm' | 'bearingDeg' | 'yawDeg'>;

/** One command: a turn in place, then a straight line. */
export interface ApproachMotion {
  distanceMm: number;
  angleDeg: number;
  isSlow: boolean;
}

/** Deviation from the goal: the goal is `alongMm` ahead; the cart is too far to the left by `lateralMm`. */
export interface Residual {
  alongMm: number;
  lateralMm: number;
  headingDeg: number;
}

export const APPROACH_FAILURES = [
  'MARKER_LOST',
  /** The images contradict the odometry: they are late, or show a different marker or marker size. */
  'MISMATCH',
  'NOT_CONVERGING',
  'BLOCKED',
  'COMMAND_FAILED',
  'TIMEOUT',
  'IMAGE_STALE',
  'STOPPED',
] as const;

export type ApproachFailure = (typeof APPROACH_FAILURES)[number];

export const APPROACH_PHASES = ['LOOKING', 'MOVING', 'STOPPING', 'FINISHED', 'FAILED'] as const;

export type EndOutcome = Exclude<MotionEnd['outcome'], 'interrupted'>;

export type ApproachInput =
  /** An image; `sighting` is undefined if it does not show the marker. */
  | { kind: 'image'; capturedMs: number; sighting: Measured | undefined; track: Expected['track'] }
  /** The run's own command ended; `stopped` if the run stopped it. The travel is from the odometry. */
  | { kind: 'ended'; outcome: EndOutcome; distanceMm: number; angleDeg: number }
  /** A stop, a hand-over of control or another command. */
  | { kind: 'interrupted' }
  /** The camera is frozen, or its images cannot be used for another reason. */
  | { kind: 'unusable-images' }
  | { kind: 'tick' };

/** `stop` stops the run's own command, and has no effect on other commands. */
export type ApproachEffect = { kind: 'move'; motion: ApproachMotion } | { kind: 'stop' };

interface Run {
  goal: Goal;
  rules: ApproachRules;
  startedMs: number;
  /** Capture time of the newest image that shows the marker or does not have to show it. */
  imageMs: number;
  commands: number;
  backs: number;
  staleStops: number;
}

export interface Looking extends Run {
  phase: 'LOOKING';
  /** Images that were captured earlier are ignored, because the cart was still moving. */
  sinceMs: number;
  seen: readonly Measured[];
  /** Undefined before the first command. */
  expected: Expected | undefined;
}

/** Where the marker must be visible. All poses are relative to the cart's pose at the start of a command. */
export interface Expected {
  marker: PlanarPose;
  /** Poses that the cart may have had when the image was taken, in chronological order; empty if unknown. */
  track: readonly PlanarPose[];
}

export interface Moving extends Run {
  phase: 'MOVING';
  motion: ApproachMotion;
  /** The marker's pose in the cart's frame at the start of the motion. */
  marker: PlanarPose;
  movingSinceMs: number;
  /** Number of successive images that contradict the odometry. */
  mismatches: number;
}

export interface Stopping extends Run {
  phase: 'STOPPING';
  marker: PlanarPose;
  stoppingSinceMs: number;
}

export type ApproachState =
  | Looking
  | Moving
  | Stopping
  | { phase: 'FINISHED'; residual: Residual; commands: number }
  | { phase: 'FAILED'; reason: ApproachFailure; commands: number };
