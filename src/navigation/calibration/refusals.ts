import { GatewayError } from '../../shared/errors.js';
import { calibrationMessage } from './messages.js';

export function failed(reason: 'implausible' | 'not-converged' | 'not-determined'): GatewayError {
  const hint = calibrationMessage(`${reason}-hint`);
  return new GatewayError('CALIBRATION_FAILED', calibrationMessage(reason), { hint });
}

export function busy(): GatewayError {
  return new GatewayError('BUSY', calibrationMessage('busy'), { hint: calibrationMessage('busy-hint') });
}

export function cameraChanged(): GatewayError {
  const hint = calibrationMessage('camera-changed-hint');
  return new GatewayError('CONFLICT', calibrationMessage('camera-changed'), { hint });
}

export function tooFewImages(count: number, needed: number): GatewayError {
  const hint = calibrationMessage('too-few-images-hint');
  return new GatewayError('CONFLICT', calibrationMessage('too-few-images', { count, needed }), { hint });
}

export function nothingToSave(): GatewayError {
  const hint = calibrationMessage('nothing-to-save-hint');
  return new GatewayError('CONFLICT', calibrationMessage('nothing-to-save'), { hint });
}
