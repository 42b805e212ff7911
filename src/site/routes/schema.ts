import { idSchema, mmSchema, nameSchema } from '../plan-data/schema.js';

/** A plan with all of them still fits into one message for other gateways. */
export const ROUTE_LIMITS = { routes: 50, legs: 500, allLegs: 2000 } as const;

const MAX_WAIT_S = 3600;

/** Which members belong to which kind is checked later. */
const routeActionSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['kind'],
  properties: {
    kind: { type: 'string', enum: ['WAIT', 'WAIT_FOR_OPERATOR', 'PHOTO', 'DOCK'] },
    seconds: { type: 'integer', minimum: 1, maximum: MAX_WAIT_S, unit: 's' },
    markerId: { type: 'integer', minimum: 0, maximum: 586 },
  },
} as const;

export const legSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['xMm', 'yMm'],
  properties: {
    xMm: mmSchema,
    yMm: mmSchema,
    headingDeg: { type: 'number', minimum: -360, maximum: 360, unit: 'degrees' },
    maxSpeedMmps: { type: 'integer', minimum: 10, maximum: 10_000, unit: 'mm/s' },
    action: routeActionSchema,
  },
} as const;

/** The ID is part of the address. */
export const routeBodySchema = {
  type: 'object',
  required: ['name', 'legs'],
  properties: {
    name: nameSchema,
    cartID: { type: 'integer', minimum: 1, maximum: 65_535 },
    legs: { type: 'array', items: legSchema, minItems: 2, maxItems: ROUTE_LIMITS.legs },
  },
} as const;

export const routeSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['id', 'name', 'legs'],
  properties: { id: idSchema, ...routeBodySchema.properties },
} as const;

export const runRequestSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['routeId', 'cartID'],
  properties: {
    routeId: idSchema,
    cartID: { type: 'integer', minimum: 1, maximum: 65_535 },
    fromLeg: { type: 'integer', minimum: 0, maximum: ROUTE_LIMITS.legs },
    loops: { type: 'integer', minimum: 1, maximum: 1000 },
  },
} as const;
