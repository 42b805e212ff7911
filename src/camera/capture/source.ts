import { Tally } from '../../shared/metric.js';
import type { CameraDevice } from '../../shared/ports/camera.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import { Signal } from '../../shared/signal.js';
import { disabledError, stoppingError } from '../photos/errors.js';
import { PhotoQueue } from '../photos/queue.js';
import { StreamRun } from '../streaming/stream-run.js';
import { ViewerCount } from '../streaming/viewer-count.js';
import type { Classified } from './classify-fault.js';
import { ImageCheck } from './image-check.js';
import type {
  CameraFault,
  CameraPhase,
  CameraView,
  Image,
  ImageCounts,
  ImageSource,
  Still,
} from './model.js';
import { RetryTimer } from './retry.js';
import type { CameraSettings } from './schema.js';

/** The camera runs for this long after the last viewer has left, so that a reload does not restart it. */
const LINGER_MS = 10_000;
/** Several settings changes within this time restart the camera only once. */
const SETTINGS_DEBOUNCE_MS = 300;

interface CameraSourceDeps {
  device: CameraDevice;
  settings: { current(): CameraSettings; onChange(listener: () => void): Cancel };
  clock: Clock;
  log: Log;
  /** Returns true while a cart of this gateway is moving. */
  isMoving: () => boolean;
  /** Calls `run` after the data of this event-loop iteration has been read; normally `setImmediate`. */
  soon: (run: () => void) => void;
}

/** Runs at most one program, and only while images are requested. */
export class CameraSource implements ImageSource {
  readonly #deps: CameraSourceDeps;
  readonly #changes = new Signal();
  readonly #images = new Signal<[Image]>();
  readonly #unsubscribe: Cancel;
  readonly #retryTimer: RetryTimer;
  readonly #viewers: ViewerCount;
  readonly #photos: PhotoQueue;
  readonly #check: ImageCheck;
  readonly #imageFaults = new Tally();
  #isRequested = false;
  #settingsTimer: Cancel | undefined;
  #stream: StreamRun | undefined;
  #newest: Image | undefined;
  #number = 0;
  #fault: CameraFault | undefined;
  #lastState = '';
  #isClosed = false;
  #closing: Promise<void> | undefined;
  #onFree: (() => void) | undefined;

