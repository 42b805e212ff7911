import { hasCartMoved, type MapPose, type OdometerPose } from '../../../../beacons/pure.js';
import { bearingDeg, haversineM, type LatLong } from '../../../../plan/pure.js';
import type { BeaconMap } from '../map.js';
import type { PreviewLayer } from './preview-layer.js';
import { DRIVE_TO_TEXTS } from './texts.js';

/** A finger covers about 40 px (2 m at this scale), so the map is enlarged for selecting the position. */
const MAX_METRES_PER_PX = 0.05;
/** At this zoom level, a pixel is about 0.04 m at the equator, and smaller at other latitudes. */
const ZOOM = 22;
/**
 * Minimum distance between the two taps; at this distance, an error of 0.1 m in either tap changes the heading by up to
 * 6 degrees.
 */
const MIN_AHEAD_M = 1;

type Step = 'position' | 'exact-position' | 'heading' | 'heading-again';

/** Determines a cart's position and heading from two points that the operator taps on the map. */
export class CartPlacing {
  readonly #map: BeaconMap;
  readonly #layer: PreviewLayer;
  readonly #onPlaced: (at: MapPose) => void;
  #step: Step | undefined;
  #odometer: OdometerPose | undefined;

  constructor(map: BeaconMap, layer: PreviewLayer, onPlaced: (at: MapPose) => void) {
    this.#map = map;
    this.#layer = layer;
    this.#onPlaced = onPlaced;
  }

  /** Undefined unless the map is waiting for a tap. */
  get step(): Step | undefined {
    return this.#step;
  }

  /** @param odometer the cart's current pose, which must not change until the cart is placed. */
  begin(odometer: OdometerPose): void {
    this.#odometer = odometer;
    this.#askPosition('position');
  }

  isOutdated(now: OdometerPose): boolean {
    return this.#odometer !== undefined && hasCartMoved(this.#odometer, now);
  }

  cancel(): void {
    if (!this.#step) return;
    this.#finish();
    this.#layer.clear();
  }

  text(name: string): string {
    switch (this.#step) {
      case 'exact-position':
        return DRIVE_TO_TEXTS.tapExactPosition(name);
      case 'heading':
        return DRIVE_TO_TEXTS.tapHeading(name);
      case 'heading-again':
        return `${DRIVE_TO_TEXTS.tooClose} ${DRIVE_TO_TEXTS.tapHeading(name)}`;
      default:
        return DRIVE_TO_TEXTS.tapPosition(name);
    }
  }

  #askPosition(step: Step): void {
    this.#step = step;
    this.#map.pick((at) => {
      if (this.#map.metresPerPx > MAX_METRES_PER_PX) {
        // The tapped point stays under the finger, so that a double tap does not select a different point.
        this.#map.map.setZoomAround(at, ZOOM, { animate: false });
        return this.#askPosition('exact-position');
      }
      const position = { lat: at.lat, long: at.lng };
      this.#layer.showPosition(position);
      this.#askHeading(position, 'heading');
    });
  }

  #askHeading(position: LatLong, step: Step): void {
    this.#step = step;
    this.#map.pick((at) => {
      const ahead = { lat: at.lat, long: at.lng };
      if (haversineM(position, ahead) < MIN_AHEAD_M) return this.#askHeading(position, 'heading-again');
      this.#finish();
      this.#layer.clear();
      this.#onPlaced({ ...position, bearingDeg: bearingDeg(position, ahead) });
    });
  }

  #finish(): void {
    this.#step = undefined;
    this.#odometer = undefined;
    this.#map.pick(undefined);
  }
}
