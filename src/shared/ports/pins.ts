import type { Cancel } from './clock.js';

/** The GPIO pins: E-stop input, motor enable, power read-back and status LED. */
export interface SafetyPins {
  readonly kind: 'simulated' | 'onoff' | 'gpiod' | 'none';
  /** Returns true while the E-stop circuit is closed. Throws if the input cannot be read. */
  readEstopHealthy(): boolean;
  /** Calls the listener on every edge, before any other work. */
  onEstopEdge(listener: () => void): Cancel;
  /**
   * Does not throw. After a failed write, every `readEstopHealthy` throws, and the first failure calls the edge
   * listeners, possibly before the method returns, so the E-stop may be latched when the caller continues.
   */
  writeEnable(on: boolean): void;
  /** Returns undefined if there is no read-back input. Throws if the input cannot be read. */
  readPowered(): boolean | undefined;
  writeLed(on: boolean): void;
  close(): Promise<void>;
}
