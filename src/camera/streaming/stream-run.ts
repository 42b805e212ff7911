import { isDeepStrictEqual } from 'node:util';
import type { Text } from '../../shared/messages/message.js';
import type { CameraDevice, CameraProgram, ProgramEnd } from '../../shared/ports/camera.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import { type Classified, classify } from '../capture/classify-fault.js';
import { streamOptions, streamShutterUs } from '../capture/options.js';
import type { CameraSettings } from '../capture/schema.js';
import { terminate } from '../capture/terminate.js';
import { cameraMessage } from '../messages.js';
import { JpegSplitter } from './splitter.js';

const CONNECT_TIMEOUT_MS = 4000;
const MIN_STALL_MS = 3000;

interface StreamRunDeps {
  device: CameraDevice;
  settings: CameraSettings;
  clock: Clock;
  /** Calls `run` after the data of this event-loop iteration has been read; normally `setImmediate`. */
  soon: (run: () => void) => void;
}

interface StreamRunEvents {
  /** Called once per event-loop iteration, with the latest image. */
  image(jpeg: Buffer, atMs: number): void;
  /** Called once, when all processes have exited. After `stop`, `fault` is undefined. */
  ended(fault: Classified | undefined): void;
}

type Failure = Omit<Classified, 'lines'>;

export class StreamRun {
  readonly #deps: StreamRunDeps;
  readonly simulated: boolean;
  readonly #events: StreamRunEvents;
  readonly #splitter = new JpegSplitter((jpeg) => this.#enqueue(jpeg));
  #program: CameraProgram | undefined;
  #cancelTimeout: Cancel = () => undefined;
  #ending: Cancel | undefined;
  #failure: Failure | undefined;
  #waiting: { jpeg: Buffer; atMs: number } | undefined;
  #firstMs: number | undefined;
  #progress = 0;
  #hasEnded = false;

  constructor(deps: StreamRunDeps, events: StreamRunEvents) {
    this.#deps = deps;
    this.#events = events;
    this.simulated = deps.device.simulated;
  }

  start(): void {
    const { device, settings } = this.#deps;
    this.#setTimeout(
      CONNECT_TIMEOUT_MS,
      cameraMessage('not-started', { seconds: CONNECT_TIMEOUT_MS / 1000 }),
    );
    this.#program = device.stream(streamOptions(settings), {
      connected: () => this.#connected(),
      bytes: (chunk) => this.#read(chunk),
      ended: (end) => this.#end(end),
    });
  }

  /** `Clock.now()` at the first image; undefined before the first image. */
  get firstMs(): number | undefined {
    return this.#firstMs;
  }

  get phase(): 'starting' | 'streaming' | 'stopping' {
    if (this.#ending) return 'stopping';
    return this.#firstMs === undefined ? 'starting' : 'streaming';
  }

  /** Returns true if the program need not be restarted for these settings. */
  matches(settings: CameraSettings): boolean {
    const { device, settings: current } = this.#deps;
    return (
      this.simulated === device.simulated &&
      isDeepStrictEqual(streamOptions(settings), streamOptions(current))
    );
  }

  stop(): void {
    if (this.#ending || !this.#program) return;
    this.#cancelTimeout();
    this.#ending = terminate(this.#program, this.#deps.clock);
  }

  #connected(): void {
    this.#progress += 1;
    const { timeoutMs } = this.#deps.settings;
    this.#setTimeout(timeoutMs, cameraMessage('no-image', { seconds: timeoutMs / 1000 }));
  }

  #read(chunk: Buffer): void {
    if (this.#ending) return;
    this.#splitter.push(chunk);
    if (this.#splitter.isJpeg) return;
    const hint = cameraMessage('codec-hint');
    this.#fail({ code: 'not-jpeg', text: cameraMessage('not-jpeg'), hint });
  }

  #enqueue(jpeg: Buffer): void {
    this.#progress += 1;
    const { clock, soon } = this.#deps;
    const isScheduled = this.#waiting !== undefined;
    this.#waiting = { jpeg, atMs: clock.now() };
    if (!isScheduled) soon(() => this.#publish());
  }

  #publish(): void {
    const newest = this.#waiting;
    this.#waiting = undefined;
    if (!newest || this.#ending || this.#hasEnded) return;
    this.#firstMs ??= newest.atMs;
    this.#setTimeout(stallMs(this.#deps.settings), cameraMessage('stalled'));
    this.#events.image(newest.jpeg, newest.atMs);
  }

  /** Fails the stream if there is no progress within `ms`; replaces the previous timeout. */
  #setTimeout(ms: number, text: Text): void {
    this.#cancelTimeout();
    if (this.#ending || this.#hasEnded) return;
    this.#cancelTimeout = this.#deps.clock.after(ms, () => {
      // After a system suspend, timers run before data is read, so progress is checked after reading.
      const before = this.#progress;
      this.#deps.soon(() => {
        if (this.#progress === before)
          this.#fail({ code: 'stalled', text, hint: cameraMessage('no-image-hint') });
      });
    });
  }

  #fail(failure: Failure): void {
    if (this.#ending || this.#hasEnded) return;
    this.#failure = failure;
    this.stop();
  }

  #end(end: ProgramEnd): void {
    this.#cancelTimeout();
    this.#ending?.();
    this.#hasEnded = true;
    const wasStopped = this.#ending !== undefined && this.#failure === undefined;
    this.#events.ended(wasStopped ? undefined : classify(end, this.#failure));
  }
}

function stallMs(settings: CameraSettings): number {
  const shutterMs = streamShutterUs(settings) / 1000;
  return Math.max(MIN_STALL_MS, 4000 / settings.framerate, 3 * shutterMs);
}
