import { errorText, GatewayError } from '../../shared/errors.js';
import { type Text, textOf } from '../../shared/messages/message.js';
import type { CameraImage, CameraImages } from '../../shared/ports/camera.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import { Backoff, doubling } from '../../shared/retry.js';
import { Signal } from '../../shared/signal.js';
import type { DetectorHost } from './detector-host.js';
import type { MeasureOptions } from './measure.js';
import type { Sighting } from './model.js';

/** The detector runs for this long after a request for the markers in view. */
const LOOK_MS = 3000;
/** Time between the starts of two detections. */
const INTERVALS_MS = { idle: 200, approach: 100 };
/** Tolerance for a camera's image intervals, which are not exactly regular. */
const TOLERANCE_MS = 10;

export type DetectorUse = keyof typeof INTERVALS_MS;

export interface Detection {
  /** The image's sequence number. */
  number: number;
  /** `Clock.now()` when the whole image had been received. */
  atMs: number;
  /** Age of the image when the result became available. */
  imageAgeMs: number;
  sightings: Sighting[];
}

export interface DetectorState {
  phase: 'stopped' | 'running' | 'backoff';
  /** Why the last image has no result; empty if there is a result. */
  fault: Text;
  /** Number of times that the thread was replaced after a failure. */
  restarts: number;
}

type Host = Pick<DetectorHost, 'measure' | 'close'>;

interface DetectorServiceDeps {
  images: CameraImages;
  openHost: () => Host;
  /** Returns the options; called before each image. The image must have the size of `camera`. */
  options: () => MeasureOptions;
  clock: Clock;
  log: Log;
}

/**
 * Detects markers in the newest camera image while at least one caller has acquired the detector, which also
 * keeps the camera running. Images that arrive during a detection replace each other.
 */
export class DetectorService {
  readonly #deps: DetectorServiceDeps;
  readonly #backoff = new Backoff({ delaysMs: doubling(250, 30_000), jitter: 'slight' });
  readonly #detections = new Signal<[Detection]>();
  readonly #looks = new Set<Cancel>();
  readonly #uses = new Set<{ use: DetectorUse; otherSizeMm: number | null }>();
  #releaseCamera: Cancel | undefined;
  #host: Host | undefined;
  #cancelRestart: Cancel | undefined;
  #isBusy = false;
  #waiting: CameraImage | undefined;
  #lastDueAtMs = Number.NEGATIVE_INFINITY;
  #newest: Detection | undefined;
  #fault: Text = '';
  #restarts = 0;
  #isClosed = false;

  constructor(deps: DetectorServiceDeps) {
    this.#deps = deps;
  }

  /**
   * The highest rate that a caller requests applies: 5 images a second, or 10 during a drive to a marker.
   * @param otherSizeMm if a caller sets it, markers without a known size are reported to all callers, with positions
   *   computed for this size.
   */
  acquire(use: DetectorUse, otherSizeMm: number | null = null): Cancel {
    if (this.#isClosed) return () => undefined;
    const entry = { use, otherSizeMm };
    this.#uses.add(entry);
    this.#start();
    return () => {
      if (this.#uses.delete(entry) && this.#uses.size === 0) this.#stop();
    };
  }

  /**
   * Returns the newest detection, and keeps the detector running for 3 s. See `acquire` for `otherSizeMm`.
   */
  look(otherSizeMm: number | null = null): Detection | undefined {
    const release = this.acquire('idle', otherSizeMm);
    const cancel = this.#deps.clock.after(LOOK_MS, () => {
      this.#looks.delete(cancel);
      release();
    });
    this.#looks.add(cancel);
    return this.newest();
  }

  onDetection(listener: (detection: Detection) => void): Cancel {
    return this.#detections.on(listener);
  }

  /** Returns undefined while the detector is stopped, so that outdated results are not used. */
  newest(): Detection | undefined {
    return this.#newest;
  }

