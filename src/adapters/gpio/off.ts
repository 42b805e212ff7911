import type { SafetyPins } from '../../shared/ports/ports.js';

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
