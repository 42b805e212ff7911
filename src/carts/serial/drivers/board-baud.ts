import { GatewayError } from '../../../shared/errors.js';
import type { SerialSettings } from '../settings-schema.js';

/** Throws INCOMPATIBLE for a speed that the board does not know. */
export function checkBaud({ baudRate, driver }: SerialSettings, known: readonly number[]): void {
  if (known.includes(baudRate)) return;
  throw new GatewayError('INCOMPATIBLE', `${driver} does not know ${baudRate} baud`, {
    field: 'serial.baudRate',
    hint: `It takes ${known.join(', ')} baud.`,
  });
}
