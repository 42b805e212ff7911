import type { Route } from '../routes/route.js';
import type { Zone } from '../zones/zone.js';

/** A named pose on the floor plan. */
export interface Place {
  id: string;
  name: string;
  purpose: 'PARK' | 'CHARGE' | 'STOP';
  /** From the floor plan's lower left corner: x to the right, y up. */
  xMm: number;
  yMm: number;
  /** Counterclockwise from the x axis. */
  headingDeg: number;
  /** The marker that a cart docks at. */
  markerId?: number;
  /** The cart that the place belongs to. */
  cartID?: number;
}

export const LIMITS = { zones: 200, places: 200, corners: 5000 } as const;

export const idSchema = { type: 'string', pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$' } as const;
export const nameSchema = { type: 'string', minLength: 1, maxLength: 80 } as const;
/** Excludes only numbers that SQLite and other programs cannot store exactly; the floor plan's edges are checked later. */
export const mmSchema = { type: 'integer', minimum: -1e9, maximum: 1e9, unit: 'mm' } as const;

/** Whether the zone's kind allows `maxSpeedMmps`, and the shape of the polygon, are checked later. */
export const zoneSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'kind', 'name', 'polygon'],
  properties: {
    id: idSchema,
    kind: { type: 'string', enum: ['BLOCKED', 'SPEED_LIMIT', 'MANUAL_ONLY'] },
    name: nameSchema,
    polygon: { type: 'array', items: { type: 'array', items: mmSchema, minItems: 2, maxItems: 2 } },
    maxSpeedMmps: { type: 'integer', minimum: 10, maximum: 10_000, unit: 'mm/s' },
  },
} as const;

export const placeSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'name', 'purpose', 'xMm', 'yMm', 'headingDeg'],
  properties: {
    id: idSchema,
    name: nameSchema,
    purpose: { type: 'string', enum: ['PARK', 'CHARGE', 'STOP'] },
    xMm: mmSchema,
    yMm: mmSchema,
    headingDeg: { type: 'number', minimum: -360, maximum: 360, unit: 'degrees' },
    markerId: { type: 'integer', minimum: 0, maximum: 586 },
    cartID: { type: 'integer', minimum: 1 },
  },
} as const;

/** Other members are ignored, so that a client can send back what it read. */
export const zonesSchema = {
  type: 'object',
  required: ['zones'],
  properties: { zones: { type: 'array', items: zoneSchema } },
} as const;

export const placesSchema = {
  type: 'object',
  required: ['places'],
  properties: { places: { type: 'array', items: placeSchema } },
} as const;

export const overrideSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['reason', 'seconds'],
  properties: {
    reason: { type: 'string', minLength: 1, maxLength: 200 },
    seconds: { type: 'integer', minimum: 1, maximum: 60, unit: 's' },
  },
} as const;

/**
 * Why a person must confirm the zones and places. `FLOOR_PLAN`: The image or the scale differs from the one on which they
 * were drawn. `OTHER_FLOOR_PLAN`: The same, but another gateway has published them. `DATA_LOST`: They differ from those that
 * were saved last. `NOT_RECEIVED`: Another gateway owns them, and its plan has not been applied yet; no person can confirm
 * them.
 */
export const REVIEW_REASONS = ['FLOOR_PLAN', 'OTHER_FLOOR_PLAN', 'DATA_LOST', 'NOT_RECEIVED'] as const;
export type ReviewReason = (typeof REVIEW_REASONS)[number];

export interface PlanContent {
  zones: readonly Zone[];
  places: readonly Place[];
  routes: readonly Route[];
}
