import type { Cancel, Clock, Log } from '../ports.js';
import type { GatewayError } from '../util/errors.js';
import { Signal } from '../util/signal.js';
import type { Classified } from './classify.js';
import type { CameraDevice } from './device.js';
import type { CameraFault, CameraPhase, CameraView, Frame, PictureSource, Still } from './model.js';
import { PhotoRun } from './photo-run.js';
import { asError, disabled, stopping } from './refusals.js';
import { Retries } from './retry.js';
import type { CameraSettings } from './schema.js';
import { StreamRun } from './stream-run.js';

/** How long the camera goes on without a viewer: a page that is loaded again finds it running. */
const LINGER_MS = 10_000;
/** Somebody who tries out settings changes several: they are taken together. */
const SETTINGS_MS = 300;

export interface CameraSourceDeps {
  device: CameraDevice;
  settings: { current(): CameraSettings; onChange(listener: () => void): Cancel };
  clock: Clock;
  log: Log;
  /** Runs at the end of this turn of the event loop, when all that has arrived was read: `setImmediate`. */
  soon: (run: () => void) => void;
}

interface WaitingStill {
  resolve: (still: Still) => void;
  reject: (error: GatewayError) => void;
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
  #wants = 0;
  #linger: Cancel | undefined;
  #settling: Cancel | undefined;
  #stream: StreamRun | undefined;
  #photo: PhotoRun | undefined;
  #stills: WaitingStill[] = [];
  #frame: Frame | undefined;
  #number = 0;
  #fault: CameraFault | undefined;
  #told = '';
  #isClosed = false;
  #ended: (() => void) | undefined;

  constructor(deps: CameraSourceDeps) {
    this.#deps = deps;
    this.#retries = new Retries(deps.clock, () => this.#turn());
    this.#stopListening = deps.settings.onChange(() => this.#settingsChanged());
  }

  view(): CameraView {
    const { width, height, framerate } = this.#deps.settings.current();
    const phase = this.#phase;
    const retryAtMs = phase === 'backoff' ? this.#retries.atMs : undefined;
    return {
      phase,
      simulated: this.#deps.device.simulated,
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
    this.#wants += 1;
    this.#linger?.();
    this.#linger = undefined;
    this.#turn();
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      this.#wants -= 1;
      if (this.#wants === 0 && !this.#isClosed) this.#startLinger();
    };
  }

  still(): Promise<Still> {
    if (this.#isClosed) return Promise.reject(stopping());
    if (!this.#deps.settings.current().enabled) return Promise.reject(disabled());
    return new Promise((resolve, reject) => {
      this.#stills.push({ resolve, reject });
      this.#turn();
    });
  }

  retry(): void {
    this.#retries.forget();
    this.#turn();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopListening();
    for (const cancel of [this.#linger, this.#settling]) cancel?.();
    this.#retries.forget();
    for (const { reject } of this.#stills.splice(this.#photo ? 1 : 0)) reject(stopping());
    this.#photo?.stop();
    this.#turn();
    if (this.#stream || this.#photo) await new Promise<void>((resolve) => (this.#ended = resolve));
  }

  get #phase(): CameraPhase {
    if (this.#photo) return 'capturing';
    if (this.#stream) return this.#stream.phase;
    if (!this.#deps.settings.current().enabled) return 'disabled';
    return this.#retries.isWaiting && this.#wants > 0 ? 'backoff' : 'idle';
  }

  get #mayStream(): boolean {
    return !this.#isClosed && this.#stills.length === 0 && this.#deps.settings.current().enabled;
  }

  /** Looks at what there is and at what is wanted, and takes the one step that follows. */
  #turn(): void {
    const settings = this.#deps.settings.current();
    if (this.#stream) {
      const isWanted = this.#wants > 0 || this.#linger !== undefined;
      if (!this.#mayStream || !isWanted) this.#stream.stop();
    } else if (!this.#photo) {
      if (this.#stills.length > 0) this.#startPhoto(settings);
      else if (this.#mayStream && this.#wants > 0 && !this.#retries.isWaiting) this.#startStream(settings);
    }
    this.#tell();
    if (!this.#stream && !this.#photo) this.#ended?.();
  }

  #startStream(settings: CameraSettings): void {
    const { device, clock, soon } = this.#deps;
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

  #startPhoto(settings: CameraSettings): void {
    const { device, clock } = this.#deps;
    this.#photo = new PhotoRun({ device, settings, clock }, (result) => this.#photoEnded(result));
    this.#photo.start();
  }

  #photoEnded(result: Still | Classified): void {
    this.#photo = undefined;
    const waiting = this.#stills.shift();
    if ('path' in result) {
      this.#fault = undefined;
      this.#retries.forget();
      waiting?.resolve(result);
    } else {
      if (!this.#isClosed) this.#setFault(result);
      waiting?.reject(this.#isClosed ? stopping() : asError(result));
    }
    this.#turn();
  }

  #setFault(fault: Classified): void {
    if (fault.code !== this.#fault?.code) this.#deps.log.warn('camera.failed', { ...fault });
    this.#fault = fault;
  }

  #startLinger(): void {
    this.#linger = this.#deps.clock.after(LINGER_MS, () => {
      this.#linger = undefined;
      this.#turn();
    });
    this.#turn();
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
