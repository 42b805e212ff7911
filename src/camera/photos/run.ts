import { open, rename, rm } from 'node:fs/promises';
import { fileErrorReason } from '../../shared/files.js';
import type { Text } from '../../shared/messages/message.js';
import type { CameraDevice, CameraProgram, ProgramEnd } from '../../shared/ports/camera.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import { type Classified, classify } from '../capture/classify-fault.js';
import type { Still } from '../capture/model.js';
import { stillOptions } from '../capture/options.js';
import type { CameraSettings } from '../capture/schema.js';
import { terminate } from '../capture/terminate.js';
import { cameraMessage } from '../messages.js';

const MARGIN_MS = 10_000;
const MIN_BYTES = 128;

export interface PhotoRunDeps {
  device: CameraDevice;
  settings: CameraSettings;
  clock: Clock;
}

export class PhotoRun {
  readonly #deps: PhotoRunDeps;
  readonly #ended: (result: Still | Classified) => void;
  #program: CameraProgram | undefined;
  #cancelTimeout: Cancel = () => undefined;
  #ending: Cancel | undefined;
  #hasTimedOut = false;

  /** @param ended called once, when all processes have exited; receives the file or the fault. */
  constructor(deps: PhotoRunDeps, ended: (result: Still | Classified) => void) {
    this.#deps = deps;
    this.#ended = ended;
  }

  start(): void {
    const { device, settings, clock } = this.#deps;
    this.#cancelTimeout = clock.after(timeoutMsOf(settings), () => {
      this.#hasTimedOut = true;
      this.stop();
    });
    this.#program = device.still(stillOptions(settings), (end, path) => void this.#end(end, path));
  }

  /** A photo program has no connection to reset, so the gateway sends SIGTERM immediately. */
  stop(): void {
    if (this.#ending || !this.#program) return;
    this.#cancelTimeout();
    this.#ending = terminate(this.#program, this.#deps.clock, 0);
  }

  async #end(end: ProgramEnd, path: string): Promise<void> {
    this.#cancelTimeout();
    this.#ending?.();
    const isComplete = end.code === 0 && !this.#ending;
    const result = isComplete ? await validate(path) : this.#faultOf(end);
    if (path && 'code' in result) await rm(path, { force: true }).catch(() => undefined);
    this.#ended(result);
  }

  #faultOf(end: ProgramEnd): Classified {
    if (!this.#hasTimedOut) return classify(end);
    const text = cameraMessage('photo-overdue', { seconds: timeoutMsOf(this.#deps.settings) / 1000 });
    return classify(end, { code: 'stalled', text });
  }
}

/** Adds eight exposure times to the timeout, because the program exposes several images before the photo. */
function timeoutMsOf({ timeoutMs, shutterUs }: CameraSettings): number {
  return timeoutMs + (shutterUs * 8) / 1000 + MARGIN_MS;
}

/** Detects incomplete files from rpicam-still; removes `.part` from the name of a complete file. */
async function validate(path: string): Promise<Still | Classified> {
  const bad = (text: Text): Classified => ({ code: 'bad-picture', text, lines: [] });
  try {
    const file = await open(path, 'r');
    const { size } = await file.stat();
    const ends = Buffer.alloc(4);
    if (size >= MIN_BYTES) {
      await file.read(ends, 0, 2, 0);
      await file.read(ends, 2, 2, size - 2);
    }
    await file.close();
    if (ends.toString('hex') !== 'ffd8ffd9') return bad(cameraMessage('photo-incomplete'));
    const name = path.replace(/\.part$/, '');
    await rename(path, name);
    return { path: name, bytes: size };
  } catch (error) {
    return bad(cameraMessage('photo-unreadable', { reason: fileErrorReason(error) }));
  }
}
