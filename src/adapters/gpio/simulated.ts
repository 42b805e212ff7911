import { GatewayError } from '../../shared/errors.js';
import type { SafetyPins } from '../../shared/ports/ports.js';
import { Signal } from '../../shared/signal.js';

/** The circuit behind the enable output lets go of the motors this long after the last edge. */
const DROP_MS = 200;

interface SimulatedPinsOptions {
  /** Milliseconds on a monotonic clock. */
  now?: () => number;
  /** Called with every level written to the motor-enable output. */
  onEnable?: (on: boolean) => void;
}

/** Pins without metal, and the hands that press the button. */
export interface SimulatedPins extends SafetyPins {
  readonly kind: 'simulated';
  /** Opens the emergency-stop circuit; the edge is told before this returns. */
  press(): void;
  release(): void;
  /** Opens and closes the circuit so fast that only the edges are seen: read back, it is healthy again. */
  glitch(): void;
  /** A press that is over before the next poll; its first edge still reads as pressed. */
  pulse(): void;
  /** Makes every reading throw, as a broken driver does. */
  failRead(on: boolean): void;
  /** The level last written to the outputs. */
  readonly enable: boolean;
  /** Whether the circuit for `pulse` mode has the motors switched on: while edges come at least every 200 ms. */
  readonly powered: boolean;
  readonly led: boolean;
}

/** Pins for a machine that has none: the emergency-stop circuit is closed (healthy) at the start, the outputs are off. */
export function simulatedPins({
  onEnable,
  now = () => performance.now(),
}: SimulatedPinsOptions = {}): SimulatedPins {
  const edges = new Signal();
  const state = {
    healthy: true,
    failing: false,
    enable: false,
    led: false,
    edgeAtMs: Number.NEGATIVE_INFINITY,
  };
  const turn = (healthy: boolean): void => {
    if (healthy === state.healthy) return;
    state.healthy = healthy;
    edges.emit();
  };
  return {
    kind: 'simulated',
    readEstopHealthy() {
      if (state.failing)
        throw new GatewayError('SAFETY_UNAVAILABLE', 'the simulated E-stop input cannot be read');
      return state.healthy;
    },
    onEstopEdge: edges.on.bind(edges),
    writeEnable(on) {
      if (on !== state.enable) state.edgeAtMs = now();
      state.enable = on;
      onEnable?.(on);
    },
    readPowered: () => undefined,
    writeLed(on) {
      state.led = on;
    },
    async close() {
      state.enable = false;
      state.led = false;
    },
    press: () => turn(false),
    release: () => turn(true),
    glitch() {
      edges.emit();
      edges.emit();
    },
    pulse() {
      turn(false);
      turn(true);
    },
    failRead(on) {
      state.failing = on;
    },
    get enable() {
      return state.enable;
    },
    get powered() {
      return now() - state.edgeAtMs <= DROP_MS;
    },
    get led() {
      return state.led;
    },
  };
}
