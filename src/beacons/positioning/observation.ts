import type { Ellipse, LatLong } from '../../plan/pure.js';
import type { Zone } from './ranging.js';

/** Distances are in metres; `reason` is set if the distances are null. */
export interface ReceivedBeacon {
  id: string;
  samples: number;
  /** Median in dBm, smoothed if there are at least five samples; null if no sample is valid. */
  rssi: number | null;
  distanceM: number | null;
  minM: number | null;
  maxM: number | null;
  /** Probability (0 to 1) that the true distance is within a factor of two; 0 if `distanceM` is null. */
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
  /** Nearest first; beacons with an unknown distance come last. */
  beacons: ReceivedBeacon[];
  position: Position | null;
  reason?: 'too-few' | 'in-line' | 'far-apart';
  message?: string;
  candidates?: LatLong[];
}
