import type { FrameOf } from '../../carts/serial/codec/codec.js';
import type { Motors } from '../boards/motors.js';
import type { Health } from './health.js';

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

/** Until a HELLO says otherwise. */
const DEFAULT_TIMEOUT_MS = 500;

/** Who the controller listens to, and for how long: one HELLO to the next, or to the first silence that is too long. */
export class Session {
  /** In every frame; 0 = there is no session. */
  id = 0;
  open = false;
  /** The last session ended by silence. */
  lost = false;
  armed = false;
  timeoutMs = DEFAULT_TIMEOUT_MS;
  #heardMs = 0;
  #nonce: number | undefined;

  /** Begins a session, disarmed; false when it is the running one, whose answer got lost. */
  begin({ session, hostNonce, heartbeatTimeoutMs }: FrameOf<'HELLO'>, nowMs: number): boolean {
    const again = this.open && session === this.id && hostNonce === this.#nonce;
    this.timeoutMs = heartbeatTimeoutMs || DEFAULT_TIMEOUT_MS;
    this.#heardMs = nowMs;
    if (again) return false;
    this.id = session;
    this.#nonce = hostNonce;
    this.open = true;
    this.lost = false;
    this.armed = false;
    return true;
  }

  /** Whether a frame belongs to the running session; if so, the host is alive. */
  hears(session: number, nowMs: number): boolean {
    if (!this.open || session !== this.id) return false;
    this.#heardMs = nowMs;
    return true;
  }

  /** How long the host may still be silent, in ms; Infinity without a session. */
  patienceMs(nowMs: number): number {
    return this.open ? this.#heardMs + this.timeoutMs - nowMs : Number.POSITIVE_INFINITY;
  }

  /** Ends the session by silence: only a new HELLO begins another. */
  lose(): void {
    this.id = 0;
    this.open = false;
    this.lost = true;
    this.armed = false;
  }
}

/** The controller's own emergency stop: set by a frame or by its input, ended only on purpose. */
export class ControllerEstopLatch {
  latched: boolean;
  /** In every STATUS. A reset must quote it: it proves that the sender knows of the newest stop. */
  nonce: number;
  readonly #pressed: () => boolean;
  readonly #random: () => number;

  /** `pressed` reads the input. A controller that starts with the button pressed starts latched. */
  constructor(pressed: () => boolean, random: () => number) {
    this.#pressed = pressed;
    this.#random = random;
    this.latched = pressed();
    this.nonce = this.#newNonce();
  }

  /** A stop, or a change of the input: what was known of the latch before is out of date. */
  touch(): void {
    this.nonce = this.#newNonce();
  }

  latch(): void {
    this.latched = true;
    this.touch();
  }

  /** The reset button on the cart; answers whether it ended the latch. */
  resetHere(): boolean {
    if (!this.latched || this.#pressed()) return false;
    this.latched = false;
    return true;
  }

  /** Why a reset is refused; undefined when it may be done. Without a latch there is nothing to refuse. */
  judgeReset(nonce: number): 'ESTOP_ACTIVE' | 'EXPIRED' | undefined {
    if (!this.latched) return undefined;
    if (this.#pressed()) return 'ESTOP_ACTIVE';
    return nonce === this.nonce ? undefined : 'EXPIRED';
  }

  #newNonce(): number {
    return Math.floor(this.#random() * 0x10000);
  }
}
