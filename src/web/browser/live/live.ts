import type {
  BeatEvent,
  CartEvent,
  CommandEvent,
  LinksEvent,
  MovesEvent,
  PositionEvent,
  SnapshotEvent,
  TrialEvent,
  UnitsFingerprintEvent,
} from '../../../carts/control/sse-events.js';
import { stopTimeOf, stopTokenHeader } from '../stop-token.js';
import { NetworkLatency } from './network-latency.js';
import { Retry } from './retry.js';

/** What the live connection tells, and when that was true: ms of `performance.now()`. Handlers must not throw. */
interface LiveHandlers {
  snapshot(event: SnapshotEvent, at: number): void;
  cart(event: CartEvent, at: number): void;
  command(event: CommandEvent, at: number): void;
  links(event: LinksEvent, at: number): void;
  position(event: PositionEvent, at: number): void;
  trial(event: TrialEvent, at: number): void;
  moves(event: MovesEvent, at: number): void;
  meaning(event: UnitsFingerprintEvent, at: number): void;
  beat(event: BeatEvent, at: number): void;
  /** The session has ended. `stopMs`: for how long stops still work; 0 when they do not. */
  loggedOut(stopMs: number): void;
}

interface Events {
  snapshot: SnapshotEvent;
  cart: CartEvent;
  command: CommandEvent;
  links: LinksEvent;
  position: PositionEvent;
  trial: TrialEvent;
  moves: MovesEvent;
  meaning: UnitsFingerprintEvent;
  beat: BeatEvent;
}

const NAMES = [
  ...(['snapshot', 'cart', 'command', 'links', 'position', 'trial'] as const),
  ...(['moves', 'meaning', 'beat'] as const),
];
/** Six beats. From here on the page says that the connection is lost; news that waited for longer is not waited for. */
const LOST_AFTER_MS = 1500;
/** A connection that is open but silent is given up: a dead peer may never send a reset. */
const SILENT_MS = 4000;

/**
 * Follows `GET /events` for as long as the page lives. The browser's own retry is not used: it waits for a fixed time,
 * keeps a silent connection for ever, and gives up on an HTTP error.
 */
export class Live {
  #source: EventSource | undefined;
  #retry = new Retry(() => this.#open());
  #waited = new NetworkLatency();
  #openedAt = 0;
  /** When the head of a connection came; undefined once its first news has. */
  #headAt: number | undefined;
  /** When the newest news was sent. */
  #heardAt = performance.now();
  #seq = -1;
  #handlers: LiveHandlers;
  #address: string;

  /** @param cartID the cart that this page is about: of a large fleet only a part is told to every page. */
  constructor(handlers: LiveHandlers, cartID: number) {
    this.#handlers = handlers;
    this.#address = `/events?cart=${cartID}&messages=data`;
  }

  start(): void {
    this.#open();
    setInterval(() => this.#watch(), LOST_AFTER_MS);
    addEventListener('online', () => this.#open());
    // The clock of a tablet may have stood still while it slept: it cannot tell whether anything was missed.
    addEventListener('pageshow', ({ persisted }) => {
      if (persisted) this.#open();
    });
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'visible') this.#open();
    });
  }

  /** How old the newest news is; 0 while the connection is well. */
  lostForMs(): number {
    const silentMs = performance.now() - this.#heardAt;
    return silentMs > LOST_AFTER_MS ? silentMs : 0;
  }

  #open(): void {
    this.#retry.stop();
    this.#source?.close();
    const source = new EventSource(this.#address);
    this.#source = source;
    this.#openedAt = performance.now();
    this.#headAt = undefined;
    source.addEventListener('open', () => {
      if (source === this.#source) this.#headAt = performance.now();
    });
    for (const name of NAMES) source.addEventListener(name, (event) => this.#take(source, name, event.data));
    source.addEventListener('error', () => {
      if (source !== this.#source) return;
      // The browser gives up on an answer that is no stream, and does not tell which.
      if (source.readyState === EventSource.CLOSED) void this.#askWhy();
      this.#again();
    });
  }

  async #askWhy(): Promise<void> {
    const headers = { accept: 'application/json', ...stopTokenHeader() };
    const answer = await fetch('/carts', { headers, redirect: 'manual' }).catch(() => undefined);
    if (answer?.status === 401) this.#handlers.loggedOut(stopTimeOf(answer));
  }

  #take<Name extends keyof Events>(source: EventSource, name: Name, data: string): void {
    if (source !== this.#source) return;
    const event = JSON.parse(data) as Events[Name];
    const waitedMs = this.#waitedMs(event.sentMs);
    this.#heardAt = performance.now() - waitedMs;
    if (name !== 'snapshot' && event.seq <= this.#seq) return;
    this.#seq = event.seq;
    (this.#handlers[name] as (event: Events[Name], at: number) => void)(event, this.#heardAt);
    // What queues behind it is as late; a new connection begins with what is true now.
    if (waitedMs > LOST_AFTER_MS) this.#again();
    else if (name === 'snapshot') this.#retry.reset();
  }

  #waitedMs(sentMs: number): number {
    if (this.#headAt !== undefined) this.#waited.begin(this.#openedAt, this.#headAt, sentMs);
    this.#headAt = undefined;
    return this.#waited.ofMs(sentMs, performance.now());
  }

  #watch(): void {
    const now = performance.now();
    if (!this.#retry.isWaiting && now - Math.max(this.#heardAt, this.#openedAt) > SILENT_MS) this.#again();
  }

  #again(): void {
    this.#source?.close();
    this.#source = undefined;
    this.#retry.later();
  }
}
