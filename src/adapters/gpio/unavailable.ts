import { GatewayError } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import type { SafetyPins } from '../../shared/ports/pins.js';

interface UnavailablePins {
  kind: 'onoff' | 'gpiod';
  reason: Text;
  hint?: Text;
}

/**
 * Pins that are configured but unusable. Reads throw `SAFETY_UNAVAILABLE`, so that nothing moves; writes have
 * no effect.
 */
export function unavailablePins({ kind, reason, hint }: UnavailablePins): SafetyPins {
  return {
    kind,
    readEstopHealthy() {
      throw new GatewayError('SAFETY_UNAVAILABLE', reason, hint === undefined ? {} : { hint });
    },
    onEstopEdge: () => () => undefined,
    writeEnable: () => undefined,
    readPowered: () => undefined,
    writeLed: () => undefined,
    close: async () => undefined,
  };
}

/**
 * Pins that are disabled in the settings. They always read as healthy, and writes have no effect. The
 * interlocks decide whether the cart may move.
 */
export function pinsOff(): SafetyPins {
  return {
    kind: 'none',
    readEstopHealthy: () => true,
    onEstopEdge: () => () => undefined,
    writeEnable: () => undefined,
    readPowered: () => undefined,
    writeLed: () => undefined,
    close: async () => undefined,
  };
}
