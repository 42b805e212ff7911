import { capitalised, type Message, type Text } from '../../shared/messages/message.js';
import { cameraMessage } from '../messages.js';
import type { CameraPhase, CameraView } from './model.js';

/** What the camera does, in words: for its light, its page and the pictures that stand in for its own. Pure. */

/** A short fact about the camera. `warn`: there is no picture though somebody wants one. */
export interface CameraSaid {
  tone: 'quiet' | 'warn';
  text: Text;
  /** A sentence, with a capital and without a full stop. */
  reason: Text;
}

const WORDS: Readonly<Record<CameraPhase, readonly [text: Message, reason: Message]>> = {
  disabled: [cameraMessage('state.disabled'), cameraMessage('off')],
  idle: [cameraMessage('state.idle'), cameraMessage('idle')],
  starting: [cameraMessage('state.starting'), cameraMessage('starting')],
  streaming: [cameraMessage('state.streaming'), cameraMessage('streaming')],
  stopping: [cameraMessage('state.stopping'), cameraMessage('stopping')],
  capturing: [cameraMessage('state.capturing'), cameraMessage('capturing')],
  backoff: [cameraMessage('state.backoff'), cameraMessage('backoff')],
};

/** Whether there is a reason to tell why no pictures come. */
export function hasFault({ phase, fault }: Pick<CameraView, 'phase' | 'fault'>): boolean {
  return fault !== undefined && phase !== 'streaming' && phase !== 'disabled';
}

export function cameraSaid(view: CameraView): CameraSaid {
  const [text, reason] = WORDS[view.phase];
  if (!hasFault(view) || !view.fault) return { tone: 'quiet', text, reason };
  return {
    tone: 'warn',
    text: cameraMessage('state.backoff'),
    reason: capitalised(view.fault.text),
  };
}
