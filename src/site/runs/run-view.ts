import type { Reason } from '../../carts/index.js';
import type { Text } from '../../shared/messages/message.js';
import type { RunCode, RunPhase } from './run-machine.js';

export interface RunReason extends Omit<Reason, 'code'> {
  code: RunCode;
}

/** A run as it is published and stored. */
export interface RunView {
  runId: string;
  routeId: string;
  routeName: string;
  cartID: number;
  state: RunPhase;
  /** Why the run is paused or has failed. */
  reason?: RunReason;
  /** The leg that is being driven, counted from 0, and the number of legs. */
  leg: number;
  legs: number;
  loop: number;
  loops: number;
  /** Distance driven on the route in this repetition, and its length. */
  progressMm: number;
  lengthMm: number;
  /** The person who started the run. */
  by: Text;
  /** The person who holds the control; absent before the first hold. */
  holder?: Text;
  /** ISO 8601. */
  startedAt: string;
  endedAt?: string;
}
