import assert from 'node:assert/strict';
import { test } from 'uvu';
import { Localization } from '../../../../src/navigation/localization/service.js';
import type { Detection } from '../../../../src/navigation/markers/detector-service.js';
import type { Marker, Pose } from '../../../../src/navigation/markers/model.js';
import { FakeClock } from '../../../helpers/fake-clock.js';
import { sightingOf } from '../simulated-cart.js';
import { LIMITS, MARKERS } from './simulated-drive.js';

const CAMERA: Pose = { xMm: 150, yMm: 0, headingDeg: 0 };
const HERE: Pose = { xMm: 5000, yMm: 3500, headingDeg: 30 };
const STILL: Pose = { xMm: 0, yMm: 0, headingDeg: 0 };
const STANDING = { odometer: { pose: STILL, atMs: 0 }, isMoving: false, isStopped: false };

class Harness {
  readonly clock = new FakeClock();
  readonly localization: Localization;
  /** Number of callers that keep the detector running. */
  uses = 0;
  #onDetection: (detection: Detection) => void = () => undefined;
  #onChange: (id: number) => void = () => undefined;

  constructor(markers: readonly Marker[] = MARKERS) {
    this.localization = new Localization({
      markers: {
        list: () => [...markers],
        find: (id) => markers.find((marker) => marker.id === id),
        onChange: (listener) => {
          this.#onChange = listener;
          return () => undefined;
        },
      },
      rules: () => ({ limits: LIMITS, camera: CAMERA }),
      clock: this.clock,
    });
    this.localization.onCart(STANDING);
    this.localization.useDetector({
      acquire: () => {
        this.uses += 1;
        return () => {
          this.uses -= 1;
        };
      },
      onDetection: (listener) => {
        this.#onDetection = listener;
        return () => undefined;
      },
    });
  }

  see(id: number, shiftMm = 0): void {
    const marker = MARKERS.find((candidate) => candidate.id === id) as Marker;
    const real = { ...marker, yMm: marker.yMm + shiftMm };
    const view = { halfAngleDeg: 180, maxRangeMm: 20_000, maxYawDeg: 80 };
    const sighting = sightingOf(HERE, CAMERA, real, view) ?? assert.fail('the marker is not visible');
    const unused = { reprojectionErrorPx: 0, imageAgeMs: 0, corners: [] as never };
    const atMs = this.clock.now();
    this.#onDetection({
      number: 1,
      atMs,
      imageAgeMs: 0,
      sightings: [{ ...sighting, ...unused }],
    });
  }

  change(id: number): void {
    this.#onChange(id);
  }
}

test('does not publish a location before a marker has been detected', () => {
  assert.equal(new Harness().localization.location(), undefined);
});

test('publishes the location with its age after a marker has been detected', () => {
  const { localization, clock, ...harness } = withSightings(2);
  clock.advance(700);
  const { xMm, yMm, headingDeg, ageMs } = localization.location() ?? assert.fail('no location');
  assert.deepEqual([Math.round(xMm), Math.round(yMm), Math.round(headingDeg)], [5000, 3500, 30]);
  assert.deepEqual([ageMs.markers, ageMs.beacons, harness.uses], [700, null, 1]);
});

test('the location becomes unknown when a stop is latched', () => {
  const { localization } = withSightings(2);
  localization.onCart({ ...STANDING, isStopped: true });
  assert.equal(localization.location(), undefined);
});

test('the location becomes unknown when the connection to the controller is lost', () => {
  const { localization } = withSightings(2);
  localization.onCart({ ...STANDING, odometer: undefined });
  assert.equal(localization.location(), undefined);
});

test('reports a marker that contradicts the others as suspicious until the marker is changed', () => {
  const harness = withSightings(2, 4);
  for (let i = 0; i < 3; i += 1) harness.see(3, 1000);
  assert.deepEqual(harness.localization.location()?.suspiciousMarkers, [3]);
  harness.change(3);
  assert.deepEqual(harness.localization.location()?.suspiciousMarkers, []);
});

test('runs the detector for 10 s after a motion', () => {
  const harness = new Harness();
  harness.clock.advance(11_000);
  assert.equal(harness.uses, 0);
  harness.localization.onCart({ ...STANDING, isMoving: true });
  assert.equal(harness.uses, 1);
  harness.localization.onCart(STANDING);
  harness.clock.advance(9000);
  assert.equal(harness.uses, 1);
  harness.clock.advance(2000);
  assert.equal(harness.uses, 0);
});

test('does not run the detector without registered markers', () => {
  const harness = new Harness([]);
  harness.localization.onCart({ ...STANDING, isMoving: true });
  assert.equal(harness.uses, 0);
});

test('stops the detector when the localization is closed', () => {
  const harness = new Harness();
  harness.localization.close();
  assert.equal(harness.uses, 0);
});

function withSightings(...ids: number[]): Harness {
  const harness = new Harness();
  for (const id of ids) harness.see(id);
  return harness;
}

test.run();
