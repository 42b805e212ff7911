import { capitalised, type Message, type Text } from '../../shared/messages/message.js';
import { cameraMessage } from '../messages.js';
import type { CameraPhase, CameraView } from './model.js';

/** `warn`: the camera has a fault. */
export interface CameraStatus {
  tone: 'quiet' | 'warn';
  text: Text;
  /** Starts with a capital letter and has no full stop. */
  reason: Text;
}

const LABELS: Readonly<Record<CameraPhase, readonly [text: Message, reason: Message]>> = {
  disabled: [cameraMessage('state.disabled'), cameraMessage('off')],
  idle: [cameraMessage('state.idle'), cameraMessage('idle')],
  starting: [cameraMessage('state.starting'), cameraMessage('starting')],
  streaming: [cameraMessage('state.streaming'), cameraMessage('streaming')],
  stopping: [cameraMessage('state.stopping'), cameraMessage('stopping')],
  capturing: [cameraMessage('state.capturing'), cameraMessage('capturing')],
  backoff: [cameraMessage('state.backoff'), cameraMessage('backoff')],
};

export function hasFault({ phase, fault }: Pick<CameraView, 'phase' | 'fault'>): boolean {
  return fault !== undefined && phase !== 'disabled';
}

export function cameraStatus(view: CameraView): CameraStatus {
  const [text, reason] = LABELS[view.phase];
  if (!hasFault(view) || !view.fault) return { tone: 'quiet', text, reason };
  return {
    tone: 'warn',
    text: cameraMessage(view.phase === 'streaming' ? 'state.not-live' : 'state.backoff'),
    reason: capitalised(view.fault.text),
  };
}
