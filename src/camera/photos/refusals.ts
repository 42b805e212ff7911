import { GatewayError } from '../../shared/errors.js';
import type { Classified } from '../capture/classify.js';

/** Why there is no photo, as an error: `busy` becomes `CAMERA_BUSY`. */
export function asError({ code, text, hint }: Classified): GatewayError {
  const name = `CAMERA_${code.toUpperCase().replaceAll('-', '_')}`;
  return new GatewayError(name, text, hint === undefined ? {} : { hint });
}

export function stopping(): GatewayError {
  return new GatewayError('STOPPING', 'the gateway is stopping');
}

export function disabled(): GatewayError {
  return new GatewayError('CAMERA_DISABLED', 'the camera is switched off in the settings', {
    hint: 'Switch on "Use the camera" on the page of the camera settings.',
  });
}
