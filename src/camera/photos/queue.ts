import type { GatewayError } from '../../shared/errors.js';
import type { Classified } from '../capture/classify-fault.js';
import type { Still } from '../capture/model.js';
import type { CameraSettings } from '../capture/schema.js';
import { photoError, stoppingError } from './errors.js';
import { PhotoRun, type PhotoRunDeps } from './run.js';

interface Waiting {
  resolve: (still: Still) => void;
  reject: (error: GatewayError) => void;
}

/** Photo requests, including the request whose photo is being taken. */
export class PhotoQueue {
  readonly #deps: Omit<PhotoRunDeps, 'settings'>;
  readonly #ended: (fault: Classified | undefined) => void;
  #waiting: Waiting[] = [];
  #run: PhotoRun | undefined;
  #isClosed = false;

  /** @param ended called when a photo's processes have exited; receives the fault if the photo failed. */
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

  /** Takes the first request's photo. The camera must not be in use. */
  start(settings: CameraSettings): void {
    this.#run = new PhotoRun({ ...this.#deps, settings }, (result) => this.#end(result));
    this.#run.start();
  }

  close(): void {
    this.#isClosed = true;
    for (const { reject } of this.#waiting.splice(this.#run ? 1 : 0)) reject(stoppingError());
    this.#run?.stop();
  }

  #end(result: Still | Classified): void {
    this.#run = undefined;
    const first = this.#waiting.shift();
    const isTaken = 'path' in result;
    if (isTaken) first?.resolve(result);
    else first?.reject(this.#isClosed ? stoppingError() : photoError(result));
    this.#ended(isTaken || this.#isClosed ? undefined : result);
  }
}
