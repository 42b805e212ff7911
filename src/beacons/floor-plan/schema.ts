import type { PictureSize, Placement, ReferencePoint } from './georeference.js';

const pointSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['x', 'y', 'lat', 'long'],
  properties: {
    x: { type: 'number', minimum: 0, unit: 'px' },
    y: { type: 'number', minimum: 0, unit: 'px' },
    lat: { type: 'number', minimum: -90, maximum: 90, unit: 'degrees' },
    long: { type: 'number', minimum: -180, maximum: 180, unit: 'degrees' },
  },
} as const;

const points = { type: 'array', items: pointSchema, minItems: 2, maxItems: 2 } as const;

/** Two pixels of a floor plan and their places. */
export const pointsSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['points'],
  properties: { points },
} as const;

/** `plan.json`: what is known of the picture beside it. */
export const planFileSchema = {
  type: 'object',
  required: ['version', 'type', 'width', 'height', 'bytes'],
  properties: {
    version: { type: 'string', pattern: '^[A-Za-z0-9_-]{16}$' },
    type: { type: 'string', enum: ['image/png', 'image/jpeg', 'image/webp'] },
    width: { type: 'integer', minimum: 1 },
    height: { type: 'integer', minimum: 1 },
    bytes: { type: 'integer', minimum: 1 },
    points,
  },
} as const;

export type Points = readonly [ReferencePoint, ReferencePoint];

/** A picture that a browser can draw. */
export interface PlanImage extends PictureSize {
  type: 'image/png' | 'image/jpeg' | 'image/webp';
}

export interface PlanFile extends PlanImage {
  /** Changes with the picture; its file is named by it. */
  version: string;
  bytes: number;
  points?: Points;
}

/** The floor plan as the page knows it. */
export interface PlanView extends PlanFile {
  /** Where it lies, once its points are known. */
  placement?: Placement;
}
