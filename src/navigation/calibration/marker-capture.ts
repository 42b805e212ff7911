import { GatewayError } from '../../shared/errors.js';
import type { Corners } from '../../shared/ports/marker-detector.js';
import type { Marker } from '../markers/model.js';
import type { Capture } from './capture.js';
import { calibrationMessage } from './messages.js';
import type { OneShotRequest } from './model.js';

const IMAGES = 10;
/** Time limit in ms; includes the time that the camera needs to start (up to 5 s). */
const LIMIT_MS = 15_000;

interface MarkerCaptureDeps {
  capture: Capture;
  /** Returns a registered marker. */
  find: (id: number) => Pick<Marker, 'sizeMm'> | undefined;
}

/** Takes images of one marker. */
export class MarkerCapture {
  readonly #deps: MarkerCaptureDeps;

  constructor(deps: MarkerCaptureDeps) {
    this.#deps = deps;
  }

  /**
   * Rejects with `MARKER_NOT_SEEN`, with `CONFLICT` if several markers match, and with `INVALID_INPUT` if the size of
   * the marker is unknown.
   * @param check called before each image and throws if the images would be unusable.
   */
  async take(request: OneShotRequest, check: () => void): Promise<{ images: Corners[]; sizeMm: number }> {
    if (request.id !== undefined) this.#sizeOf(request.id, request);
    let id = request.id;
    const images: Corners[] = [];
    const seen = new Set<number>();
    await this.#deps.capture.until(LIMIT_MS, ({ sightings }) => {
      check();
      for (const sighting of sightings) seen.add(sighting.id);
      const candidates = id === undefined ? sightings : sightings.filter((sighting) => sighting.id === id);
      const [only, ...others] = candidates;
      if (!only) return undefined;
      if (others.length > 0 || (request.id === undefined && seen.size > 1)) throw several(candidates, seen);
      // If the marker's size is missing, fails now, not after all images have been taken.
      this.#sizeOf(only.id, request);
      id = only.id;
      images.push(only.corners);
      return images.length === IMAGES ? true : undefined;
    });
    if (id === undefined || images.length < IMAGES) throw notSeen(id, images.length, seen);
    return { images, sizeMm: this.#sizeOf(id, request) };
  }

  #sizeOf(id: number, { sizeMm }: OneShotRequest): number {
    const size = this.#deps.find(id)?.sizeMm ?? sizeMm;
    if (size !== undefined) return size;
    const hint = calibrationMessage('size-missing-hint');
    throw new GatewayError('INVALID_INPUT', calibrationMessage('size-missing', { id }), {
      field: 'sizeMm',
      hint,
    });
  }
}

function several(candidates: readonly { id: number }[], seen: ReadonlySet<number>): GatewayError {
  const [first] = candidates;
  if (first && candidates.length > 1 && candidates.every(({ id }) => id === first.id)) {
    const hint = calibrationMessage('same-id-twice-hint');
    return new GatewayError('CONFLICT', calibrationMessage('same-id-twice', { id: first.id }), { hint });
  }
  const ids = [...seen].toSorted((a, b) => a - b).join(', ');
  const hint = calibrationMessage('several-markers-hint');
  return new GatewayError('CONFLICT', calibrationMessage('several-markers', { ids }), { field: 'id', hint });
}

function notSeen(id: number | undefined, count: number, seen: ReadonlySet<number>): GatewayError {
  const seconds = LIMIT_MS / 1000;
  if (id !== undefined && count > 0) {
    const message = calibrationMessage('too-few-seen', { id, count, needed: IMAGES });
    return new GatewayError('MARKER_NOT_SEEN', message, { hint: calibrationMessage('too-few-seen-hint') });
  }
  const ids = [...seen].toSorted((a, b) => a - b).join(', ');
  const message =
    id === undefined
      ? calibrationMessage('no-marker-seen', { seconds })
      : ids === ''
        ? calibrationMessage('marker-not-seen', { id, seconds })
        : calibrationMessage('other-markers-seen', { id, seconds, ids });
  return new GatewayError('MARKER_NOT_SEEN', message, { hint: calibrationMessage('not-seen-hint') });
}