  state(): DetectorState {
    const phase = this.#host ? 'running' : this.#cancelRestart ? 'backoff' : 'stopped';
    return { phase, fault: this.#fault, restarts: this.#restarts };
  }

  close(): void {
    this.#isClosed = true;
    for (const cancel of this.#looks) cancel();
    this.#uses.clear();
    this.#stop();
  }

  #start(): void {
    if (this.#releaseCamera) return;
    const { images } = this.#deps;
    const unsubscribe = images.onImage((image) => this.#offer(image));
    const release = images.acquire();
    this.#releaseCamera = () => {
      unsubscribe();
      release();
    };
    this.#host = this.#deps.openHost();
  }

  #stop(): void {
    this.#releaseCamera?.();
    this.#releaseCamera = undefined;
    this.#cancelRestart?.();
    this.#cancelRestart = undefined;
    this.#closeHost();
    this.#newest = undefined;
    this.#fault = '';
  }

  #closeHost(): void {
    const host = this.#host;
    this.#host = undefined;
    this.#isBusy = false;
    this.#waiting = undefined;
    host?.close();
  }

  #offer(image: CameraImage): void {
    this.#waiting = image;
    this.#next();
  }

  #next(): void {
    const { clock } = this.#deps;
    const image = this.#waiting;
    if (!image || !this.#host || this.#isBusy) return;
    this.#waiting = undefined;
    const dueAtMs = this.#lastDueAtMs + this.#intervalMs;
    // An image that arrives too early is dropped, because a more recent one follows.
    if (clock.now() < dueAtMs - TOLERANCE_MS) return;
    // Measuring images slightly early must not increase the average rate.
    this.#lastDueAtMs = Math.max(dueAtMs, clock.now() - TOLERANCE_MS);
    this.#isBusy = true;
    void this.#measure(this.#host, image, this.#options());
  }

  #options(): MeasureOptions {
    const options = this.#deps.options();
    const sizes = [...this.#uses].map(({ otherSizeMm }) => otherSizeMm);
    return { ...options, otherSizeMm: options.otherSizeMm ?? sizes.find((size) => size !== null) ?? null };
  }

  get #intervalMs(): number {
    return Math.min(...[...this.#uses].map(({ use }) => INTERVALS_MS[use]));
  }

  async #measure(host: Host, image: CameraImage, options: MeasureOptions): Promise<void> {
    const { width, height } = options.camera;
    try {
      const markers = await host.measure({ jpeg: image.jpeg, size: { width, height }, options });
      if (this.#host === host) this.#measured(image, markers);
    } catch (error) {
      if (this.#host === host) this.#failed(error);
    }
    if (this.#host !== host) return;
    this.#isBusy = false;
    this.#next();
  }

  #measured({ number, atMs }: CameraImage, markers: Omit<Sighting, 'imageAgeMs'>[]): void {
    this.#backoff.reset();
    this.#setFault('');
    const imageAgeMs = this.#deps.clock.now() - atMs;
    const sightings = markers.map((marker) => ({ ...marker, imageAgeMs }));
    this.#newest = { number, atMs, imageAgeMs, sightings };
    this.#detections.emit(this.#newest);
  }

  #failed(error: unknown): void {
    this.#setFault(errorText(error));
    if (error instanceof GatewayError && error.code === 'IMAGE_UNUSABLE') return;
    this.#closeHost();
    this.#cancelRestart = this.#deps.clock.after(this.#backoff.next(), () => {
      this.#cancelRestart = undefined;
      this.#restarts += 1;
      this.#host = this.#deps.openHost();
    });
  }

  /** Logs each change once, not each image. */
  #setFault(fault: Text): void {
    const reason = textOf(fault);
    if (textOf(this.#fault) === reason) return;
    this.#fault = fault;
    if (reason === '') this.#deps.log.info('markers.detection_resumed');
    else this.#deps.log.warn('markers.detection_failed', { reason });
  }
}