  constructor(deps: CameraSourceDeps) {
    this.#deps = deps;
    this.#retryTimer = new RetryTimer(deps.clock, () => this.#update());
    this.#viewers = new ViewerCount(() => this.#setRequested(true), {
      clock: deps.clock,
      lingerMs: LINGER_MS,
    });
    this.#check = new ImageCheck(deps.isMoving);
    this.#photos = new PhotoQueue(deps, (fault) => this.#photoEnded(fault));
    this.#unsubscribe = deps.settings.onChange(() => this.#settingsChanged());
  }

  view(): CameraView {
    const { width, height, framerate } = this.#deps.settings.current();
    const phase = this.#phase;
    const retryAtMs = phase === 'backoff' ? this.#retryTimer.atMs : undefined;
    return {
      phase,
      simulated: this.#stream?.simulated ?? this.#deps.device.simulated,
      ...(this.#fault ? { fault: this.#fault } : {}),
      width,
      height,
      framerate,
      newest: this.#number,
      ...(retryAtMs === undefined ? {} : { retryAtMs }),
    };
  }

  onChange(listener: () => void): Cancel {
    return this.#changes.on(listener);
  }

  onImage(listener: (image: Image) => void): Cancel {
    return this.#images.on(listener);
  }

  newest(): Image | undefined {
    return this.#fault ? undefined : this.#newest;
  }

  counts(): ImageCounts {
    return { repeated: this.#check.repeated, faults: this.#imageFaults.rows('reason') };
  }

  acquire(): Cancel {
    return this.#isClosed ? () => undefined : this.#viewers.acquire();
  }

  still(): Promise<Still> {
    if (this.#isClosed) return Promise.reject(stoppingError());
    if (!this.#deps.settings.current().enabled) return Promise.reject(disabledError());
    const still = this.#photos.add();
    this.#update();
    return still;
  }

  retry(): void {
    this.#retryTimer.reset();
    if (this.#fault && this.#stream?.phase === 'streaming') this.#stream.stop();
    this.#update();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#isClosed = true;
    this.#unsubscribe();
    this.#settingsTimer?.();
    this.#retryTimer.reset();
    this.#photos.close();
    this.#viewers.close();
    this.#update();
    if (!this.#isFree) await new Promise<void>((resolve) => (this.#onFree = resolve));
    await this.#deps.device.close();
  }

  get #phase(): CameraPhase {
    if (this.#photos.isRunning) return 'capturing';
    if (this.#stream) return this.#stream.phase;
    if (!this.#deps.settings.current().enabled) return 'disabled';
    return this.#retryTimer.isWaiting && this.#isRequested ? 'backoff' : 'idle';
  }

  get #isFree(): boolean {
    return !this.#stream && !this.#photos.isRunning;
  }

  get #shouldStream(): boolean {
    const { enabled } = this.#deps.settings.current();
    return this.#isRequested && enabled && !this.#isClosed && !this.#photos.isWaiting;
  }

  #update(): void {
    if (this.#stream && !this.#shouldStream) this.#stream.stop();
    if (this.#isFree) {
      if (this.#photos.isWaiting) this.#photos.start(this.#deps.settings.current());
      else if (this.#shouldStream && !this.#retryTimer.isWaiting) this.#startStream();
    }
    this.#notify();
    if (this.#isFree) this.#onFree?.();
  }

  #setRequested(isRequested: boolean): Cancel {
    this.#isRequested = isRequested;
    this.#update();
    return () => void this.#setRequested(false);
  }

  #startStream(): void {
    const { device, clock, soon } = this.#deps;
    const settings = this.#deps.settings.current();
    const run = new StreamRun(
      { device, settings, clock, soon },
      {
        image: (jpeg, atMs) => this.#take({ jpeg, atMs }, settings),
        ended: (fault) => this.#streamEnded(run, fault),
      },
    );
    this.#stream = run;
    this.#check.restart();
    run.start();
  }

  /** A repeated image keeps the number and the time of its first occurrence, so that its age continues to increase. */
  #take(image: Omit<Image, 'number'>, size: { width: number; height: number }): void {
    const { isNew, fault } = this.#check.take(image.jpeg, image.atMs, size);
    if (fault) return this.#rejectImages(fault);
    if (isNew) this.#publish(image);
  }

  #rejectImages(fault: CameraFault): void {
    if (fault.code !== this.#fault?.code) this.#imageFaults.add(fault.code);
    this.#setFault(fault);
    this.#notify();
  }

  #publish(image: Omit<Image, 'number'>): void {
    const isFirst = this.#newest === undefined || this.#fault !== undefined;
    this.#number += 1;
    this.#newest = { number: this.#number, ...image };
    if (isFirst) {
      this.#fault = undefined;
      this.#deps.log.info('camera.started', { simulated: this.#deps.device.simulated });
      this.#notify();
    }
    this.#images.emit(this.#newest);
  }

  #streamEnded(run: StreamRun, fault: Classified | undefined): void {
    this.#stream = undefined;
    this.#newest = undefined;
    if (fault) {
      this.#setFault(fault);
      const streamedMs = run.firstMs === undefined ? 0 : this.#deps.clock.now() - run.firstMs;
      if (!this.#isClosed) this.#retryTimer.failed(fault.code, streamedMs);
    }
    this.#update();
  }

  #photoEnded(fault: Classified | undefined): void {
    if (fault) this.#setFault(fault);
    else {
      this.#fault = undefined;
      this.#retryTimer.reset();
    }
    this.#update();
  }

  #setFault(fault: CameraFault): void {
    if (fault.code !== this.#fault?.code) this.#deps.log.warn('camera.failed', { ...fault });
    this.#fault = fault;
  }

  /** The camera programs read their options only at startup, so changed options require a restart. */
  #settingsChanged(): void {
    this.#settingsTimer?.();
    this.#settingsTimer = this.#deps.clock.after(SETTINGS_DEBOUNCE_MS, () => {
      this.#settingsTimer = undefined;
      if (this.#stream && !this.#stream.matches(this.#deps.settings.current())) this.#stream.stop();
      this.#retryTimer.reset();
      this.#update();
    });
  }

  #notify(): void {
    const { newest, ...state } = this.view();
    const serialised = JSON.stringify(state);
    if (serialised === this.#lastState) return;
    this.#lastState = serialised;
    this.#changes.emit();
  }
}
