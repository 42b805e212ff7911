import { GatewayError } from '../../shared/errors.js';
import { sharedMessage } from '../../shared/messages/messages.js';
import type { Classified } from '../capture/classify.js';
import { cameraMessage } from '../messages.js';

/** Why there is no photo, as an error: `busy` becomes `CAMERA_BUSY`. */
export function asError({ code, text, hint }: Classified): GatewayError {
  const name = `CAMERA_${code.toUpperCase().replaceAll('-', '_')}`;
  return new GatewayError(name, text, hint === undefined ? {} : { hint });
}

export function stopping(): GatewayError {
  return new GatewayError('STOPPING', sharedMessage('stopping'));
}

export function disabled(): GatewayError {
  return new GatewayError('CAMERA_DISABLED', cameraMessage('disabled'), {
    hint: cameraMessage('disabled-hint'),
  });
}
