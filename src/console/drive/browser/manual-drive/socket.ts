import type { DriveMessage, DriveState } from '../../../../carts/pure.js';
import { Retry } from '../../../browser/live/retry.js';

/** The lease holder receives ten states per second; if none arrives for this long, the page disconnects. */
const SILENT_MS = 1000;
const WATCH_MS = 250;
/** If more than two messages are unsent, new drive messages are dropped, because they would arrive stale. */
const STUCK_BYTES = 256;
const LOGGED_OUT = 4401;

export class DriveConnection {
  /** The last state from the gateway; undefined while disconnected. */
  state: DriveState | undefined;
  /** Round-trip time of the last acknowledged message, in ms. */
  roundTripMs: number | undefined;
  #socket: WebSocket | undefined;
  #retry = new Retry(() => this.#open());
  #sentAt = new Map<number, number>();
  #seq = 0;
  #receivedAt = 0;
  #isLoggedOut = false;
  #onState: () => void;

  /** @param onState called on every received state and when the connection is lost. */
  constructor(onState: () => void) {
    this.#onState = onState;
  }

  start(): void {
    this.#open();
    setInterval(() => this.#watch(), WATCH_MS);
    const back = (): void => {
      if (document.visibilityState === 'visible' && !this.#socket) this.#open();
    };
    addEventListener('online', back);
    addEventListener('pageshow', back);
    document.addEventListener('visibilitychange', back);
    addEventListener('offline', () => this.#lose());
    addEventListener('pagehide', () => this.#socket?.close());
  }

  /** Disconnects when the page is logged out, and reconnects when it is logged in again. */
  follow(isLoggedOut: boolean): void {
    if (this.#isLoggedOut === isLoggedOut) return;
    this.#isLoggedOut = isLoggedOut;
    if (isLoggedOut) this.#lose();
    else if (!this.#socket) this.#open();
  }

  send(message: DriveMessage): void {
    const socket = this.#socket;
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  }

  drive(speed: number, turn: number): void {
    const { state } = this;
    if (!state || (this.#socket?.bufferedAmount ?? 0) > STUCK_BYTES) return;
    this.#seq += 1;
    this.#sentAt.set(this.#seq, performance.now());
    this.send({ say: 'drive', lease: state.lease, seq: this.#seq, speed, turn, heard: state.n });
  }

  #open(): void {
    this.#retry.stop();
    if (this.#isLoggedOut) return;
    const { protocol, host } = location;
    const socket = new WebSocket(`${protocol === 'https:' ? 'wss' : 'ws'}://${host}/drive?messages=data`);
    this.#socket = socket;
    this.#receivedAt = performance.now();
    socket.addEventListener('message', ({ data }) => {
      if (socket === this.#socket) this.#receive(JSON.parse(data) as DriveState);
    });
    socket.addEventListener('close', ({ code }) => {
      if (socket !== this.#socket) return;
      this.#lose();
      // After a logout, reconnecting would fail.
      if (code === LOGGED_OUT) this.#retry.stop();
    });
  }

  #receive(state: DriveState): void {
    this.#receivedAt = performance.now();
    this.#retry.reset();
    const sentAt = this.#sentAt.get(state.seq);
    if (sentAt !== undefined) {
      this.roundTripMs = Math.max(0, this.#receivedAt - sentAt - state.heldMs);
      for (const seq of this.#sentAt.keys()) if (seq <= state.seq) this.#sentAt.delete(seq);
    }
    this.state = state;
    this.#onState();
  }

  #watch(): void {
    const isHolder = (this.state?.lease ?? 0) > 0;
    if (isHolder && performance.now() - this.#receivedAt > SILENT_MS) this.#lose();
  }

  #lose(): void {
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.close();
    this.state = undefined;
    this.roundTripMs = undefined;
    this.#sentAt.clear();
    this.#seq = 0;
    if (this.#isLoggedOut) this.#retry.stop();
    else this.#retry.schedule();
    this.#onState();
  }
}
