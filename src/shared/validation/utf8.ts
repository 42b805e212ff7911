import { isUtf8 } from 'node:buffer';
import { GatewayError } from '../errors.js';
import { sharedMessage } from '../messages/messages.js';

/** Throws `INVALID_INPUT` unless the bytes are UTF-8: a decoder would replace invalid bytes without an error. */
export function requireUtf8(bytes: Buffer): void {
  if (isUtf8(bytes)) return;
  throw new GatewayError('INVALID_INPUT', sharedMessage('not-utf8'), {
    hint: sharedMessage('not-utf8-hint'),
  });
}

/** Decodes UTF-8 and removes a byte order mark. Throws `INVALID_INPUT` if the bytes are not UTF-8. */
export function utf8Text(bytes: Buffer): string {
  requireUtf8(bytes);
  const text = bytes.toString();
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}
