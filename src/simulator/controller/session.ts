import type { FrameOf } from '../../carts/serial/codec/codec.js';

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
