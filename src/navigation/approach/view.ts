import type { Text } from '../../shared/messages/message.js';
import type { Sighting } from '../markers/model.js';
import type { APPROACH_PHASES, ApproachFailure, Residual } from './model.js';

/** A drive to a marker, as published. */
export interface ApproachView {
  runId: string;
  phase: (typeof APPROACH_PHASES)[number];
  markerId: number;
  standoffMm: number;
  lateralMm: number;
  headingDeg: number;
  /** The user or API key that started the drive. */
  by: string;
  /** ISO 8601. */
  startedAt: string;
  /** Number of commands that were sent. */
  commands: number;
  /** Present if the phase is FAILED. */
  code?: ApproachFailure;
  reason?: Text;
  /** Present if the phase is FINISHED: the measured deviation from the goal. */
  residual?: Residual;
}

/** The registered markers in the newest camera image. */
export interface SightingsView {
  /** Age of the image; null before the first image. */
  ageMs: number | null;
  width: number;
  height: number;
  sightings: readonly Sighting[];
  /** Why the last image has no result; empty if there is a result. */
  fault: Text;
  approach: ApproachView | null;
}
