import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { GatewayError } from '../../shared/errors.js';
import type { Message } from '../../shared/messages/message.js';
import { moduleUrl } from '../../shared/package-root.js';
import type {
  DetectedMarker,
  DetectedMarkers,
  ImageSize,
  MarkerDetector,
  Point,
} from '../../shared/ports/marker-detector.js';
import { detectorMessage } from './messages.js';

/** Maximum number of corrected bits per marker; correcting more bits causes false detections. */
const MAX_HAMMING = 1;
/** Values per marker: ID, number of corrected bits, decision margin, and the coordinates of four corners. */
const FIELDS = 11;
/**
 * Subtracted from AprilTag's coordinates, because AprilTag places pixel centres at half-integers and the gateway at
 * integers.
 */
const PIXEL_OFFSET = 0.5;
/**
 * Minimum width and height in pixels. AprilTag divides the reduced image into tiles of 4 x 4 pixels, and fails if there
 * are too few.
 */
const MIN_SIDE = 32;
/** Maximum image size: the largest photo that the camera settings permit has 16 megapixels. */
const MAX_PIXELS = 4608 * 3456;
const MAX_BYTES = 32 * 1024 * 1024;
/** Images of at least this width are reduced to half size, which more than halves the detection time. */
const HALVED_FROM_WIDTH = 1000;
/** In images narrower than this, AprilTag searches for markers at full resolution. */
const REDUCED_FROM_WIDTH = 500;

/** Negative results of `decode`; see jpeg.h. */
const STATUS = { notJpeg: -1, damaged: -2, unsupported: -3 };

interface Exports {
  memory: WebAssembly.Memory;
  _initialize(): void;
  init(maxHamming: number): void;
  reserve(bytes: number): number;
  release(pointer: number): void;
  result(): number;
  image_size(): number;
  decode(
    jpeg: number,
    bytes: number,
    width: number,
    height: number,
    minSide: number,
    maxPixels: number,
  ): number;
  detect(isHalved: number, decimate: number): number;
}

/**
 * AprilTag 3 as WebAssembly. A defect in the C code cannot crash the process: it causes either an endless loop or a
 * `WebAssembly.RuntimeError`. The detector must then be replaced.
 */
export class AprilTagDetector implements MarkerDetector {
  readonly #wasm: Exports;

  constructor() {
    const bytes = readFileSync(fileURLToPath(moduleUrl('adapters/apriltag/detector.wasm')));
    const instance = new WebAssembly.Instance(new WebAssembly.Module(bytes), imports());
    const exports: unknown = instance.exports;
    this.#wasm = exports as Exports;
    this.#wasm._initialize();
    this.#wasm.init(MAX_HAMMING);
  }

  detect(jpeg: Uint8Array, expected?: ImageSize): DetectedMarkers {
    const size = this.decode(jpeg, expected);
    const isHalved = size.width >= HALVED_FROM_WIDTH;
    const decimate = isHalved ? 1.5 : size.width < REDUCED_FROM_WIDTH ? 1 : 2;
    const count = this.#wasm.detect(isHalved ? 1 : 0, decimate);
    const rows = new Float64Array(this.#wasm.memory.buffer, this.#wasm.result(), count * FIELDS);
    const markers = Array.from({ length: count }, (_, nth) =>
      markerOf(rows.slice(nth * FIELDS, (nth + 1) * FIELDS)),
    );
    return { ...size, markers };
  }

  /** The first step of `detect`; public for the benchmark. */
  decode(jpeg: Uint8Array, expected?: ImageSize): ImageSize {
    if (jpeg.length > MAX_BYTES) throw unusable(detectorMessage('too-many-bytes', { bytes: jpeg.length }));
    const pointer = this.#wasm.reserve(jpeg.length);
    new Uint8Array(this.#wasm.memory.buffer).set(jpeg, pointer);
    const { width = 0, height = 0 } = expected ?? {};
    const status = this.#wasm.decode(pointer, jpeg.length, width, height, MIN_SIDE, MAX_PIXELS);
    this.#wasm.release(pointer);
    const [foundWidth = 0, foundHeight = 0] = new Int32Array(
      this.#wasm.memory.buffer,
      this.#wasm.image_size(),
      2,
    );
    const size = { width: foundWidth, height: foundHeight };
    if (status !== 0) throw unusable(reasonOf(status, size, expected));
    return size;
  }
}

function reasonOf(status: number, { width, height }: ImageSize, expected: ImageSize | undefined): Message {
  if (status === STATUS.notJpeg) return detectorMessage('not-jpeg');
  if (status === STATUS.damaged) return detectorMessage('damaged');
  if (status === STATUS.unsupported) return detectorMessage('unsupported');
  if (expected) {
    const { width: expectedWidth, height: expectedHeight } = expected;
    return detectorMessage('wrong-size', { width, height, expectedWidth, expectedHeight });
  }
  const isSmall = Math.min(width, height) < MIN_SIDE;
  return isSmall
    ? detectorMessage('too-small', { width, height, min: MIN_SIDE })
    : detectorMessage('too-large', { width, height });
}

function unusable(reason: Message): GatewayError {
  return new GatewayError('IMAGE_UNUSABLE', reason);
}

function markerOf(row: Float64Array): DetectedMarker {
  const [id = 0, hamming = 0, margin = 0, ...coordinates] = row;
  const point = (corner: number): Point => ({
    x: (coordinates[2 * corner] ?? 0) - PIXEL_OFFSET,
    y: (coordinates[2 * corner + 1] ?? 0) - PIXEL_OFFSET,
  });
  return { id, hamming, margin, corners: [point(0), point(1), point(2), point(3)] };
}

/**
 * Returns the functions that the WebAssembly module imports, which discard the library's messages about damaged
 * images.
 */
function imports(): Record<string, Record<string, () => unknown>> {
  const NOT_SUPPORTED = 52;
  const fail = (): number => NOT_SUPPORTED;
  return {
    env: { emscripten_notify_memory_growth: () => undefined },
    wasi_snapshot_preview1: {
      fd_read: fail,
      fd_write: fail,
      fd_close: fail,
      fd_seek: fail,
      clock_time_get: fail,
      environ_sizes_get: fail,
      environ_get: fail,
    },
  };
}
