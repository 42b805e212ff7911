import type { Cancel } from './clock.js';

/** The pins that keep people safe: E-stop input, motor enable, status LED. */
export interface SafetyPins {
  /** How the pins are reached: on the page, in health and in every answer. */
  readonly kind: 'simulated' | 'onoff' | 'gpiod' | 'none';
  /** True while the emergency-stop circuit is closed (healthy). Throws when it cannot be read. */
  readEstopHealthy(): boolean;
  /** Called from the interrupt, on every edge, before any other work. */
  onEstopEdge(listener: () => void): Cancel;
  /** Sets the motor-enable output, synchronously. */
  writeEnable(on: boolean): void;
  /** Whether the motors have power, by the read-back input; undefined when none is wired. Throws when it cannot be read. */
  readPowered(): boolean | undefined;
  writeLed(on: boolean): void;
  close(): Promise<void>;
}
