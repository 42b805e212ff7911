import { MARKER_COUNT } from '../../shared/markers/tag36h11.js';

export const MAX_MARKER_ID = MARKER_COUNT - 1;

const mm = { type: 'number', minimum: -1_000_000, maximum: 1_000_000, unit: 'mm' } as const;

const pose = {
  xMm: mm,
  yMm: mm,
  headingDeg: { type: 'number', minimum: -360, maximum: 360, unit: 'degrees' },
} as const;

const properties = {
  sizeMm: { type: 'number', minimum: 20, maximum: 1000, unit: 'mm' },
  ...pose,
  purpose: { type: 'string', enum: ['reference', 'dock'] },
} as const;

export const markerIdSchema = { type: 'integer', minimum: 0, maximum: MAX_MARKER_ID } as const;

export const markerSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'sizeMm', 'xMm', 'yMm', 'headingDeg', 'purpose'],
  properties: { id: markerIdSchema, ...properties },
} as const;

export const poseSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['xMm', 'yMm', 'headingDeg'],
  properties: pose,
} as const;
