import { GatewayError } from '../../shared/errors.js';
import { type Text, textOf } from '../../shared/messages/message.js';
import { sharedMessage } from '../../shared/messages/messages.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Detection, DetectorService } from '../markers/detector-service.js';
import { calibrationMessage } from './messages.js';

/** The corners do not depend on the size, but the detector reports only markers with a size. */
const ANY_SIZE_MM = 100;

export interface CameraCondition {
  phase: string;
  fault?: { text: Text; hint?: Text };
}

export interface CaptureDeps {
  detector: Pick<DetectorService, 'acquire' | 'look' | 'onDetection' | 'state'>;
  camera: () => CameraCondition;
  clock: Clock;
}

/** Runs the detector for all markers, including those that are not registered. */
export class Capture {
  readonly #deps: CaptureDeps;
  #abort: (() => void) | undefined;

  constructor(deps: CaptureDeps) {
    this.#deps = deps;
  }

  get isCameraOn(): boolean {
    return this.#deps.camera().phase !== 'disabled';
  }

  /**
   * Passes the markers in new images to `take` until it returns a value. Resolves with undefined at the time limit.
   * Rejects with `CAMERA_NO_IMAGE` if there was no image, or with the error that `take` throws.
   */
  until<T>(limitMs: number, take: (detection: Detection) => T | undefined): Promise<T | undefined> {
    const { detector, clock } = this.#deps;
    if (!this.isCameraOn) return Promise.reject(this.#cameraError(limitMs));
    const startMs = clock.now();
    const cancels: Cancel[] = [];
    let images = 0;
    const found = new Promise<T | undefined>((resolve, reject) => {
      const stop = detector.onDetection((detection) => {
        if (detection.atMs < startMs) return;
        images += 1;
        try {
          const value = take(detection);
          if (value !== undefined) resolve(value);
        } catch (error) {
          reject(error);
        }
      });
      const late = clock.after(limitMs, () =>
        images > 0 ? resolve(undefined) : reject(this.#cameraError(limitMs)),
      );
      this.#abort = () => reject(new GatewayError('STOPPING', sharedMessage('stopping')));
      cancels.push(stop, late, detector.acquire('approach', ANY_SIZE_MM));
    });
    return found.finally(() => {
      this.#abort = undefined;
      for (const cancel of cancels) cancel();
    });
  }

  /** Returns the markers in the newest image; undefined if there is no image yet. Keeps the detector running. */
  look(): Detection | undefined {
    return this.#deps.detector.look(ANY_SIZE_MM);
  }

  /** Returns why there is no image; empty if the reason is unknown. */
  fault(): Text {
    const { phase, fault } = this.#deps.camera();
    if (phase === 'disabled') return calibrationMessage('camera-off');
    return fault?.text ?? this.#deps.detector.state().fault;
  }

  close(): void {
    this.#abort?.();
  }

  #cameraError(limitMs: number): GatewayError {
    if (!this.isCameraOn)
      return new GatewayError('CAMERA_NO_IMAGE', calibrationMessage('camera-off'), {
        hint: calibrationMessage('camera-off-hint'),
      });
    const reason = this.fault();
    const message =
      textOf(reason) === ''
        ? calibrationMessage('no-image', { seconds: limitMs / 1000 })
        : calibrationMessage('no-image-reason', { reason });
    const hint = this.#deps.camera().fault?.hint ?? calibrationMessage('no-image-hint');
    return new GatewayError('CAMERA_NO_IMAGE', message, { hint });
  }
}
