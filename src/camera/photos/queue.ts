import type { GatewayError } from '../../shared/errors.js';
import type { Classified } from '../capture/classify.js';
import type { Still } from '../capture/model.js';
import type { CameraSettings } from '../capture/schema.js';
import { asError, stopping } from './refusals.js';
import { PhotoRun, type PhotoRunDeps } from './run.js';

interface Waiting {
  resolve: (still: Still) => void;
  reject: (error: GatewayError) => void;
}

/** Who waits for a photo, in the order in which they came; the first one's may be under way. */
export class PhotoQueue {
  readonly #deps: Omit<PhotoRunDeps, 'settings'>;
  readonly #ended: (fault: Classified | undefined) => void;
  #waiting: Waiting[] = [];
  #run: PhotoRun | undefined;
  #isClosed = false;

  /** `ended` is called after each photo, when no process is left, with the reason when there is none. */
  constructor(deps: Omit<PhotoRunDeps, 'settings'>, ended: (fault: Classified | undefined) => void) {
    this.#deps = deps;
    this.#ended = ended;
  }

  get isWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  get isRunning(): boolean {
    return this.#run !== undefined;
  }

  add(): Promise<Still> {
    return new Promise((resolve, reject) => void this.#waiting.push({ resolve, reject }));
  }

  /** Takes the first one's photo: when the camera is free. */
  start(settings: CameraSettings): void {
    this.#run = new PhotoRun({ ...this.#deps, settings }, (result) => this.#end(result));
    this.#run.start();
  }

  /** Ends the photo under way and refuses those that wait. */
  close(): void {
    this.#isClosed = true;
    for (const { reject } of this.#waiting.splice(this.#run ? 1 : 0)) reject(stopping());
    this.#run?.stop();
  }

  #end(result: Still | Classified): void {
    this.#run = undefined;
    const first = this.#waiting.shift();
    const isTaken = 'path' in result;
    if (isTaken) first?.resolve(result);
    else first?.reject(this.#isClosed ? stopping() : asError(result));
    this.#ended(isTaken || this.#isClosed ? undefined : result);
  }
}
