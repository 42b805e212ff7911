import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Actor } from '../../shared/actor.js';
import { capitalised } from '../../shared/messages/message.js';
import type { CameraModel } from '../markers/model.js';
import type { Markers } from '../markers/registry.js';
import type { CalibrationSettings, NavigationSettings } from '../markers/settings-schema.js';
import { boardFrom, boardImage } from './board.js';
import { boardCalibration, MIN_IMAGES } from './board-calibration.js';
import { BoardCapture } from './board-capture.js';
import { BoardSession, MAX_IMAGES, requireFreeIds } from './board-session.js';
import {
  type CameraSetup,
  calibratedModel,
  calibrationStatus,
  oneShotCalibration,
  presetModel,
  qualityOf,
} from './calibration.js';
import { Capture, type CaptureDeps } from './capture.js';
import { MarkerCapture } from './marker-capture.js';
import { calibrationMessage } from './messages.js';
import {
  BOARD_MARKERS,
  type CalibrationResult,
  type CalibrationView,
  type Discardable,
  fieldOfViewDeg,
  isSameView,
  type OneShotRequest,
  type SeenView,
} from './model.js';
import { busy, cameraChanged, failed, nothingToSave, tooFewImages } from './refusals.js';

/** The data sheets' fields of view are accurate to a few percent. */
const MAX_USUAL_PERCENT = 10;

/** An unsaved result, with the camera settings that it applies to. */
interface PendingResult {
  calibration: CalibrationSettings;
  view: CameraSetup;
  result: CalibrationResult;
}

interface Compared {
  images: number;
  preset: CameraModel;
  /** The model in use until the result is saved. */
  previous: CameraModel;
}

function resultOf(found: CalibrationSettings, { images, preset, previous }: Compared): CalibrationResult {
  const { method, width, fPx, cxPx, cyPx, k1, reprojectionErrorPx, expectedErrorPercent } = found;
  return {
    method: method === 'full' ? 'full' : 'one-shot',
    images,
    fPx,
    previousFPx: previous.fPx,
    changePercent: 100 * (fPx / previous.fPx - 1),
    fieldOfViewDeg: fieldOfViewDeg({ width, fPx }),
    cxPx,
    cyPx,
    k1,
    reprojectionErrorPx,
    expectedErrorPercent,
    quality: qualityOf(reprojectionErrorPx, expectedErrorPercent),
    isUnusual: Math.abs(fPx / preset.fPx - 1) * 100 > MAX_USUAL_PERCENT,
  };
}

interface CalibrationDeps extends CaptureDeps {
  markers: Pick<Markers, 'list' | 'find'>;
  settings: () => NavigationSettings;
  /** The current settings of the camera. */
  view: () => CameraSetup;
  /** Changes the settings section `navigation`. Rejects with `INVALID_INPUT`. */
  save: (changes: object, by: Actor) => Promise<unknown>;
}

/** Calibrates the camera with a marker at a known distance or with a printed board. Saves only on request. */
export class Calibration {
  readonly #deps: CalibrationDeps;
  readonly #capture: Capture;
  readonly #board: BoardSession;
  #pending: PendingResult | undefined;
  #isBusy = false;

  constructor(deps: CalibrationDeps) {
    this.#deps = deps;
    this.#capture = new Capture(deps);
    this.#board = new BoardSession(deps.markers);
  }

  close(): void {
    this.#capture.close();
  }

