import type { FromSchema } from 'json-schema-to-ts';

export const protectiveFieldSchema = {
  type: 'object',
  title: 'Protective field',
  additionalProperties: false,
  apply: 'idle',
  default: {},
  required: ['marginMm', 'slowDownMm'],
  properties: {
    marginMm: {
      type: 'integer',
      minimum: 50,
      maximum: 2000,
      unit: 'mm',
      title: 'Distance to keep',
      description:
        'The controller stops the cart at this distance from an obstacle that its distance sensors detect, or at a greater distance if its own setting is higher. Not safety-rated.',
      default: 100,
    },
    slowDownMm: {
      type: 'integer',
      minimum: 0,
      maximum: 10_000,
      unit: 'mm',
      title: 'Slow-down distance',
      description:
        'Within this distance of an obstacle in its direction of travel, the cart slows down progressively. If 0, the cart does not slow down, but still stops.',
      default: 1000,
    },
  },
} as const;

export type ProtectiveFieldSettings = FromSchema<typeof protectiveFieldSchema>;
