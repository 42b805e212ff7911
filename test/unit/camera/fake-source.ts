import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CameraView, Frame, PictureSource, Still } from '../../../src/camera/capture/model.js';
import { drawPlaceholder } from '../../../src/camera/streaming/placeholder.js';
import type { Cancel, Clock } from '../../../src/shared/ports/ports.js';

/** A camera that does what a test says. It streams from the start, without a frame. */
export class FakeSource implements PictureSource {
  /** How many hold it at this moment, and how often it was asked for a still or to try again. */
  wanted = 0;
  stills = 0;
  retries = 0;
  /** What the next still comes to; a real file by default. */
  shoot: () => Promise<Still> = async () => this.file();
  readonly dir = mkdtempSync(join(tmpdir(), 'camera-'));
  #clock: Clock;
  #view: CameraView = {
    ...{ phase: 'streaming', simulated: false, newest: 0 },
    ...{ width: 640, height: 480, framerate: 30 },
  };
  #newest: Frame | undefined;
  #onFrame = new Set<(frame: Frame) => void>();
  #onChange = new Set<() => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A new frame, of these bytes or of its number. */
  frame(jpeg?: Buffer): Frame {
    const number = this.#view.newest + 1;
    const frame = { number, jpeg: jpeg ?? Buffer.from(`jpeg ${number}`), atMs: this.#clock.now() };
    this.#newest = frame;
    this.#view = { ...this.#view, newest: number };
    for (const listener of this.#onFrame) listener(frame);
    return frame;
  }

  become(changes: Partial<CameraView>): void {
    const { fault: _before, ...view } = this.#view;
    this.#view = { ...view, ...changes };
    for (const listener of this.#onChange) listener();
  }

  /** A still on disk, as the camera leaves it. */
  file(jpeg = drawPlaceholder(['still'], 64, 64)): Still {
    const path = join(this.dir, `still-${this.stills}.jpg.part`);
    writeFileSync(path, jpeg);
    return { path, bytes: jpeg.length };
  }

  get listeners(): number {
    return this.#onFrame.size + this.#onChange.size;
  }

  view(): CameraView {
    return this.#view;
  }

  newest(): Frame | undefined {
    return this.#newest;
  }

  onFrame(listener: (frame: Frame) => void): Cancel {
    this.#onFrame.add(listener);
    return () => void this.#onFrame.delete(listener);
  }

  onChange(listener: () => void): Cancel {
    this.#onChange.add(listener);
    return () => void this.#onChange.delete(listener);
  }

  want(): Cancel {
    this.wanted += 1;
    let isHeld = true;
    return () => {
      if (isHeld) this.wanted -= 1;
      isHeld = false;
    };
  }

  still(): Promise<Still> {
    this.stills += 1;
    return this.shoot();
  }

  retry(): void {
    this.retries += 1;
  }

  async close(): Promise<void> {}
}
