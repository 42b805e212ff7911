import { FairConnectionLimit } from '../../shared/connection-limit.js';
import { GatewayError } from '../../shared/errors.js';
import { sharedMessage } from '../../shared/messages/messages.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import { cameraStatus, hasFault } from '../capture/camera-status.js';
import type { CameraFault, Image, ImageSource } from '../capture/model.js';
import { cameraMessage } from '../messages.js';
import { MultipartImage, type StreamImage } from './multipart-frame.js';
import type { PlaceholderCache } from './placeholder.js';
import { type Sink, Viewer, type ViewerOptions, type ViewerState } from './viewer.js';
import { ViewerCount } from './viewer-count.js';

const MAX_VIEWERS = 64;
/** While there is no new image, streams repeat the latest one or send a placeholder at this interval. */
const REPEAT_MS = 1000;
const STALLED_MS = 15_000;
const POLL_TIMEOUT_MS = 5000;
const POLL_LINGER_MS = 5000;
/** An image older than this is not returned as the latest one. */
const MAX_AGE_MS = 1000;
/**
 * Programs that read a single image use the first part of a stream, so a new stream waits for the camera to start
 * before it sends a placeholder.
 */
const FIRST_IMAGE_MS = 5000;

const LATE: CameraFault = {
  code: 'late',
  text: cameraMessage('late'),
  hint: cameraMessage('no-image-hint'),
  lines: [],
};

interface BroadcasterDeps {
  source: ImageSource;
  placeholders: Pick<PlaceholderCache, 'draw'>;
  clock: Clock;
}

interface StreamOptions extends ViewerOptions {
  /** The user, API key or address that opened the stream; used for the viewer limit. */
  holder?: string;
}

interface Waiter {
  after: number;
  resolve(image: Image): void;
  reject(error: GatewayError): void;
}

/**
 * Streams share one buffer per image; polling pages receive images one by one. Slow viewers drop images; a viewer that
 * reads nothing for 15 s is disconnected. No timer runs while there are no viewers.
 */
