import { FAULTS } from '../../carts/pure.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { Chassis } from '../physics/physics.js';
import type { ControllerFaults } from './faults.js';

const UNDERVOLT_MV = 21_500;
const FLAT_MV = 20_000;
const HOT_C = 90;
const BURNING_C = 110;
const BOARD_HOT_C = 70;
const STALL_AFTER_MS = 300;
const BURST_FRAMES = 10;
const BURST_WINDOW_MS = 1000;

interface HealthDeps {
  chassis: Chassis;
  faults: ControllerFaults;
  clock: Clock;
}

export class ControllerHealth {
  /** Bits 11 and 12, which the protective field sets. */
  fieldFaults = 0;
  readonly #deps: HealthDeps;
  #reported = 0;
  #stalledMs = 0;
  #broken: number[] = [];

  constructor(deps: HealthDeps) {
    this.#deps = deps;
  }

  get batteryMv(): number {
    return this.#deps.faults.argument('lowBattery') ?? this.#deps.chassis.batteryMv;
  }

  get motorC(): [left: number, right: number] {
    const hot = this.#deps.faults.argument('hot');
    return hot === undefined ? this.#deps.chassis.motorC : [hot, hot];
  }

  get boardC(): number {
    return this.#deps.chassis.boardC;
  }

  /** True if the controller must stop and reject motion. */
  get critical(): boolean {
    const isBlind = (this.fieldFaults & FAULTS.sensorSilent) !== 0;
    return isBlind || this.batteryMv < FLAT_MV || Math.max(...this.motorC) >= BURNING_C;
  }

  /** Updates the stall fault. `turning` is true if the driven wheels turned during the last `ms`. */
  watchWheels(ms: number, turning: boolean): void {
    this.#stalledMs = turning ? 0 : this.#stalledMs + ms;
  }

  countBroken(): void {
    this.#broken.push(this.#deps.clock.now());
    if (this.#broken.length > BURST_FRAMES) this.#broken.shift();
  }

  faults(linkLost: boolean): number {
    const [left, right] = this.motorC;
    return (
      this.fieldFaults |
      (this.batteryMv < UNDERVOLT_MV ? FAULTS.undervolt : 0) |
      (left >= HOT_C ? FAULTS.overtempM1 : 0) |
      (right >= HOT_C ? FAULTS.overtempM2 : 0) |
      (this.boardC >= BOARD_HOT_C ? FAULTS.overtempBoard : 0) |
      (this.#stalledMs >= STALL_AFTER_MS ? FAULTS.stall : 0) |
      (linkLost ? FAULTS.linkLost : 0) |
      (this.#inBurst() ? FAULTS.crcBurst : 0)
    );
  }

  /** Returns the numbers of the fault bits set since the last call. */
  newFaults(linkLost: boolean): number[] {
    const faults = this.faults(linkLost);
    const added = faults & ~this.#reported;
    this.#reported = faults;
    if (added === 0) return [];
    return Array.from({ length: 16 }, (_, bit) => bit).filter((bit) => added & (1 << bit));
  }

  #inBurst(): boolean {
    const [oldest] = this.#broken;
    if (oldest === undefined || this.#broken.length < BURST_FRAMES) return false;
    return this.#deps.clock.now() - oldest < BURST_WINDOW_MS;
  }
}
