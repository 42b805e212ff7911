import { withFault } from '../../../src/adapters/libcamera/program-fault.js';
import type { Image } from '../../../src/camera/capture/model.js';
import type { CameraSettings } from '../../../src/camera/capture/schema.js';
import { CameraSource } from '../../../src/camera/capture/source.js';
import { defaultSettings } from '../../../src/settings/schema/schema.js';
import type {
  CameraDevice,
  CameraProgram,
  ProgramEnd,
  ProgramOptions,
  StreamEvents,
} from '../../../src/shared/ports/camera.js';
import { Signal } from '../../../src/shared/signal.js';
import { FakeClock } from '../../helpers/fake-clock.js';
import { RecordingLog } from '../../helpers/recording-log.js';
import { baseline } from './jpeg-samples.js';

class FakeProgram implements CameraProgram {
  readonly kind: 'stream' | 'still';
  readonly options: ProgramOptions;
  /** Calls to `cut` and `signal`, in order. */
  readonly calls: string[] = [];
  readonly #device: FakeDevice;
  readonly #events: StreamEvents | undefined;
  readonly #ended: (end: ProgramEnd) => void;

  constructor(
    device: FakeDevice,
    options: ProgramOptions,
    how: { events?: StreamEvents; ended: (end: ProgramEnd) => void },
  ) {
    this.kind = how.events ? 'stream' : 'still';
    this.options = options;
    this.#device = device;
    this.#events = how.events;
    this.#ended = how.ended;
  }

  connect(): void {
    this.#events?.connected();
  }

  /** Sends a new image by default. */
  send(bytes: Buffer = baseline(this.#device.nextImage())): void {
    this.#events?.bytes(bytes);
  }

  start(): void {
    this.connect();
    this.send();
    this.#device.endTurn();
  }

  end(code: number | string = 134, text = ''): void {
    this.#device.running -= 1;
    this.#ended(withFault({ code, text }));
  }

  cut(): void {
    this.calls.push('cut');
  }

  signal(name: 'SIGTERM' | 'SIGKILL'): void {
    this.calls.push(name);
  }
}

/** A camera device that records the started programs and defers callbacks until `endTurn` is called. */
class FakeDevice implements CameraDevice {
  simulated = false;
  running = 0;
  /** Highest number of programs that ran at the same time. */
  maxRunning = 0;
  /** File path reported by the next camera program that takes a photo. */
  stillPath = '';
  readonly programs: FakeProgram[] = [];
  #deferred: (() => void)[] = [];
  #images = 1000;

  nextImage(): number {
    this.#images += 1;
    return this.#images;
  }

  stream(options: ProgramOptions, events: StreamEvents): CameraProgram {
    return this.#start(new FakeProgram(this, options, { events, ended: (end) => events.ended(end) }));
  }

  still(options: ProgramOptions, ended: (end: ProgramEnd, path: string) => void): CameraProgram {
    return this.#start(new FakeProgram(this, options, { ended: (end) => ended(end, this.stillPath) }));
  }

  get last(): FakeProgram {
    const program = this.programs.at(-1);
    if (!program) throw new Error('no program was started');
    return program;
  }

  isClosed = false;

  async close(): Promise<void> {
    this.isClosed = true;
  }

  soon = (run: () => void): void => void this.#deferred.push(run);

  endTurn(): void {
    for (const run of this.#deferred.splice(0)) run();
  }

  #start(program: FakeProgram): FakeProgram {
    this.running += 1;
    this.maxRunning = Math.max(this.maxRunning, this.running);
    this.programs.push(program);
    return program;
  }
}

export class CameraSourceHarness {
  readonly clock = new FakeClock();
  readonly log = new RecordingLog();
  readonly device = new FakeDevice();
  readonly images: Image[] = [];
  isMoving = false;
  readonly #changed = new Signal();
  #settings: CameraSettings = { ...defaultSettings().camera, width: 160, height: 120 };
  readonly source = new CameraSource({
    device: this.device,
    settings: { current: () => this.#settings, onChange: (listener) => this.#changed.on(listener) },
    isMoving: () => this.isMoving,
    clock: this.clock,
    log: this.log,
    soon: this.device.soon,
  });

  constructor(settings: Partial<CameraSettings> = {}) {
    this.#settings = { ...this.#settings, ...settings };
    this.source.onImage((image) => this.images.push(image));
  }

  get phase(): string {
    return this.source.view().phase;
  }

  /** Changes settings as if they had been saved on the settings page. */
  change(settings: Partial<CameraSettings>): void {
    this.#settings = { ...this.#settings, ...settings };
    this.#changed.emit();
  }

  /** Advances the clock, then runs the deferred callbacks. */
  advance(ms: number): void {
    this.clock.advance(ms);
    this.device.endTurn();
  }
}
