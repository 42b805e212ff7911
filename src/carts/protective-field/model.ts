import type { Cancel } from '../../shared/ports/clock.js';
import type { TravelDirection } from '../serial/codec/field-rules.js';

export const BUMPER_NAMES = ['frontLeft', 'frontRight', 'rearLeft', 'rearRight'] as const;

export interface FieldSensor {
  /** 0 = straight ahead, positive = to the left, 180 = straight back. */
  angleDeg: number;
  /** Full angle of the field of view. */
  fieldOfViewDeg: number;
  maxRangeMm: number;
  /** Null if nothing is within range. */
  rangeMm: number | null;
  /** False if the controller has no recent measurement. */
  valid: boolean;
}

interface FieldState {
  sensors: FieldSensor[];
  /** Pressed bumpers; a broken wire counts as pressed. */
  bumpers: (typeof BUMPER_NAMES)[number][];
  /** Directions in which the controller rejects motion. */
  blocked: TravelDirection[];
}

export interface FieldReport extends FieldState {
  /** When the gateway received the report, on its monotonic clock. */
  atMs: number;
}

export interface FieldView extends FieldState {
  /** Age of the report in whole seconds; 0 means less than 1 s. */
  ageS: number;
}

export interface FieldPort {
  readonly latest: FieldReport | undefined;
  onReport(listener: () => void): Cancel;
}
