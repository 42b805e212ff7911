import { GatewayError } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import type { SafetyPins } from '../../shared/ports/ports.js';

interface UnavailablePins {
  /** The driver that should have been there. */
  kind: 'onoff' | 'gpiod';
  /** A sentence for people: what is missing, and where. */
  reason: Text;
  /** What to do about it, in the operator's words. */
  hint?: Text;
}

/**
 * Pins that are configured and cannot be used: every reading throws `SAFETY_UNAVAILABLE` with the reason, so that
 * nothing moves while the rest of the gateway works. Outputs go nowhere.
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

/** No pins, on purpose: nothing to read, so never a stop from here; outputs go nowhere. Whether a cart may move without is not decided here. */
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
