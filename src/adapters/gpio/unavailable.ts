import { GatewayError } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import type { SafetyPins } from '../../shared/ports/pins.js';

interface UnavailablePins {
  kind: 'onoff' | 'gpiod';
  reason: Text;
  hint?: Text;
}

/** Unusable pins: every read throws `SAFETY_UNAVAILABLE`, so that the cart does not move. */
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

/** Pins disabled in the settings always read as healthy; the interlocks decide whether the cart moves. */
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
