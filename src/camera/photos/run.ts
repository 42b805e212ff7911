import { open, rename, rm } from 'node:fs/promises';
import { fileErrorReason } from '../../shared/files.js';
import type { Text } from '../../shared/messages/message.js';
import type { CameraDevice, CameraProgram, ProgramEnd } from '../../shared/ports/camera.js';
import type { Cancel, Clock } from '../../shared/ports/ports.js';
import { type Classified, classify } from '../capture/classify.js';
import type { Still } from '../capture/model.js';
import { stillOptions } from '../capture/options.js';
import type { CameraSettings } from '../capture/schema.js';
import { endProgram } from '../capture/terminate.js';
import { cameraMessage } from '../messages.js';

const LIMIT_MS = 10_000;
const LEAST_BYTES = 128;

export interface PhotoRunDeps {
  device: CameraDevice;
  settings: CameraSettings;
  clock: Clock;
}

/** One photo: the camera program from its start to its end, and a look at what it has left. */
export class PhotoRun {
  readonly #deps: PhotoRunDeps;
  readonly #ended: (result: Still | Classified) => void;
  #program: CameraProgram | undefined;
  #limit: Cancel = () => undefined;
  #ending: Cancel | undefined;
  #isOverdue = false;

  /** `ended` is called once, when no process is left, with a file or with the reason why there is none. */
  constructor(deps: PhotoRunDeps, ended: (result: Still | Classified) => void) {
    this.#deps = deps;
    this.#ended = ended;
  }

  start(): void {
    const { device, settings, clock } = this.#deps;
    this.#limit = clock.after(limitMs(settings), () => {
      this.#isOverdue = true;
      this.stop();
    });
    this.#program = device.still(stillOptions(settings), (end, path) => void this.#end(end, path));
  }

  /** It has no connection that could be cut: it is told at once. */
  stop(): void {
    if (this.#ending || !this.#program) return;
    this.#limit();
    this.#ending = endProgram(this.#program, this.#deps.clock, 0);
  }

  async #end(end: ProgramEnd, path: string): Promise<void> {
    this.#limit();
    this.#ending?.();
    const isWhole = end.code === 0 && !this.#ending;
    const result = isWhole ? await keep(path) : this.#faultOf(end);
    if (path && 'code' in result) await rm(path, { force: true }).catch(() => undefined);
    this.#ended(result);
  }

  #faultOf(end: ProgramEnd): Classified {
    if (!this.#isOverdue) return classify(end);
    const text = cameraMessage('photo-overdue', { seconds: limitMs(this.#deps.settings) / 1000 });
    return classify(end, { code: 'stalled', text });
  }
}

/** The exposure is taken several times before it counts. */
function limitMs({ timeoutMs, shutterUs }: CameraSettings): number {
  return timeoutMs + (shutterUs * 8) / 1000 + LIMIT_MS;
}

/** A file that begins and ends as a JPEG does gets its own name; rpicam-still writes in place and may have broken off. */
async function keep(path: string): Promise<Still | Classified> {
  const bad = (text: Text): Classified => ({ code: 'bad-picture', text, lines: [] });
  try {
    const file = await open(path, 'r');
    const { size } = await file.stat();
    const ends = Buffer.alloc(4);
    if (size >= LEAST_BYTES) {
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
