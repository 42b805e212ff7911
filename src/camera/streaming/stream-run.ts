import { isDeepStrictEqual } from 'node:util';
import type { Text } from '../../shared/messages/message.js';
import type { CameraDevice, CameraProgram, ProgramEnd } from '../../shared/ports/camera.js';
import type { Cancel, Clock } from '../../shared/ports/ports.js';
import { type Classified, classify } from '../capture/classify.js';
import { streamOptions, streamShutterUs } from '../capture/options.js';
import type { CameraSettings } from '../capture/schema.js';
import { endProgram } from '../capture/terminate.js';
import { cameraMessage } from '../messages.js';
import { JpegSplitter } from './splitter.js';

const CONNECT_MS = 4000;
const LEAST_STALL_MS = 3000;

interface StreamRunDeps {
  device: CameraDevice;
  settings: CameraSettings;
  clock: Clock;
  /** Runs at the end of this turn of the event loop, when all that has arrived was read. */
  soon: (run: () => void) => void;
}

interface StreamRunEvents {
  /** The newest image of each turn of the event loop. */
  image(jpeg: Buffer, atMs: number): void;
  /** Once, when no process is left; the fault is missing when it ended because it was told to. */
  ended(fault: Classified | undefined): void;
}

type Failure = Omit<Classified, 'lines'>;

/** One life of the streaming camera program, from its start to its end, with its limits. */
export class StreamRun {
  readonly #deps: StreamRunDeps;
  readonly simulated: boolean;
  readonly #events: StreamRunEvents;
  readonly #splitter = new JpegSplitter((jpeg) => this.#take(jpeg));
  #program: CameraProgram | undefined;
  #limit: Cancel = () => undefined;
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
    this.#allow(CONNECT_MS, 'the camera program does not start');
    this.#program = device.stream(streamOptions(settings), {
      connected: () => this.#connected(),
      bytes: (chunk) => this.#read(chunk),
      ended: (end) => this.#end(end),
    });
  }

  /** `Clock.now()` of the first image: a connection alone is no picture. */
  get firstMs(): number | undefined {
    return this.#firstMs;
  }

  get phase(): 'starting' | 'streaming' | 'stopping' {
    if (this.#ending) return 'stopping';
    return this.#firstMs === undefined ? 'starting' : 'streaming';
  }

  /** Whether a run that began now would give the same pictures. */
  fits(settings: CameraSettings): boolean {
    const { device, settings: own } = this.#deps;
    return (
      this.simulated === device.simulated && isDeepStrictEqual(streamOptions(settings), streamOptions(own))
    );
  }

  stop(): void {
    if (this.#ending || !this.#program) return;
    this.#limit();
    this.#ending = endProgram(this.#program, this.#deps.clock);
  }

  #connected(): void {
    this.#progress += 1;
    const { timeoutMs } = this.#deps.settings;
    this.#allow(timeoutMs, `the camera shows nothing for ${timeoutMs / 1000} s`);
  }

  #read(chunk: Buffer): void {
    if (this.#ending) return;
    this.#splitter.push(chunk);
    if (this.#splitter.isJpeg) return;
    const hint = cameraMessage('codec-hint');
    this.#fail({ code: 'not-jpeg', text: cameraMessage('not-jpeg'), hint });
  }

  #take(jpeg: Buffer): void {
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
    this.#allow(stallMs(this.#deps.settings), cameraMessage('stalled'));
    this.#events.image(newest.jpeg, newest.atMs);
  }

  /** Fails when nothing happens for so long; the limit before it is over. */
  #allow(ms: number, text: Text): void {
    this.#limit();
    if (this.#ending || this.#hasEnded) return;
    this.#limit = this.#deps.clock.after(ms, () => {
      // After a pause of the whole process its timers come first: what has arrived meanwhile is still to be read.
      const before = this.#progress;
      this.#deps.soon(() => {
        if (this.#progress === before) this.#fail({ code: 'stalled', text, hint: STALL_HINT });
      });
    });
  }

  #fail(failure: Failure): void {
    if (this.#ending || this.#hasEnded) return;
    this.#failure = failure;
    this.stop();
  }

  #end(end: ProgramEnd): void {
    this.#limit();
    this.#ending?.();
    this.#hasEnded = true;
    const wasTold = this.#ending !== undefined && this.#failure === undefined;
    this.#events.ended(wasTold ? undefined : classify(end, this.#failure));
  }
}

const STALL_HINT = 'It is started again by itself. When this comes back, look at the ribbon cable.';

/** How long a stream may be silent, ms. */
function stallMs(settings: CameraSettings): number {
  const shutterMs = streamShutterUs(settings) / 1000;
  return Math.max(LEAST_STALL_MS, 4000 / settings.framerate, 3 * shutterMs);
}
