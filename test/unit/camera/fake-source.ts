import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {
  CameraView,
  Image,
  ImageCounts,
  ImageSource,
  Still,
} from '../../../src/camera/capture/model.js';
import { drawPlaceholder } from '../../../src/camera/streaming/placeholder.js';
import type { Cancel, Clock } from '../../../src/shared/ports/clock.js';

/** An image source that the test controls, initially in the `streaming` phase and without an image. */
export class FakeSource implements ImageSource {
  /** Number of active `acquire` calls. The next two members count the calls to `still` and `retry`. */
  acquired = 0;
  stills = 0;
  retries = 0;
  takeStill: () => Promise<Still> = async () => this.file();
  readonly dir = mkdtempSync(join(tmpdir(), 'camera-'));
  #clock: Clock;
  #view: CameraView = {
    phase: 'streaming',
    simulated: false,
    newest: 0,
    width: 640,
    height: 480,
    framerate: 30,
  };
  #newest: Image | undefined;
  #onImage = new Set<(image: Image) => void>();
  #onChange = new Set<() => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Publishes an image; the default image contains the text `jpeg` and the image number. */
  publish(jpeg?: Buffer): Image {
    const number = this.#view.newest + 1;
    const image = { number, jpeg: jpeg ?? Buffer.from(`jpeg ${number}`), atMs: this.#clock.now() };
    this.#newest = image;
    this.#view = { ...this.#view, newest: number };
    for (const listener of this.#onImage) listener(image);
    return image;
  }

  update(changes: Partial<CameraView>): void {
    const { fault: _before, ...view } = this.#view;
    this.#view = { ...view, ...changes };
    for (const listener of this.#onChange) listener();
  }

  file(jpeg = drawPlaceholder(['still'], 64, 64)): Still {
    const path = join(this.dir, `still-${this.stills}.jpg.part`);
    writeFileSync(path, jpeg);
    return { path, bytes: jpeg.length };
  }

  get listeners(): number {
    return this.#onImage.size + this.#onChange.size;
  }

  view(): CameraView {
    return this.#view;
  }

  newest(): Image | undefined {
    return this.#newest;
  }

  counts(): ImageCounts {
    return { repeated: 0, faults: [] };
  }

  onImage(listener: (image: Image) => void): Cancel {
    this.#onImage.add(listener);
    return () => void this.#onImage.delete(listener);
  }

  onChange(listener: () => void): Cancel {
    this.#onChange.add(listener);
    return () => void this.#onChange.delete(listener);
  }

  acquire(): Cancel {
    this.acquired += 1;
    let isAcquired = true;
    return () => {
      if (isAcquired) this.acquired -= 1;
      isAcquired = false;
    };
  }

  still(): Promise<Still> {
    this.stills += 1;
    return this.takeStill();
  }

  retry(): void {
    this.retries += 1;
  }

  async close(): Promise<void> {}
}
