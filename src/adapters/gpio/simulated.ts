import { GatewayError } from '../../shared/errors.js';
import type { SafetyPins } from '../../shared/ports/pins.js';
import { Signal } from '../../shared/signal.js';

/** Time in ms from the last edge until the enable circuit switches the motors off. */
const DROP_MS = 200;

interface SimulatedPinsOptions {
  /** Monotonic time in ms. */
  now?: () => number;
  onEnable?: (on: boolean) => void;
}

export interface SimulatedPins extends SafetyPins {
  readonly kind: 'simulated';
  /** Opens the E-stop circuit. The edge is emitted before the method returns. */
  press(): void;
  release(): void;
  /** Emits both edges of a press; the input reads as healthy at both edges. */
  glitch(): void;
  /** Emits both edges of a press; the input reads as pressed at the first edge. */
  pulse(): void;
  failRead(on: boolean): void;
  readonly enable: boolean;
  /** True while the `pulse` circuit powers the motors; the circuit needs an edge at least every 200 ms. */
  readonly powered: boolean;
  readonly led: boolean;
}

/** Simulated pins. Initially, the E-stop circuit is closed (healthy) and the outputs are off. */
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
