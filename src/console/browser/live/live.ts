import type {
  BeatEvent,
  CartEvent,
  CommandEvent,
  FirmwareEvent,
  LinksEvent,
  MovesEvent,
  PositionEvent,
  SitePlanEvent,
  SnapshotEvent,
  TrialEvent,
  UnitsFingerprintEvent,
  ZoneOverrideEvent,
} from '../../../carts/pure.js';
import { stopTimeOf, stopTokenHeader } from '../stop-token.js';
import { NetworkLatency } from './network-latency.js';
import { Retry } from './retry.js';

/** Handlers must not throw. `at` is an event's sending time on the `performance.now()` clock. */
interface LiveHandlers {
  snapshot(event: SnapshotEvent, at: number): void;
  cart(event: CartEvent, at: number): void;
  command(event: CommandEvent, at: number): void;
  links(event: LinksEvent, at: number): void;
  position(event: PositionEvent, at: number): void;
  trial(event: TrialEvent, at: number): void;
  moves(event: MovesEvent, at: number): void;
  firmware(event: FirmwareEvent, at: number): void;
  meaning(event: UnitsFingerprintEvent, at: number): void;
  sitePlan(event: SitePlanEvent, at: number): void;
  zoneOverride(event: ZoneOverrideEvent, at: number): void;
  beat(event: BeatEvent, at: number): void;
  /** `stopMs` is the stop token's remaining validity, or 0. */
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
  firmware: FirmwareEvent;
  meaning: UnitsFingerprintEvent;
  sitePlan: SitePlanEvent;
  zoneOverride: ZoneOverrideEvent;
  beat: BeatEvent;
}

const NAMES = [
  ...(['snapshot', 'cart', 'command', 'links', 'position', 'trial'] as const),
  ...(['moves', 'firmware', 'meaning', 'sitePlan', 'zoneOverride', 'beat'] as const),
];
/**
 * The connection counts as lost if no event arrives for this long (six `beat` intervals) or if an event is delayed by
 * more.
 */
const LOST_AFTER_MS = 1500;
/**
 * Time from the end of the stream to the session check. When the operator leaves the page, the browser ends the
 * stream a few milliseconds before `pagehide`, and the check would be pointless.
 */
const SESSION_CHECK_MS = 100;
/** The connection is closed after this many ms without data, because a dead peer may never send a TCP reset. */
const SILENT_MS = 4000;

/** Replaces EventSource's reconnection, which ignores silent connections and stops after an HTTP error. */
export class Live {
  #source: EventSource | undefined;
  #retry = new Retry(() => this.#open());
  #latency = new NetworkLatency();
  #openedAt = 0;
  /** Arrival time of the response headers; undefined after the first event. */
  #headAt: number | undefined;
  #lastEventAt = performance.now();
  #seq = -1;
  #isLoggedOut = false;
  #handlers: LiveHandlers;
  #address: string;

  /**
   * @param cartID the cart that the stream must contain; in a large fleet, the stream contains only some of the carts.
   */
  constructor(handlers: LiveHandlers, cartID: number) {
    this.#handlers = handlers;
    this.#address = `/events?cart=${cartID}&messages=data`;
  }

  start(): void {
    this.#open();
    setInterval(() => this.#watch(), LOST_AFTER_MS);
    addEventListener('online', () => this.#open());
    // Closes the connection before the next page loads; otherwise, the browser would report a connection error.
    addEventListener('pagehide', () => this.#close());
    // The page reconnects, because a tablet may miss events while it sleeps, and the page's clock may stop.
    addEventListener('pageshow', ({ persisted }) => {
      if (persisted) this.#open();
    });
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'visible') this.#open();
    });
  }

  /** Returns the age of the latest event in ms if the connection is lost; otherwise returns 0. */
  lostForMs(): number {
    const silentMs = performance.now() - this.#lastEventAt;
    return silentMs > LOST_AFTER_MS ? silentMs : 0;
  }

  #open(): void {
    this.#isLoggedOut = false;
    this.#retry.stop();
    this.#source?.close();
    const source = new EventSource(this.#address);
    this.#source = source;
    this.#openedAt = performance.now();
    this.#headAt = undefined;
    source.addEventListener('open', () => {
      if (source === this.#source) this.#headAt = performance.now();
    });
    for (const name of NAMES)
      source.addEventListener(name, (event) => this.#receive(source, name, event.data));
    source.addEventListener('error', () => {
      if (source !== this.#source) return;
      // EventSource closes after an HTTP error but does not report the status code, so another request checks the
      // session.
      if (source.readyState === EventSource.CLOSED)
        setTimeout(() => void this.#checkSession(), SESSION_CHECK_MS);
      this.#reconnect();
    });
  }

  async #checkSession(): Promise<void> {
    const headers = { accept: 'application/json', ...stopTokenHeader() };
    const answer = await fetch('/carts', { headers, redirect: 'manual' }).catch(() => undefined);
    if (answer?.status !== 401) return;
    // Without a session, every attempt fails. The page connects again when it is shown again or reloaded.
    this.#isLoggedOut = true;
    this.#close();
    this.#retry.stop();
    this.#handlers.loggedOut(stopTimeOf(answer));
  }

  #receive<Name extends keyof Events>(source: EventSource, name: Name, data: string): void {
    if (source !== this.#source) return;
    const event = JSON.parse(data) as Events[Name];
    const delayMs = this.#delayMs(event.sentMs);
    this.#lastEventAt = performance.now() - delayMs;
    if (name !== 'snapshot' && event.seq <= this.#seq) return;
    this.#seq = event.seq;
    (this.#handlers[name] as (event: Events[Name], at: number) => void)(event, this.#lastEventAt);
    // The page reconnects, because all queued events are late, whereas a new connection starts with the current state.
    if (delayMs > LOST_AFTER_MS) this.#reconnect();
    else if (name === 'snapshot') this.#retry.reset();
  }

  #delayMs(sentMs: number): number {
    if (this.#headAt !== undefined) this.#latency.begin(this.#openedAt, this.#headAt, sentMs);
    this.#headAt = undefined;
    return this.#latency.delayMs(sentMs, performance.now());
  }

  #watch(): void {
    const now = performance.now();
    if (this.#isLoggedOut) return;
    if (!this.#retry.isWaiting && now - Math.max(this.#lastEventAt, this.#openedAt) > SILENT_MS)
      this.#reconnect();
  }

  #close(): void {
    this.#source?.close();
    this.#source = undefined;
  }

  #reconnect(): void {
    this.#close();
    this.#retry.schedule();
  }
}