export class Broadcaster {
  readonly #deps: BroadcasterDeps;
  readonly #viewers = new Map<Viewer, Cancel>();
  readonly #waiters = new Set<Waiter>();
  readonly #connections = new FairConnectionLimit<{ end(): void }>(MAX_VIEWERS, (connection) =>
    connection.end(),
  );
  readonly #polls: ViewerCount;
  readonly #cancels: Cancel[];
  #cancelTick: Cancel | undefined;
  #sentAtMs = Number.NEGATIVE_INFINITY;
  #past = { sent: 0, dropped: 0 };

  constructor(deps: BroadcasterDeps) {
    const { source, clock } = deps;
    this.#deps = deps;
    this.#polls = new ViewerCount(() => source.acquire(), { clock, lingerMs: POLL_LINGER_MS });
    this.#cancels = [source.onImage((image) => this.#publish(image)), source.onChange(() => this.#changed())];
  }

  get viewers(): number {
    return this.#viewers.size + this.#waiters.size;
  }

  streams(): ViewerState[] {
    return [...this.#viewers.keys()].map((viewer) => viewer.state());
  }

  get totals(): ViewerState {
    const total = { ...this.#past };
    for (const viewer of this.#viewers.keys()) addTo(total, viewer.state());
    return total;
  }

  /** At the viewer limit, disconnects one stream of the holder with the most streams. */
  stream(sink: Sink, { holder = '', ...options }: StreamOptions = {}): Cancel {
    const { source, clock } = this.#deps;
    const viewer = new Viewer(sink, options, () => clock.now());
    const connection = { end: () => this.#drop(viewer) };
    const release = source.acquire();
    this.#viewers.set(viewer, () => {
      release();
      this.#connections.remove(holder, connection);
    });
    this.#connections.add(holder, connection);
    this.#cancelTick ??= clock.every(REPEAT_MS, () => this.#tick());
    const newest = this.#freshest();
    if (newest) viewer.offer(this.#toPart(newest));
    else if (this.#unavailable()) viewer.offer(this.#placeholder());
    return () => this.#remove(viewer);
  }

  /**
   * Waits for an image with a number greater than `after`; resolves with undefined after 5 s or on abort.
   * Rejects with `CAMERA_DOWN` if the camera is disabled or has a fault, or `CAMERA_FULL` at the viewer
   * limit.
   */
  async next(after: number, signal?: AbortSignal, holder = ''): Promise<Image | undefined> {
    const release = this.#polls.acquire();
    try {
      // A page may have received a higher number before the gateway restarted; such a number is ignored.
      const known = after > this.#deps.source.view().newest ? 0 : after;
      const newest = this.#freshest();
      if (newest && newest.number > known) return newest;
      const error = this.#unavailable();
      if (error) throw error;
      return await this.#wait(known, signal, holder);
    } finally {
      release();
    }
  }

  /** Ends all streams and polls; the image source stays open. */
  close(): void {
    for (const cancel of this.#cancels) cancel();
    for (const viewer of this.#viewers.keys()) this.#drop(viewer);
    for (const waiter of this.#waiters)
      waiter.reject(new GatewayError('STOPPING', sharedMessage('stopping')));
    this.#polls.close();
  }

  #wait(after: number, signal: AbortSignal | undefined, holder: string): Promise<Image | undefined> {
    return new Promise((resolve, reject) => {
      const connection = { end: () => waiter.reject(fullError()) };
      const end = (settle: () => void): void => {
        this.#waiters.delete(waiter);
        this.#connections.remove(holder, connection);
        cancelTimer();
        signal?.removeEventListener('abort', giveUp);
        settle();
      };
      const giveUp = (): void => end(() => resolve(undefined));
      const waiter: Waiter = {
        after,
        resolve: (image) => end(() => resolve(image)),
        reject: (error) => end(() => reject(error)),
      };
      const cancelTimer = this.#deps.clock.after(POLL_TIMEOUT_MS, giveUp);
      signal?.addEventListener('abort', giveUp);
      this.#waiters.add(waiter);
      this.#connections.add(holder, connection);
      if (signal?.aborted) giveUp();
    });
  }

  #freshest(): Image | undefined {
    const { source, clock } = this.#deps;
    const newest = source.newest();
    return newest && clock.now() - newest.atMs <= MAX_AGE_MS ? newest : undefined;
  }

  #publish(image: Image): void {
    for (const waiter of this.#waiters) if (image.number > waiter.after) waiter.resolve(image);
    if (this.#viewers.size > 0) this.#send(this.#toPart(image));
  }

  #changed(): void {
    const error = this.#unavailable();
    if (!error) return;
    for (const waiter of this.#waiters) waiter.reject(error);
    if (this.#viewers.size > 0) this.#send(this.#placeholder());
  }

  #tick(): void {
    for (const viewer of this.#viewers.keys()) if (viewer.stalledMs() >= STALLED_MS) this.#drop(viewer);
    const { source, clock } = this.#deps;
    if (this.#viewers.size === 0 || clock.now() - this.#sentAtMs < REPEAT_MS) return;
    const { phase, framerate } = source.view();
    const newest = phase === 'streaming' ? source.newest() : undefined;
    const maxAgeMs = Math.max(MAX_AGE_MS, 2000 / framerate);
    if (newest && clock.now() - newest.atMs <= maxAgeMs) return this.#send(this.#toPart(newest));
    const isFailing = this.#unavailable() !== undefined;
    this.#send(this.#placeholder(), (viewer) => isFailing || !viewer.awaitsFirstImage(FIRST_IMAGE_MS));
  }

  #send(part: MultipartImage, isDue: (viewer: Viewer) => boolean = () => true): void {
    this.#sentAtMs = this.#deps.clock.now();
    for (const viewer of this.#viewers.keys()) if (isDue(viewer)) viewer.offer(part);
  }

  #toPart(image: StreamImage): MultipartImage {
    const { clock } = this.#deps;
    return new MultipartImage(image, clock.wallTime() - (clock.now() - image.atMs));
  }

  #placeholder(): MultipartImage {
    const { source, placeholders, clock } = this.#deps;
    const view = source.view();
    const isLate = view.phase === 'streaming' && !hasFault(view);
    const jpeg = placeholders.draw(isLate ? { ...view, fault: LATE } : view);
    return this.#toPart({ jpeg, atMs: clock.now() });
  }

  #unavailable(): GatewayError | undefined {
    const view = this.#deps.source.view();
    const isOff = view.phase === 'disabled';
    const isDown = view.phase === 'backoff' || view.phase === 'streaming';
    if (!isOff && !(isDown && hasFault(view))) return undefined;
    const hint = isOff ? undefined : view.fault?.hint;
    return new GatewayError('CAMERA_DOWN', cameraStatus(view).reason, hint === undefined ? {} : { hint });
  }

  #drop(viewer: Viewer): void {
    this.#remove(viewer);
    viewer.destroy();
  }

  #remove(viewer: Viewer): void {
    this.#viewers.get(viewer)?.();
    if (this.#viewers.delete(viewer)) addTo(this.#past, viewer.state());
    if (this.#viewers.size > 0) return;
    this.#cancelTick?.();
    this.#cancelTick = undefined;
  }
}

function fullError(): GatewayError {
  return new GatewayError('CAMERA_FULL', cameraMessage('too-many-viewers', { limit: MAX_VIEWERS }), {
    limit: MAX_VIEWERS,
    unit: 'viewers',
    retryAfterS: 5,
  });
}

function addTo(total: ViewerState, { sent, dropped }: ViewerState): void {
  total.sent += sent;
  total.dropped += dropped;
}
