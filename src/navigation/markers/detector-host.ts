import { Worker } from 'node:worker_threads';
import { GatewayError } from '../../shared/errors.js';
import { revived, type Text } from '../../shared/messages/message.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { ImageSize } from '../../shared/ports/marker-detector.js';
import { navigationMessage } from '../messages.js';
import type { MeasureOptions } from './measure.js';
import type { MeasuredMarker } from './model.js';

export interface MeasureRequest {
  jpeg: Uint8Array;
  /** The size that the image must have; by default, any size is accepted. */
  size?: ImageSize;
  options: MeasureOptions;
}

export type MeasureAnswer = { markers: MeasuredMarker[] } | { unusable: Text };

/** Limits for the JavaScript heap and stack. WebAssembly has a separate limit of 128 MB; see build.sh. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 48, maxYoungGenerationSizeMb: 8, stackSizeMb: 4 };
/** Includes the thread's startup time. */
const FIRST_LIMIT_MS = 10_000;
const LIMIT_MS = 2000;

interface DetectorHostOptions {
  /** URL of `app/detector-worker.js`. */
  script: URL;
  clock: Clock;
  /** Time limit for each image after the first. */
  limitMs?: number;
}

interface Pending {
  resolve(markers: MeasuredMarker[]): void;
  reject(error: GatewayError): void;
  cancel: Cancel;
}

/** Runs the detector worker, which detects and measures the markers of one image at a time. */
export class DetectorHost {
  readonly #options: DetectorHostOptions;
  readonly #worker: Worker;
  #pending: Pending | undefined;
  #ended: GatewayError | undefined;
  #isFirst = true;

  constructor(options: DetectorHostOptions) {
    this.#options = options;
    this.#worker = new Worker(options.script, { resourceLimits: RESOURCE_LIMITS });
    this.#worker.on('message', (answer: MeasureAnswer) => this.#answered(answer));
    this.#worker.on('error', (error: Error) =>
      this.#end(navigationMessage('detector.crashed', { reason: error.message })),
    );
    this.#worker.on('exit', () => this.#end(navigationMessage('detector.ended')));
  }

  /**
   * Copies the image. Rejects with `IMAGE_UNUSABLE` if the image is damaged, not supported or has the wrong size, and
   * with `DETECTOR_FAILED` if the thread has ended; this object can then no longer be used.
   */
  measure({ jpeg, ...request }: MeasureRequest): Promise<MeasuredMarker[]> {
    return new Promise((resolve, reject) => {
      if (this.#ended) return reject(this.#ended);
      const { clock, limitMs = LIMIT_MS } = this.#options;
      const timeLimitMs = this.#isFirst ? Math.max(FIRST_LIMIT_MS, limitMs) : limitMs;
      this.#isFirst = false;
      const cancel = clock.after(timeLimitMs, () =>
        this.#end(navigationMessage('detector.timeout', { ms: timeLimitMs })),
      );
      this.#pending = { resolve, reject, cancel };
      // A transfer would detach the original bytes, which are also sent to the viewers.
      const copy = Uint8Array.from(jpeg);
      this.#worker.postMessage({ jpeg: copy, ...request }, [copy.buffer]);
    });
  }

  /** Ends the thread immediately. Pending requests are rejected. */
  close(): void {
    this.#end(navigationMessage('detector.ended'));
  }

  #answered(answer: MeasureAnswer): void {
    const pending = this.#take();
    if (!pending) return;
    if ('markers' in answer) pending.resolve(answer.markers);
    else pending.reject(new GatewayError('IMAGE_UNUSABLE', revived(answer.unusable)));
  }

  #end(reason: Text): void {
    if (this.#ended) return;
    this.#ended = new GatewayError('DETECTOR_FAILED', reason);
    // `terminate` also interrupts an endless loop.
    void this.#worker.terminate();
    this.#take()?.reject(this.#ended);
  }

  #take(): Pending | undefined {
    const pending = this.#pending;
    this.#pending = undefined;
    pending?.cancel();
    return pending;
  }
}
