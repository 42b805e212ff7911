import type { FrameOf } from '../../carts/index.js';
import type { Motors } from '../boards/motors.js';
import type { SimulatedProtectiveField } from '../field/protective-field.js';
import type { ControllerHealth } from './health.js';

export interface FirmwareState {
  readonly session: SimulatedSession;
  readonly estop: ControllerEstopLatch;
  readonly motors: Motors;
  readonly health: ControllerHealth;
  readonly recent: RecentIds;
  readonly field: SimulatedProtectiveField | undefined;
}

const CAPACITY = 8;

/** IDs of the last eight motions, so that a repeated frame does not start a motion again. */
export class RecentIds {
  #ids: number[] = [];

  has(wireId: number): boolean {
    return this.#ids.includes(wireId);
  }

  add(wireId: number): void {
    if (this.has(wireId)) return;
    this.#ids.push(wireId);
    if (this.#ids.length > CAPACITY) this.#ids.shift();
  }

  clear(): void {
    this.#ids = [];
  }
}

/** Heartbeat timeout until a HELLO sets a different one. */
const DEFAULT_TIMEOUT_MS = 500;

/** A session lasts until the next HELLO or a heartbeat timeout. */
export class SimulatedSession {
  id = 0;
  open = false;
  /** True if a heartbeat timeout ended the last session. */
  lost = false;
  armed = false;
  timeoutMs = DEFAULT_TIMEOUT_MS;
  #lastFrameMs = 0;
  #nonce: number | undefined;

  /** Begins a disarmed session. Returns false for a repeated HELLO, which a host sends after a lost reply. */
  begin({ session, hostNonce, heartbeatTimeoutMs }: FrameOf<'HELLO'>, nowMs: number): boolean {
    const isRepeated = this.open && session === this.id && hostNonce === this.#nonce;
    this.timeoutMs = heartbeatTimeoutMs || DEFAULT_TIMEOUT_MS;
    this.#lastFrameMs = nowMs;
    if (isRepeated) return false;
    this.id = session;
    this.#nonce = hostNonce;
    this.open = true;
    this.lost = false;
    this.armed = false;
    return true;
  }

  /** If a frame belongs to the session, restarts the heartbeat timeout and returns true. */
  accepts(session: number, nowMs: number): boolean {
    if (!this.open || session !== this.id) return false;
    this.#lastFrameMs = nowMs;
    return true;
  }

  /** Returns the time until the heartbeat timeout, or Infinity if no session exists. */
  remainingMs(nowMs: number): number {
    return this.open ? this.#lastFrameMs + this.timeoutMs - nowMs : Number.POSITIVE_INFINITY;
  }

  /** Ends the session; the host must then send a new HELLO. */
  expire(): void {
    this.id = 0;
    this.open = false;
    this.lost = true;
    this.armed = false;
  }
}

/** Minimum duration of a press of the reset button; a shorter signal may be a disturbance on its wire. */
const RESET_MS = 100;

/** A frame or the E-stop input sets the latch; only a reset releases it. */
export class ControllerEstopLatch {
  latched: boolean;
  /** True if the E-stop input has been opened since the E-stop was latched. */
  byInput: boolean;
  /** Sent in every STATUS; required in a reset, to prove that the sender has received the latest stop. */
  nonce: number;
  readonly #pressed: () => boolean;
  readonly #random: () => number;
  /** When the reset button was pressed; undefined if the press does not count. */
  #resetFromMs: number | undefined;

  /** @param pressed reads the E-stop input. The controller starts latched if the button is pressed. */
  constructor(pressed: () => boolean, random: () => number) {
    this.#pressed = pressed;
    this.#random = random;
    this.latched = pressed();
    this.byInput = this.latched;
    this.nonce = this.#newNonce();
  }

  /** The new nonce invalidates resets that are based on a status from before this stop. */
  latch(cause: 'frame' | 'input'): void {
    this.latched = true;
    this.byInput ||= cause === 'input';
    this.nonce = this.#newNonce();
    this.#resetFromMs = undefined;
  }

  release(): void {
    this.latched = false;
    this.byInput = false;
  }

  /** A press counts only if the E-stop button has been released. */
  pressReset(nowMs: number): void {
    if (!this.#pressed()) this.#resetFromMs = nowMs;
  }

  /** Returns true if the press of the reset button has released the latch. */
  releaseReset(nowMs: number): boolean {
    const fromMs = this.#resetFromMs;
    this.#resetFromMs = undefined;
    if (fromMs === undefined || nowMs - fromMs < RESET_MS || !this.latched) return false;
    this.release();
    return true;
  }

  /** Returns the NACK code, if any. A reset is also accepted if the E-stop is not latched. */
  validateReset(nonce: number): 'ESTOP_ACTIVE' | 'EXPIRED' | undefined {
    if (!this.latched) return undefined;
    if (this.#pressed()) return 'ESTOP_ACTIVE';
    return nonce === this.nonce ? undefined : 'EXPIRED';
  }

  #newNonce(): number {
    return Math.floor(this.#random() * 0x10000);
  }
}
