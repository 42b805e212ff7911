import type { FrameOf } from '../../carts/serial/codec/codec.js';
import type { Motors } from '../boards/motors.js';
import type { Health } from './health.js';

export interface FirmwareState {
  readonly session: Session;
  readonly estop: ControllerEstopLatch;
  readonly motors: Motors;
  readonly health: Health;
  readonly recent: RecentIds;
}

const CAPACITY = 8;

/** The last eight accepted or ended motions, so that a repeated frame does not start one again. */
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

/** Used until a HELLO sets another. */
const DEFAULT_TIMEOUT_MS = 500;

/** The session with a host, from one HELLO to the next or to a heartbeat timeout. */
export class Session {
  /** In every frame; 0 = no session. */
  id = 0;
  open = false;
  /** The last session ended by a heartbeat timeout. */
  lost = false;
  armed = false;
  timeoutMs = DEFAULT_TIMEOUT_MS;
  #lastFrameMs = 0;
  #nonce: number | undefined;

  /** Begins a session, disarmed. False for a repeated HELLO of the running session, whose answer was lost. */
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

  /** True if a frame belongs to the running session; restarts the heartbeat timeout. */
  accepts(session: number, nowMs: number): boolean {
    if (!this.open || session !== this.id) return false;
    this.#lastFrameMs = nowMs;
    return true;
  }

  /** Time to the heartbeat timeout, ms; Infinity without a session. */
  remainingMs(nowMs: number): number {
    return this.open ? this.#lastFrameMs + this.timeoutMs - nowMs : Number.POSITIVE_INFINITY;
  }

  /** Ends the session after a heartbeat timeout; a new HELLO is required. */
  expire(): void {
    this.id = 0;
    this.open = false;
    this.lost = true;
    this.armed = false;
  }
}

/** The controller's E-stop latch: set by a frame or by its input, released only by a reset. */
export class ControllerEstopLatch {
  latched: boolean;
  /** Sent in every STATUS. A reset must quote it, which proves that the sender has received the latest stop. */
  nonce: number;
  readonly #pressed: () => boolean;
  readonly #random: () => number;

  /** @param pressed reads the input; a controller that starts with the button pressed is latched. */
  constructor(pressed: () => boolean, random: () => number) {
    this.#pressed = pressed;
    this.#random = random;
    this.latched = pressed();
    this.nonce = this.#newNonce();
  }

  /** Invalidates resets based on an older status, after a stop or a change of the input. */
  renewNonce(): void {
    this.nonce = this.#newNonce();
  }

  latch(): void {
    this.latched = true;
    this.renewNonce();
  }

  /** The reset button on the cart; true if it released the latch. */
  resetLocally(): boolean {
    if (!this.latched || this.#pressed()) return false;
    this.latched = false;
    return true;
  }

  /** The NACK code of a reset; undefined if it is accepted. A reset without a latch is accepted. */
  validateReset(nonce: number): 'ESTOP_ACTIVE' | 'EXPIRED' | undefined {
    if (!this.latched) return undefined;
    if (this.#pressed()) return 'ESTOP_ACTIVE';
    return nonce === this.nonce ? undefined : 'EXPIRED';
  }

  #newNonce(): number {
    return Math.floor(this.#random() * 0x10000);
  }
}
