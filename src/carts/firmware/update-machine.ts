import { never } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import type { FlashProgress } from '../../shared/ports/serial.js';
import type { SelfCheck } from './self-test.js';

export const PHASES = [
  ...(['idle', 'interrupted', 'checking', 'flashing', 'verifying'] as const),
  ...(['reconnecting', 'self-test', 'done', 'failed'] as const),
];
export type Phase = (typeof PHASES)[number];

export interface UpdateState {
  readonly phase: Phase;
  /** Progress of writing and verifying. */
  readonly percent: number;
  /** Reason and hint of a failure; otherwise empty. */
  readonly reason: Text;
  readonly hint: Text;
  /** Results of the self-test; empty until it has run. */
  readonly checks: readonly SelfCheck[];
}

export type UpdateInput =
  | { type: 'start' }
  /** `sizes` contains the length of each section in bytes. */
  | ({ type: 'progress'; sizes: readonly number[] } & FlashProgress)
  | { type: 'flashing' }
  | { type: 'flashed' }
  | { type: 'answered' }
  | { type: 'tested'; checks: readonly SelfCheck[] }
  | { type: 'failed'; reason: Text; hint: Text }
  /** The firmware works again after an update was interrupted. */
  | { type: 'recovered' };

const RUNNING: ReadonlySet<Phase> = new Set([
  ...(['checking', 'flashing', 'verifying', 'reconnecting', 'self-test'] as const),
]);

export function initialUpdate(isInterrupted: boolean): UpdateState {
  const phase = isInterrupted ? 'interrupted' : 'idle';
  return { phase, percent: 0, reason: '', hint: '', checks: [] };
}

export function isRunning({ phase }: UpdateState): boolean {
  return RUNNING.has(phase);
}

/** Returns the next state. An input that does not apply to the phase changes nothing. */
export function stepUpdate(state: UpdateState, input: UpdateInput): UpdateState {
  const { phase } = state;
  switch (input.type) {
    case 'start':
      return isRunning(state) ? state : { ...initialUpdate(false), phase: 'checking' };
    case 'flashing':
      return phase === 'checking' ? { ...state, phase: 'flashing' } : state;
    case 'progress':
      return phase === 'flashing' || phase === 'verifying' ? progressed(state, input) : state;
    case 'flashed': {
      const isDone = phase === 'flashing' || phase === 'verifying';
      return isDone ? { ...state, phase: 'reconnecting', percent: 100 } : state;
    }
    case 'answered':
      return phase === 'reconnecting' ? { ...state, phase: 'self-test' } : state;
    case 'tested': {
      if (phase !== 'self-test') return state;
      const isPassed = input.checks.every(({ passed }) => passed);
      return { ...state, phase: isPassed ? 'done' : phase, checks: input.checks };
    }
    case 'failed': {
      const { reason, hint } = input;
      return isRunning(state) ? { ...state, phase: 'failed', reason, hint } : state;
    }
    case 'recovered':
      return phase === 'interrupted' ? initialUpdate(false) : state;
    default:
      return never(input);
  }
}

type Progress = Extract<UpdateInput, { type: 'progress' }>;

/**
 * Returns the state after progress: every byte is written once and verified once. When the verification of the
 * second section begins, the phase becomes `verifying`.
 */
function progressed(state: UpdateState, { sizes, section, step: stage, percent }: Progress): UpdateState {
  const total = 2 * sizes.reduce((sum, size) => sum + size, 0);
  const size = sizes[section];
  if (size === undefined || total === 0) return state;
  const before = 2 * sizes.slice(0, section).reduce((sum, bytes) => sum + bytes, 0);
  const done = before + (stage === 'verify' ? size : 0) + (size * percent) / 100;
  const isVerifying = section > 1 || (section === 1 && stage === 'verify');
  return {
    ...state,
    phase: isVerifying ? 'verifying' : state.phase,
    percent: Math.max(state.percent, Math.floor((100 * done) / total)),
  };
}
