import type { CameraPhase, CameraView } from './model.js';

/** What the camera does, in words: for its light, its page and the pictures that stand in for its own. Pure. */

/** A short fact about the camera. `warn`: there is no picture though somebody wants one. */
export interface CameraSaid {
  tone: 'quiet' | 'warn';
  text: string;
  /** A sentence, with a capital and without a full stop. */
  reason: string;
}

const WORDS: Readonly<Record<CameraPhase, readonly [text: string, reason: string]>> = {
  disabled: ['off', 'The camera is switched off in the settings'],
  idle: ['standby', 'The camera starts when somebody looks'],
  starting: ['starting', 'The camera is starting'],
  streaming: ['live', 'The camera shows what it sees'],
  stopping: ['stopping', 'The camera is stopping'],
  capturing: ['taking a photo', 'The camera is taking a photo. The live picture goes on after it'],
  backoff: ['no picture', 'The camera gives no picture. It is tried again'],
};

/** Whether there is a reason to tell why no pictures come. */
export function hasFault({ phase, fault }: Pick<CameraView, 'phase' | 'fault'>): boolean {
  return fault !== undefined && phase !== 'streaming' && phase !== 'disabled';
}

export function cameraSaid(view: CameraView): CameraSaid {
  const [text, reason] = WORDS[view.phase];
  if (!hasFault(view) || !view.fault) return { tone: 'quiet', text, reason };
  const said = view.fault.text;
  return { tone: 'warn', text: 'no picture', reason: said.charAt(0).toUpperCase() + said.slice(1) };
}
