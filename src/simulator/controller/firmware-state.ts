import type { Motors } from '../boards/motors.js';
import type { ControllerEstopLatch } from './estop-latch.js';
import type { Health } from './health.js';
import type { Session } from './session.js';

/** What a running firmware consists of, for those who read or steer it. */
export interface FirmwareState {
  readonly session: Session;
  readonly estop: ControllerEstopLatch;
  readonly motors: Motors;
  readonly health: Health;
  /** Motions that need no second look. */
  readonly recent: RecentIds;
}

const KEPT = 8;

/** The last eight motions that were taken or have ended: a repeated frame starts nothing again. */
export class RecentIds {
  #ids: number[] = [];

  has(wireId: number): boolean {
    return this.#ids.includes(wireId);
  }

  add(wireId: number): void {
    if (this.has(wireId)) return;
    this.#ids.push(wireId);
    if (this.#ids.length > KEPT) this.#ids.shift();
  }

  clear(): void {
    this.#ids = [];
  }
}
