import { GatewayError } from '../../shared/errors.js';
import { sharedMessage } from '../../shared/messages/messages.js';
import type { Classified } from '../capture/classify.js';
import { cameraMessage } from '../messages.js';

/** Creates an error from a fault; for example, code `busy` becomes `CAMERA_BUSY`. */
export function photoError({ code, text, hint }: Classified): GatewayError {
  const name = `CAMERA_${code.toUpperCase().replaceAll('-', '_')}`;
  return new GatewayError(name, text, hint === undefined ? {} : { hint });
}

export function stoppingError(): GatewayError {
  return new GatewayError('STOPPING', sharedMessage('stopping'));
}

export function disabledError(): GatewayError {
  return new GatewayError('CAMERA_DISABLED', cameraMessage('disabled'), {
    hint: cameraMessage('disabled-hint'),
  });
}
