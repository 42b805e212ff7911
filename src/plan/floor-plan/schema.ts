import type { Placement, PlanImageSize, ReferencePoint } from './georeference.js';
import type { Orientation } from './orientation.js';

const pixel = { type: 'number', minimum: 0, unit: 'px' } as const;

const pointSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['x', 'y', 'lat', 'long'],
  properties: {
    x: pixel,
    y: pixel,
    lat: { type: 'number', minimum: -90, maximum: 90, unit: 'degrees' },
    long: { type: 'number', minimum: -180, maximum: 180, unit: 'degrees' },
  },
} as const;

const points = { type: 'array', items: pointSchema, minItems: 2, maxItems: 2 } as const;

export const pointsSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['points'],
  properties: { points },
} as const;

/** A line on the image and its length in the hall. */
export const planLineSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['x1', 'y1', 'x2', 'y2', 'lengthM'],
  properties: { x1: pixel, y1: pixel, x2: pixel, y2: pixel, lengthM: { type: 'number', unit: 'm' } },
} as const;

export const planFileSchema = {
  type: 'object',
  required: ['version', 'type', 'width', 'height', 'bytes'],
  properties: {
    version: { type: 'string', pattern: '^[A-Za-z0-9_-]{16}$' },
    type: { type: 'string', enum: ['image/png', 'image/jpeg', 'image/webp'] },
    width: { type: 'integer', minimum: 1 },
    height: { type: 'integer', minimum: 1 },
    orientation: { type: 'integer', minimum: 1, maximum: 8 },
    bytes: { type: 'integer', minimum: 1 },
    points,
  },
} as const;

export type PlanLine = Record<keyof typeof planLineSchema.properties, number>;

export type Points = readonly [ReferencePoint, ReferencePoint];

/** Width and height are those of the displayed image, after the orientation has been applied. */
export interface PlanImage extends PlanImageSize {
  type: 'image/png' | 'image/jpeg' | 'image/webp';
  orientation: Orientation;
}

export interface PlanFile extends Omit<PlanImage, 'orientation'> {
  /**
   * Undefined for a plan stored by version 0.2 or earlier. Such a plan's width, height and points refer to the stored
   * pixels, so the plan keeps its scale and is displayed as before.
   */
  orientation?: Orientation;
  /** First characters of the image's hash; part of its file name. */
  version: string;
  bytes: number;
  points?: Points;
}

export interface PlanView extends PlanFile {
  placement?: Placement;
}
