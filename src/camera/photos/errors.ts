import { type ErrorCode, GatewayError } from '../../shared/errors.js';
import { sharedMessage } from '../../shared/messages/messages.js';
import type { Classified, FaultCode } from '../capture/classify-fault.js';
import { cameraMessage } from '../messages.js';

const CODES: Readonly<Record<FaultCode, ErrorCode>> = {
  'not-installed': 'CAMERA_NOT_INSTALLED',
  'not-runnable': 'CAMERA_NOT_RUNNABLE',
  permission: 'CAMERA_PERMISSION',
  busy: 'CAMERA_BUSY',
  legacy: 'CAMERA_LEGACY',
  missing: 'CAMERA_MISSING',
  unsupported: 'CAMERA_UNSUPPORTED',
  'bad-option': 'CAMERA_BAD_OPTION',
  stalled: 'CAMERA_STALLED',
  output: 'CAMERA_OUTPUT',
  'not-jpeg': 'CAMERA_NOT_JPEG',
  'bad-picture': 'CAMERA_BAD_PICTURE',
  flood: 'CAMERA_FLOOD',
  crashed: 'CAMERA_CRASHED',
};

export function photoError({ code, text, hint }: Classified): GatewayError {
  return new GatewayError(CODES[code], text, hint === undefined ? {} : { hint });
}

export function stoppingError(): GatewayError {
  return new GatewayError('STOPPING', sharedMessage('stopping'));
}

export function disabledError(): GatewayError {
  return new GatewayError('CAMERA_DISABLED', cameraMessage('disabled'), {
    hint: cameraMessage('disabled-hint'),
  });
}
