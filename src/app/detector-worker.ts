import { parentPort } from 'node:worker_threads';
import { AprilTagDetector } from '../adapters/apriltag/apriltag.js';
import type { MeasureAnswer, MeasureRequest } from '../navigation/index.js';
import { measure } from '../navigation/pure.js';
import { GatewayError } from '../shared/errors.js';

/** Detects and measures markers for `DetectorHost`. An unexpected error ends the thread. */
const detector = new AprilTagDetector();

function answer({ jpeg, size, options }: MeasureRequest): MeasureAnswer {
  try {
    return { markers: measure(detector.detect(jpeg, size).markers, options) };
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'IMAGE_UNUSABLE') return { unusable: error.text };
    throw error;
  }
}

parentPort?.on('message', (request: MeasureRequest) => parentPort?.postMessage(answer(request)));
