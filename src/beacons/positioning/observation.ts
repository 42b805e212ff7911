import type { LatLong } from './geodesy.js';
import type { Ellipse } from './geometry.js';
import type { Zone } from './ranging.js';

/** A received beacon. Distances are in metres; if they are null, `reason` is set. */
export interface ReceivedBeacon {
  id: string;
  /** Number of samples with a valid strength. */
  samples: number;
  /** Median of the samples in dBm, smoothed if there are at least five; null if no sample is valid. */
  rssi: number | null;
  distanceM: number | null;
  minM: number | null;
  maxM: number | null;
  /**
   * Probability, from 0 to 1, that the true distance is within a factor of two of `distanceM`; 0 if
   * `distanceM` is null.
   */
  confidence: number;
  zone: Zone | 'unknown';
  reason?: 'unknown-beacon' | 'no-signal' | 'no-tx-power';
  warning?: string;
}

export interface Position extends LatLong {
  ellipse: Ellipse;
  beacons: number;
  alternative?: LatLong;
}

export interface Observation {
  /** Sorted by distance, nearest first. Beacons with an unknown distance come last. */
  beacons: ReceivedBeacon[];
  position: Position | null;
  reason?: 'too-few' | 'in-line' | 'far-apart';
  message?: string;
  /** Possible positions if the beacons are in a line. */
  candidates?: LatLong[];
}
