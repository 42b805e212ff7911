import type { SafetyPins } from '../../src/shared/ports/pins.js';
import { Signal } from '../../src/shared/signal.js';

export class FakePins implements SafetyPins {
  kind: SafetyPins['kind'] = 'simulated';
  healthy = true;
  fault: Error | undefined;
  /** Level of the read-back input; undefined if there is no read-back input. */
  powered: boolean | undefined;
  enable = false;
  /** If true, the next write to the enable output fails, in the way that `SafetyPins.writeEnable` describes. */
  failNextWrite = false;
  /** Every level written to the enable output. */
  readonly levels: boolean[] = [];
  #edge = new Signal();

  readEstopHealthy(): boolean {
    if (this.fault) throw this.fault;
    return this.healthy;
  }
  readonly onEstopEdge = this.#edge.on.bind(this.#edge);
  writeEnable(on: boolean): void {
    if (this.failNextWrite) {
      this.failNextWrite = false;
      this.fault = new Error('EIO');
      this.#edge.emit();
      return;
    }
    this.enable = on;
    this.levels.push(on);
  }
  readPowered(): boolean | undefined {
    return this.powered;
  }
  writeLed(): void {}
  async close(): Promise<void> {}

  press(): void {
    this.healthy = false;
    this.#edge.emit();
  }
  release(): void {
    this.healthy = true;
    this.#edge.emit();
  }
  /** Emits an edge without changing the level, like a pulse that is too short to be read. */
  glitch(): void {
    this.#edge.emit();
  }
}
