import { FairSeats } from '../../shared/connection-limit.js';
import { GatewayError } from '../../shared/errors.js';
import { sharedMessage } from '../../shared/messages/messages.js';
import type { Cancel, Clock } from '../../shared/ports/ports.js';
import { cameraSaid, hasFault } from '../capture/labels.js';
import type { Frame, PictureSource } from '../capture/model.js';
import { cameraMessage } from '../messages.js';
import { Part, type Picture } from './multipart-frame.js';
import type { StandIns } from './placeholder-cache.js';
import { type Sink, Viewer, type ViewerOptions, type ViewerState } from './viewer.js';
import { ViewerCount } from './viewer-count.js';

/** Streams and waiting pages together. */
const MAX_VIEWERS = 64;
/** Without a new picture for this long the newest is sent again, or one that says why there is none. */
const REPEAT_MS = 1000;
const STALLED_MS = 15_000;
const WAIT_MS = 5000;
const POLL_LINGER_MS = 5000;
/** A picture older than this is never given as the newest. */
const FRESH_MS = 1000;

interface HubDeps {
  source: PictureSource;
  standIns: Pick<StandIns, 'draw'>;
  clock: Clock;
}

/** @property holder what streams are counted by: a person, a key or an address. */
interface StreamOptions extends ViewerOptions {
  holder?: string;
}

interface Waiter {
  after: number;
  take(frame: Frame): void;
  fail(error: GatewayError): void;
}

/**
 * One picture source, many viewers. Streams get every picture as one shared buffer; pages ask for the next one and wait.
 * Nobody waits for anybody: who is slow misses pictures, who takes nothing for 15 s is dropped. With no viewer there is
 * no timer, and the camera may stop.
 */
export class Broadcaster {
  readonly #deps: HubDeps;
  readonly #viewers = new Map<Viewer, Cancel>();
  readonly #waiters = new Set<Waiter>();
  readonly #seats = new FairSeats<{ end(): void }>(MAX_VIEWERS, (seat) => seat.end());
  readonly #polls: ViewerCount;
  readonly #cancels: Cancel[];
  #tick: Cancel | undefined;
  #sentAtMs = Number.NEGATIVE_INFINITY;
  /** Of viewers that are gone. */
  #past = { sent: 0, dropped: 0 };

  constructor(deps: HubDeps) {
    const { source, clock } = deps;
    this.#deps = deps;
    this.#polls = new ViewerCount(() => source.want(), { clock, lingerMs: POLL_LINGER_MS });
    this.#cancels = [source.onFrame((frame) => this.#publish(frame)), source.onChange(() => this.#changed())];
  }

  /** Streams and waiting pages. */
  get viewers(): number {
    return this.#viewers.size + this.#waiters.size;
  }

