import type { Frame } from '../../../src/camera/capture/model.js';
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

/** A camera program whose every step the test takes. */
class FakeProgram implements CameraProgram {
  readonly kind: 'stream' | 'still';
  readonly options: ProgramOptions;
  /** What was done to it, in order. */
  readonly done: string[] = [];
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

  send(bytes: Buffer = baseline()): void {
    this.#events?.bytes(bytes);
  }

  /** Connects and gives its first picture. */
  show(): void {
    this.connect();
    this.send();
    this.#device.endTurn();
  }

  end(code: number | string = 134, text = ''): void {
    this.#device.running -= 1;
    this.#ended({ code, text });
  }

  cut(): void {
    this.done.push('cut');
  }

  signal(name: 'SIGTERM' | 'SIGKILL'): void {
    this.done.push(name);
  }
}

/** Keeps the programs that were started, and what waits for the end of the turn. */
class FakeDevice implements CameraDevice {
  simulated = false;
  running = 0;
  /** The most programs that ever ran at once. */
  most = 0;
  /** Where the next still says that it has written. */
  stillPath = '';
  readonly programs: FakeProgram[] = [];
  #waiting: (() => void)[] = [];

  stream(options: ProgramOptions, events: StreamEvents): CameraProgram {
    return this.#start(new FakeProgram(this, options, { events, ended: (end) => events.ended(end) }));
  }

  still(options: ProgramOptions, ended: (end: ProgramEnd, path: string) => void): CameraProgram {
    return this.#start(new FakeProgram(this, options, { ended: (end) => ended(end, this.stillPath) }));
  }

  /** The program that was started last. */
  get last(): FakeProgram {
    const program = this.programs.at(-1);
    if (!program) throw new Error('no program was started');
    return program;
  }

  isClosed = false;

  async close(): Promise<void> {
    this.isClosed = true;
  }

  soon = (run: () => void): void => void this.#waiting.push(run);

  endTurn(): void {
    for (const run of this.#waiting.splice(0)) run();
  }

  #start(program: FakeProgram): FakeProgram {
    this.running += 1;
    this.most = Math.max(this.most, this.running);
    this.programs.push(program);
    return program;
  }
}

/** A camera source on a fake camera and a clock that stands still. */
export class CameraSourceHarness {
  readonly clock = new FakeClock();
  readonly log = new RecordingLog();
  readonly device = new FakeDevice();
  readonly frames: Frame[] = [];
  readonly #changed = new Signal();
  #settings: CameraSettings = defaultSettings().camera;
  readonly source = new CameraSource({
    device: this.device,
    settings: { current: () => this.#settings, onChange: (listener) => this.#changed.on(listener) },
    clock: this.clock,
    log: this.log,
    soon: this.device.soon,
  });

  constructor(settings: Partial<CameraSettings> = {}) {
    this.#settings = { ...this.#settings, ...settings };
    this.source.onFrame((frame) => this.frames.push(frame));
  }

  get phase(): string {
    return this.source.view().phase;
  }

  /** Saves other settings, as the page does. */
  change(settings: Partial<CameraSettings>): void {
    this.#settings = { ...this.#settings, ...settings };
    this.#changed.emit();
  }

  /** Lets time pass, with a turn of the event loop after it. */
  advance(ms: number): void {
    this.clock.advance(ms);
    this.device.endTurn();
  }
}
