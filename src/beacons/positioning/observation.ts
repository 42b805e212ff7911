import type { LatLong } from './geodesy.js';
import type { Ellipse } from './geometry.js';
import type { Zone } from './ranging.js';

/** One beacon that was heard. Distances in metres, null when there is none and then `reason` says why. */
export interface Heard {
  id: string;
  /** How many times it was heard with a strength. */
  samples: number;
  /** In dBm; of several samples their median, of five and more smoothed; null when there is none. */
  rssi: number | null;
  distanceM: number | null;
  minM: number | null;
  maxM: number | null;
  /** Probability, 0 to 1, that the true distance is within a factor of two of `distanceM`; 0 without one. */
  confidence: number;
  zone: Zone | 'unknown';
  reason?: 'unknown-beacon' | 'no-signal' | 'no-tx-power';
  /** What makes the figures doubtful, in words. */
  warning?: string;
}

/** Where the receiver is. */
export interface Position extends LatLong {
  ellipse: Ellipse;
  /** How many beacons it was computed from. */
  beacons: number;
  /** Another place that what was heard fits nearly as well. */
  alternative?: LatLong;
}

/** What the registry answers to what a receiver heard. */
export interface Observation {
  /** Nearest first, those without a distance last. */
  beacons: Heard[];
  position: Position | null;
  /** Why there is no position. */
  reason?: 'too-few' | 'in-line' | 'far-apart';
  message?: string;
  /** The places that come into question when the beacons are in one line. */
  candidates?: LatLong[];
}