  /** How the streams are doing. */
  streams(): ViewerState[] {
    return [...this.#viewers.keys()].map((viewer) => viewer.state());
  }

  /** Pictures sent to streams and dropped on the way to them, since the start. */
  get totals(): ViewerState {
    const total = { ...this.#past };
    for (const viewer of this.#viewers.keys()) addTo(total, viewer.state());
    return total;
  }

  /** Sends images until cancelled, or until the seat is needed and its holder has the most. */
  stream(sink: Sink, { holder = '', ...options }: StreamOptions = {}): Cancel {
    const { source, clock } = this.#deps;
    const viewer = new Viewer(sink, options, () => clock.now());
    const seat = { end: () => this.#drop(viewer) };
    const release = source.want();
    this.#viewers.set(viewer, () => {
      release();
      this.#seats.leave(holder, seat);
    });
    this.#seats.take(holder, seat);
    this.#tick ??= clock.every(REPEAT_MS, () => this.#ticked());
    const newest = this.#freshest();
    viewer.offer(newest ? this.#part(newest) : this.#standIn());
    return () => this.#remove(viewer);
  }

  /**
   * The newest picture after number `after`, as soon as there is one; undefined when none came within 5 s or `signal`
   * called it off. Rejects with `CAMERA_DOWN` when none can come, with `CAMERA_FULL` when the seat is needed.
   */
  async next(after: number, signal?: AbortSignal, holder = ''): Promise<Frame | undefined> {
    const letGo = this.#polls.hold();
    try {
      // A number from before a restart of the gateway is larger than any of today.
      const known = after > this.#deps.source.view().newest ? 0 : after;
      const newest = this.#freshest();
      if (newest && newest.number > known) return newest;
      const error = this.#down();
      if (error) throw error;
      return await this.#wait(known, signal, holder);
    } finally {
      letGo();
    }
  }

  /** Drops every viewer; the source is not closed. */
  close(): void {
    for (const cancel of this.#cancels) cancel();
    for (const viewer of this.#viewers.keys()) this.#drop(viewer);
    for (const waiter of this.#waiters) waiter.fail(new GatewayError('STOPPING', sharedMessage('stopping')));
    this.#polls.close();
  }

  #wait(after: number, signal: AbortSignal | undefined, holder: string): Promise<Frame | undefined> {
    return new Promise((resolve, reject) => {
      const seat = { end: () => waiter.fail(fullError()) };
      const end = (settle: () => void): void => {
        this.#waiters.delete(waiter);
        this.#seats.leave(holder, seat);
        cancelTimer();
        signal?.removeEventListener('abort', give);
        settle();
      };
      const give = (): void => end(() => resolve(undefined));
      const waiter: Waiter = {
        after,
        take: (frame) => end(() => resolve(frame)),
        fail: (error) => end(() => reject(error)),
      };
      const cancelTimer = this.#deps.clock.after(WAIT_MS, give);
      signal?.addEventListener('abort', give);
      this.#waiters.add(waiter);
      this.#seats.take(holder, seat);
      if (signal?.aborted) give();
    });
  }

  #freshest(): Frame | undefined {
    const { source, clock } = this.#deps;
    const newest = source.newest();
    return newest && clock.now() - newest.atMs <= FRESH_MS ? newest : undefined;
  }

  #publish(frame: Frame): void {
    for (const waiter of this.#waiters) if (frame.number > waiter.after) waiter.take(frame);
    if (this.#viewers.size > 0) this.#send(this.#part(frame));
  }

  #changed(): void {
    const error = this.#down();
    if (!error) return;
    for (const waiter of this.#waiters) waiter.fail(error);
    if (this.#viewers.size > 0) this.#send(this.#standIn());
  }

  #ticked(): void {
    for (const viewer of this.#viewers.keys()) if (viewer.stalledMs() >= STALLED_MS) this.#drop(viewer);
    const { source, clock } = this.#deps;
    if (this.#viewers.size === 0 || clock.now() - this.#sentAtMs < REPEAT_MS) return;
    const newest = source.view().phase === 'streaming' ? source.newest() : undefined;
    this.#send(newest ? this.#part(newest) : this.#standIn());
  }

  #send(part: Part): void {
    this.#sentAtMs = this.#deps.clock.now();
    for (const viewer of this.#viewers.keys()) viewer.offer(part);
  }

  #part(picture: Picture): Part {
    const { clock } = this.#deps;
    return new Part(picture, clock.wallTime() - (clock.now() - picture.atMs));
  }

  #standIn(): Part {
    const { source, standIns, clock } = this.#deps;
    return this.#part({ jpeg: standIns.draw(source.view()), atMs: clock.now() });
  }

  /** Why no picture will come by waiting a little, if so. */
  #down(): GatewayError | undefined {
    const view = this.#deps.source.view();
    const isOff = view.phase === 'disabled';
    if (!isOff && !(view.phase === 'backoff' && hasFault(view))) return undefined;
    const hint = isOff ? undefined : view.fault?.hint;
    return new GatewayError('CAMERA_DOWN', cameraSaid(view).reason, hint === undefined ? {} : { hint });
  }

  #drop(viewer: Viewer): void {
    this.#remove(viewer);
    viewer.destroy();
  }

  #remove(viewer: Viewer): void {
    this.#viewers.get(viewer)?.();
    if (this.#viewers.delete(viewer)) addTo(this.#past, viewer.state());
    if (this.#viewers.size > 0) return;
    this.#tick?.();
    this.#tick = undefined;
  }
}

function fullError(): GatewayError {
  return new GatewayError('CAMERA_FULL', cameraMessage('too-many-viewers', { limit: MAX_VIEWERS }), {
    ...{ limit: MAX_VIEWERS, unit: 'viewers', retryAfterS: 5 },
  });
}

function addTo(total: ViewerState, { sent, dropped }: ViewerState): void {
  total.sent += sent;
  total.dropped += dropped;
}
