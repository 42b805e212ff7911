import { Retry } from '../../../web/browser/live/retry.js';
import type { DriveMessage, DriveState } from '../../manual-drive/drive-messages.js';

/** A holder is told ten times a second; after so long without a message the connection is given up. */
const SILENT_MS = 1000;
const WATCH_MS = 250;
/** Two words. What cannot leave is not worth sending any more. */
const STUCK_BYTES = 256;
const LOGGED_OUT = 4401;

/** The page's end of the drive socket, for as long as the page lives. */
export class DriveConnection {
  /** What the gateway said last; undefined while there is no connection. */
  state: DriveState | undefined;
  /** How long the last message took to the gateway and back, in ms. */
  roundTripMs: number | undefined;
  #socket: WebSocket | undefined;
  #retry = new Retry(() => this.#open());
  #sentAt = new Map<number, number>();
  #seq = 0;
  #receivedAt = 0;
  #onState: () => void;

  /** @param onState called with every message of the gateway, and when the connection is lost. */
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

  /** Says a message, or nothing when there is no connection. */
  send(message: DriveMessage): void {
    const socket = this.#socket;
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  }

  /** Says what the controls say now. */
  drive(speed: number, turn: number): void {
    const { state } = this;
    if (!state || (this.#socket?.bufferedAmount ?? 0) > STUCK_BYTES) return;
    this.#seq += 1;
    this.#sentAt.set(this.#seq, performance.now());
    this.send({ say: 'drive', lease: state.lease, seq: this.#seq, speed, turn, heard: state.n });
  }

  #open(): void {
    this.#retry.stop();
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
      // Whoever is logged out is told so by the frame of the page, and nothing comes of trying.
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
    this.#retry.schedule();
    this.#onState();
  }
}
