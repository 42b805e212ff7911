import { type CameraSetup, presetModel } from '../../../../src/navigation/calibration/calibration.js';
import type { CameraCondition } from '../../../../src/navigation/calibration/capture.js';
import { BOARD } from '../../../../src/navigation/calibration/model.js';
import { Calibration } from '../../../../src/navigation/calibration/service.js';
import type { Detection } from '../../../../src/navigation/markers/detector-service.js';
import type { CameraModel, Marker, Sighting } from '../../../../src/navigation/markers/model.js';
import type { NavigationSettings } from '../../../../src/navigation/markers/settings-schema.js';
import { defaultSettings } from '../../../../src/settings/schema/schema.js';
import type { Actor } from '../../../../src/shared/actor.js';
import type { Corners } from '../../../../src/shared/ports/marker-detector.js';
import { Signal } from '../../../../src/shared/signal.js';
import { cornersInImage, type Placement } from '../../../helpers/camera-scene.js';
import { FakeClock } from '../../../helpers/fake-clock.js';

const VIEW: CameraSetup = { cameraId: 'auto', width: 1280, height: 720 };
/** The camera of the synthetic images. */
export const TRUTH: CameraModel = { ...presetModel('module-3', VIEW), fPx: 1043 };
export const MARKER: Marker = {
  id: 12,
  sizeMm: 150,
  xMm: 4000,
  yMm: 0,
  headingDeg: 90,
  purpose: 'dock',
};
/** The first ID of the board while only marker 12 is registered. */
export const FIRST_ID = 563;

interface Seen {
  id: number;
  corners: Corners;
}

/** A calibration with a fake detector, which reports synthetic corners. */
export class CalibrationSetup {
  readonly clock = new FakeClock();
  markers: Marker[] = [MARKER];
  settings: NavigationSettings = defaultSettings().navigation;
  view: CameraSetup = VIEW;
  camera: CameraCondition = { phase: 'streaming' };
  detectorFault = '';
  /** Changes and names that were passed to the settings. */
  readonly saved: [changes: object, by: Actor][] = [];
  /** Sizes for unregistered markers that the detector's callers have set. */
  readonly uses: (number | null)[] = [];
  /** Sizes for unregistered markers in the requests for the markers in view. */
  readonly looks: (number | null)[] = [];
  readonly #detections = new Signal<[Detection]>();
  #newest: Detection | undefined;
  #number = 0;

  readonly calibration = new Calibration({
    detector: {
      acquire: (_use, otherSizeMm = null) => {
        this.uses.push(otherSizeMm);
        return () => {
          this.uses.splice(this.uses.indexOf(otherSizeMm), 1);
          if (this.uses.length === 0) this.#newest = undefined;
        };
      },
      onDetection: (listener) => this.#detections.on(listener),
      look: (otherSizeMm = null) => {
        this.looks.push(otherSizeMm);
        return this.#newest;
      },
      state: () => ({ phase: 'running', fault: this.detectorFault, restarts: 0 }),
    },
    camera: () => this.camera,
    clock: this.clock,
    markers: { list: () => this.markers, find: (id) => this.markers.find((marker) => marker.id === id) },
    settings: () => this.settings,
    view: () => this.view,
    save: async (changes, by) => {
      this.saved.push([changes, by]);
      this.settings = { ...this.settings, ...changes };
    },
  });

  /** Reports the markers in a new image, 100 ms after the previous one. */
  detect(...seen: readonly Seen[]): void {
    this.clock.advance(100);
    this.#number += 1;
    const pose = { rangeMm: 1000, bearingDeg: 0, yawDeg: 0, reprojectionErrorPx: 0.1, imageAgeMs: 0 };
    const sightings: Sighting[] = seen.map(({ id, corners }) => ({ id, corners, ...pose }));
    this.#newest = {
      number: this.#number,
      atMs: this.clock.now(),
      imageAgeMs: 0,
      sightings,
    };
    this.#detections.emit(this.#newest);
  }

  detectTimes(count: number, ...seen: readonly Seen[]): void {
    for (let nth = 0; nth < count; nth++) this.detect(...seen);
  }

  /** Takes images of the board in these placements. */
  async takeBoardImages(placements: readonly Placement[]): Promise<void> {
    for (const placement of placements) {
      const taken = this.calibration.takeBoardImage();
      this.detectTimes(2, ...boardAt(placement));
      await taken;
    }
  }
}

export function markerAt(id: number, placement: Placement = { x: 0, z: 1000 }, sizeMm = 150): Seen {
  return { id, corners: cornersInImage(TRUTH, placement, sizeMm) };
}

/** The markers of the board inside the image. */
export function boardAt(placement: Placement, firstId = FIRST_ID): Seen[] {
  const { columns, rows, pitchMm, sizeMm } = BOARD;
  return Array.from({ length: columns * rows }, (_, nth) => {
    const x = ((nth % columns) - (columns - 1) / 2) * pitchMm;
    const y = ((rows - 1) / 2 - Math.floor(nth / columns)) * pitchMm;
    return { id: firstId + nth, corners: cornersInImage(TRUTH, placement, sizeMm, { x, y }) };
  }).filter(({ corners }) => corners.every(({ x, y }) => x > 0 && x < 1279 && y > 0 && y < 719));
}

/** Placements of the board on different sides and in different parts of the image. */
export function variedPlacements(count: number): Placement[] {
  return Array.from({ length: count }, (_, nth) => {
    const z = 400 + 40 * (nth % 4);
    return {
      x: z * 0.3 * Math.cos(2.4 * nth),
      y: z * 0.1 * Math.sin(2.4 * nth),
      z,
      yawDeg: 35 * Math.sin(1.7 * nth),
      pitchDeg: 30 * Math.cos(1.7 * nth),
      rollDeg: 20 * nth,
    };
  });
}
