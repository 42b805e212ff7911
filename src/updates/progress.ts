import type { Text } from '../shared/messages/message.js';

/** Why the update service rejected, undid or failed to complete an update. */
export const RUN_CODES = [
  'SIGNATURE',
  'DAMAGED',
  'OLDER',
  'PROCESSOR',
  'DISK_FULL',
  'NOT_PARKED',
  'NOT_READY',
  'CHECKS',
  'INTERRUPTED',
  'INTERNAL',
] as const;
export type RunCode = (typeof RUN_CODES)[number];

/** `NOT_STARTED`: the update service did not start within the time limit. */
export type FailureCode = RunCode | 'NOT_STARTED';

export const PROGRESS_STATES = [
  'none',
  'requested',
  'running',
  'installed',
  'returned',
  'rejected',
  'failed',
] as const;

/** The update that is under way, or the result of the latest one. Times are Unix times in ms. */
export interface UpdateProgress {
  /**
   * `rejected`: nothing was changed. `returned`: the previous version is running again. `failed`: the update
   * service did not respond, or could start neither version.
   */
  state: (typeof PROGRESS_STATES)[number];
  version: string | null;
  from: string | null;
  /** The update service's current step; null unless it is running. */
  step: string | null;
  code: FailureCode | null;
  /** Empty unless the update failed or was undone. */
  reason: Text;
  /** The names of the checks of `GET /readyz` that no longer passed. */
  failedChecks: readonly string[];
  startedAt: number | null;
  /** Time since the request or the start; null unless an update is requested or running. */
  elapsedMs: number | null;
  /** The version that is running. */
  installed: string;
}
