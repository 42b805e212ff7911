import { GatewayError } from '../../shared/errors.js';
import type { Markers } from '../markers/registry.js';
import { clashingIds, freeFirstId, MAX_FIRST_ID } from './board.js';
import type { BoardImage } from './board-calibration.js';
import type { CameraSetup } from './calibration.js';
import { calibrationMessage } from './messages.js';
import { isSameView } from './model.js';
import { cameraChanged } from './refusals.js';

/** Only the markers' corners are kept, about 4 KB for each image. */
export const MAX_IMAGES = 30;

/** The images of one board, all taken with the same settings of the camera. */
export class BoardSession {
  readonly #markers: Pick<Markers, 'list'>;
  #taken: { firstId: number; view: CameraSetup; images: readonly BoardImage[] } | undefined;

  constructor(markers: Pick<Markers, 'list'>) {
    this.#markers = markers;
  }

  get images(): readonly BoardImage[] {
    return this.#taken?.images ?? [];
  }

  /** The camera settings of the images; undefined if there are no images. */
  get view(): CameraSetup | undefined {
    return this.#taken?.view;
  }

  /**
   * First ID of the board in the images that have already been taken; before the first image, the highest first
   * ID of a board without registered markers.
   */
  get firstId(): number {
    return this.#taken?.firstId ?? freeFirstId(this.#markers.list());
  }

  /** Throws if an image of this board cannot be added. */
  requireRoom(firstId: number, view: CameraSetup): void {
    requireFreeIds(firstId, this.#markers);
    if (!this.#taken) return;
    if (this.#taken.firstId !== firstId) {
      const message = calibrationMessage('other-board', { id: this.#taken.firstId });
      const hint = calibrationMessage('other-board-hint');
      throw new GatewayError('CONFLICT', message, { field: 'firstId', hint });
    }
    if (!isSameView(this.#taken.view, view)) throw cameraChanged();
    if (this.images.length < MAX_IMAGES) return;
    const message = calibrationMessage('board-full', { limit: MAX_IMAGES });
    throw new GatewayError('CONFLICT', message, { hint: calibrationMessage('board-full-hint') });
  }

  add(image: BoardImage, firstId: number, view: CameraSetup): void {
    this.#taken = { firstId, view, images: [...this.images, image] };
  }

  removeLast(): void {
    const images = this.images.slice(0, -1);
    this.#taken = this.#taken && images.length > 0 ? { ...this.#taken, images } : undefined;
  }

  clear(): void {
    this.#taken = undefined;
  }
}

/** Throws `INVALID_INPUT` or `CONFLICT` if a board cannot have this first ID. */
export function requireFreeIds(firstId: number, markers: Pick<Markers, 'list'>): void {
  if (!Number.isInteger(firstId) || firstId < 0 || firstId > MAX_FIRST_ID) {
    const message = calibrationMessage('board-range', { limit: MAX_FIRST_ID });
    throw new GatewayError('INVALID_INPUT', message, { field: 'firstId', limit: MAX_FIRST_ID });
  }
  const clashes = clashingIds(firstId, markers.list());
  if (clashes.length === 0) return;
  const message = calibrationMessage('board-clash', { ids: clashes.join(', ') });
  const hint = calibrationMessage('board-clash-hint');
  throw new GatewayError('CONFLICT', message, { field: 'firstId', hint });
}
