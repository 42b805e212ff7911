import type { CameraDevice } from '../../shared/ports/camera.js';
import type { Cancel, Clock, Log } from '../../shared/ports/ports.js';
import { Signal } from '../../shared/signal.js';
import { PhotoQueue } from '../photos/queue.js';
import { disabled, stopping } from '../photos/refusals.js';
import { StreamRun } from '../streaming/stream-run.js';
import { ViewerCount } from '../streaming/viewer-count.js';
import type { Classified } from './classify.js';
import type { CameraFault, CameraPhase, CameraView, Frame, PictureSource, Still } from './model.js';
import { Retries } from './retry.js';
import type { CameraSettings } from './schema.js';

/** How long the camera goes on without a viewer: a page that is loaded again finds it running. */
const LINGER_MS = 10_000;
/** Somebody who tries out settings changes several: they are taken together. */
const SETTINGS_MS = 300;

interface CameraSourceDeps {
  device: CameraDevice;
  settings: { current(): CameraSettings; onChange(listener: () => void): Cancel };
  clock: Clock;
  log: Log;
  /** Runs at the end of this turn of the event loop, when all that has arrived was read: `setImmediate`. */
  soon: (run: () => void) => void;
}

/**
 * The one camera: at most one program runs, and only one that somebody wants. Every change of what is wanted and every
 * end of a program leads to `#turn`, which alone decides what comes next.
 */
export class CameraSource implements PictureSource {
  readonly #deps: CameraSourceDeps;
  readonly #changes = new Signal();
  readonly #frames = new Signal<[Frame]>();
  readonly #stopListening: Cancel;
  readonly #retries: Retries;
  readonly #viewers: ViewerCount;
  readonly #photos: PhotoQueue;
  #isWanted = false;
  #settling: Cancel | undefined;
  #stream: StreamRun | undefined;
  #frame: Frame | undefined;
  #number = 0;
  #fault: CameraFault | undefined;
  #told = '';
  #isClosed = false;
  #closing: Promise<void> | undefined;
  #ended: (() => void) | undefined;

  constructor(deps: CameraSourceDeps) {
    this.#deps = deps;
    this.#retries = new Retries(deps.clock, () => this.#turn());
    this.#viewers = new ViewerCount(() => this.#setWanted(true), { clock: deps.clock, lingerMs: LINGER_MS });
    this.#photos = new PhotoQueue(deps, (fault) => this.#photoEnded(fault));
    this.#stopListening = deps.settings.onChange(() => this.#settingsChanged());
  }

  view(): CameraView {
    const { width, height, framerate } = this.#deps.settings.current();
    const phase = this.#phase;
    const retryAtMs = phase === 'backoff' ? this.#retries.atMs : undefined;
    return {
      phase,
      simulated: this.#stream?.simulated ?? this.#deps.device.simulated,
      ...(this.#fault ? { fault: this.#fault } : {}),
      ...{ width, height, framerate },
      newest: this.#number,
      ...(retryAtMs === undefined ? {} : { retryAtMs }),
    };
  }

  onChange(listener: () => void): Cancel {
    return this.#changes.on(listener);
  }

  onFrame(listener: (frame: Frame) => void): Cancel {
    return this.#frames.on(listener);
  }

  newest(): Frame | undefined {
    return this.#frame;
  }

  want(): Cancel {
    return this.#isClosed ? () => undefined : this.#viewers.hold();
  }

  still(): Promise<Still> {
    if (this.#isClosed) return Promise.reject(stopping());
    if (!this.#deps.settings.current().enabled) return Promise.reject(disabled());
    const still = this.#photos.add();
    this.#turn();
    return still;
  }

  retry(): void {
    this.#retries.forget();
    this.#turn();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#isClosed = true;
    this.#stopListening();
    this.#settling?.();
    this.#retries.forget();
    this.#photos.close();
    this.#viewers.close();
    this.#turn();
    if (!this.#isFree) await new Promise<void>((resolve) => (this.#ended = resolve));
    await this.#deps.device.close();
  }

  get #phase(): CameraPhase {
    if (this.#photos.isRunning) return 'capturing';
    if (this.#stream) return this.#stream.phase;
    if (!this.#deps.settings.current().enabled) return 'disabled';
    return this.#retries.isWaiting && this.#isWanted ? 'backoff' : 'idle';
  }

  get #isFree(): boolean {
    return !this.#stream && !this.#photos.isRunning;
  }

  get #shouldStream(): boolean {
    const { enabled } = this.#deps.settings.current();
    return this.#isWanted && enabled && !this.#isClosed && !this.#photos.isWaiting;
  }

  /** Looks at what there is and at what is wanted, and takes the one step that follows. */
  #turn(): void {
    if (this.#stream && !this.#shouldStream) this.#stream.stop();
    if (this.#isFree) {
      if (this.#photos.isWaiting) this.#photos.start(this.#deps.settings.current());
      else if (this.#shouldStream && !this.#retries.isWaiting) this.#startStream();
    }
    this.#tell();
    if (this.#isFree) this.#ended?.();
  }

  #setWanted(isWanted: boolean): Cancel {
    this.#isWanted = isWanted;
    this.#turn();
    return () => void this.#setWanted(false);
  }

  #startStream(): void {
    const { device, clock, soon } = this.#deps;
    const settings = this.#deps.settings.current();
    const run = new StreamRun(
      { device, settings, clock, soon },
      { image: (jpeg, atMs) => this.#show(jpeg, atMs), ended: (fault) => this.#streamEnded(run, fault) },
    );
    this.#stream = run;
    run.start();
  }

  #show(jpeg: Buffer, atMs: number): void {
    const isFirst = this.#frame === undefined;
    this.#number += 1;
    this.#frame = { number: this.#number, jpeg, atMs };
    if (isFirst) {
      this.#fault = undefined;
      this.#deps.log.info('camera.streaming', { simulated: this.#deps.device.simulated });
      this.#tell();
    }
    this.#frames.emit(this.#frame);
  }

  #streamEnded(run: StreamRun, fault: Classified | undefined): void {
    this.#stream = undefined;
    this.#frame = undefined;
    if (fault) {
      this.#setFault(fault);
      const streamedMs = run.firstMs === undefined ? 0 : this.#deps.clock.now() - run.firstMs;
      if (!this.#isClosed) this.#retries.failed(fault.code, streamedMs);
    }
    this.#turn();
  }

  #photoEnded(fault: Classified | undefined): void {
    if (fault) this.#setFault(fault);
    else {
      this.#fault = undefined;
      this.#retries.forget();
    }
    this.#turn();
  }

  #setFault(fault: Classified): void {
    if (fault.code !== this.#fault?.code) this.#deps.log.warn('camera.failed', { ...fault });
    this.#fault = fault;
  }

  /** The programs read their options once: other options are another run. */
  #settingsChanged(): void {
    this.#settling?.();
    this.#settling = this.#deps.clock.after(SETTINGS_MS, () => {
      this.#settling = undefined;
      if (this.#stream && !this.#stream.fits(this.#deps.settings.current())) this.#stream.stop();
      this.#retries.forget();
      this.#turn();
    });
  }

  #tell(): void {
    const { newest, ...state } = this.view();
    const now = JSON.stringify(state);
    if (now === this.#told) return;
    this.#told = now;
    this.#changes.emit();
  }
}