  status(): CalibrationView {
    const { settings, view } = this.#deps;
    const navigation = settings();
    const { preset, calibration, mount } = navigation;
    const { width, height, fPx } = calibratedModel(navigation, view());
    return {
      camera: {
        isOn: this.#capture.isCameraOn,
        preset,
        width,
        height,
        fPx,
        fieldOfViewDeg: fieldOfViewDeg({ width, fPx }),
      },
      mount,
      status: calibrationStatus(navigation, view()),
      calibratedSize:
        calibration.method === 'none' ? null : { width: calibration.width, height: calibration.height },
      board: {
        ...boardFrom(this.#board.firstId),
        images: this.#board.images.length,
        neededImages: MIN_IMAGES,
        maxImages: MAX_IMAGES,
      },
      isBusy: this.#isBusy,
      result: this.#pending?.result ?? null,
    };
  }

  /** Returns the markers in view. The detector keeps running for a few seconds. */
  seen(): SeenView {
    const found = this.#capture.look();
    if (!found) {
      const fault = this.#capture.fault();
      const text = fault ? capitalised(fault) : calibrationMessage('seen.waiting');
      return { text, ids: [], boardMarkers: 0 };
    }
    const ids = found.sightings.map(({ id }) => id);
    const boardMarkers = boardImage(found.sightings, this.#board.firstId).length;
    const text =
      boardMarkers > 0
        ? calibrationMessage('seen.board', { count: boardMarkers, total: BOARD_MARKERS })
        : ids.length === 0
          ? calibrationMessage('seen.nothing')
          : calibrationMessage(ids.length === 1 ? 'seen.one' : 'seen.several', { ids: ids.join(', ') });
    return { text, ids, boardMarkers };
  }

  /**
   * Computes the focal length from a marker at 1.00 m. Rejects with `MARKER_NOT_SEEN`, `CALIBRATION_FAILED`,
   * `CAMERA_NO_IMAGE`, `CONFLICT`, `BUSY` or `INVALID_INPUT`.
   */
  async measure(request: OneShotRequest): Promise<void> {
    await this.#exclusive(async () => {
      const view = this.#deps.view();
      const start = this.#modelInUse(view);
      const capture = new MarkerCapture({
        capture: this.#capture,
        find: (id) => this.#deps.markers.find(id),
      });
      const { images, sizeMm } = await capture.take(request, () => this.#requireView(view));
      const { cameraId } = view;
      const found = oneShotCalibration(images, { sizeMm, start, cameraId });
      if (!found) throw failed('implausible');
      this.#finish(found, view, images.length);
    });
  }

  /**
   * Adds an image of the board. Rejects with the errors of `measure` and with `IMAGE_SIMILAR`.
   * @param firstId default: the first ID of the board in the images already taken; before the first image, the
   * highest first ID of a board without registered markers.
   */
  async takeBoardImage(firstId = this.#board.firstId): Promise<void> {
    await this.#exclusive(async () => {
      const view = this.#deps.view();
      this.#board.requireRoom(firstId, view);
      const capture = new BoardCapture({ capture: this.#capture, firstId, width: view.width });
      const image = await capture.take(this.#board.images, () => this.#requireView(view));
      this.#board.add(image, firstId, view);
    });
  }

  async compute(): Promise<void> {
    await this.#exclusive(async () => {
      const { firstId, images, view = this.#deps.view() } = this.#board;
      this.#requireView(view);
      const start = presetModel(this.#deps.settings().preset, view);
      const options = { board: boardFrom(firstId), start, cameraId: view.cameraId };
      const found = await boardCalibration(images, options, () => nextTurn());
      if (found === 'too-few-images') throw tooFewImages(images.length, MIN_IMAGES);
      if (typeof found === 'string') throw failed(found);
      this.#finish(found, view, images.length);
    });
  }

  /**
   * Stores the result in the settings. Rejects with `CONFLICT` if there is no result or the camera has
   * changed.
   */
  async save(by: Actor): Promise<void> {
    await this.#exclusive(async () => {
      if (!this.#pending) throw nothingToSave();
      const { calibration, view } = this.#pending;
      this.#requireView(view);
      await this.#deps.save({ calibration }, by);
      this.#pending = undefined;
      if (calibration.method === 'full') this.#board.clear();
    });
  }

  /** Stores the camera model and the camera's position in the settings, after validating both. */
  async saveCamera(camera: { preset: unknown; mount: object }, by: Actor): Promise<void> {
    await this.#deps.save(camera, by);
  }

  /**
   * Returns the first ID of the board to print. Throws `CONFLICT` if a registered marker has one of its IDs.
   */
  boardFirstId(firstId = this.#board.firstId): number {
    requireFreeIds(firstId, this.#deps.markers);
    return firstId;
  }

  discard(what: Discardable): void {
    if (this.#isBusy) throw busy();
    if (what === 'result' || what === 'all') this.#pending = undefined;
    if (what === 'images' || what === 'all') this.#board.clear();
    if (what === 'last-image') this.#board.removeLast();
  }

  #modelInUse(view: CameraSetup): CameraModel {
    return calibratedModel(this.#deps.settings(), view);
  }

  #requireView(view: CameraSetup): void {
    if (!isSameView(view, this.#deps.view())) throw cameraChanged();
  }

  #finish(calibration: CalibrationSettings, view: CameraSetup, images: number): void {
    const preset = presetModel(this.#deps.settings().preset, view);
    const result = resultOf(calibration, { images, preset, previous: this.#modelInUse(view) });
    this.#pending = { calibration, view, result };
  }

  /** Allows only one operation at a time to use the camera or change the session. */
  async #exclusive(work: () => Promise<void>): Promise<void> {
    if (this.#isBusy) throw busy();
    this.#isBusy = true;
    try {
      await work();
    } finally {
      this.#isBusy = false;
    }
  }
}
