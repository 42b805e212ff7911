import type { FromSchema } from 'json-schema-to-ts';

/** Hard limits for a command's three integers, independent of the settings. */
export const HARD = { cartIdMax: 65_535, distanceMax: 100_000, angleMax: 360 } as const;

export const cartIdSchema = { type: 'integer', minimum: 1, maximum: HARD.cartIdMax } as const;

export const commandRequestSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['cartID', 'distanceID', 'angleID'],
  properties: {
    cartID: { ...cartIdSchema },
    distanceID: { type: 'integer', minimum: -HARD.distanceMax, maximum: HARD.distanceMax },
    angleID: { type: 'integer', minimum: -HARD.distanceMax, maximum: HARD.distanceMax },
    commandId: {
      type: 'string',
      pattern: '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$',
      fault: 'must be a UUID',
    },
    maxSpeed: { type: 'integer', minimum: 1, maximum: 3000, unit: 'mm/s' },
    ttlMs: {
      type: 'integer',
      minimum: 100,
      maximum: 10_000,
      unit: 'ms',
      description:
        'Time within which the command must start. For a move with `onBusy: queue`, the time starts only after all earlier commands have ended. For a jog, the gateway uses at most 500 ms.',
    },
    onBusy: { type: 'string', enum: ['replace', 'reject', 'queue'] },
    mode: { type: 'string', enum: ['move', 'jog'] },
    meaning: {
      type: 'string',
      maxLength: 64,
      description:
        'Fingerprint of the units, from `/events`. The command is rejected if the units have changed.',
    },
  },
} as const;

export type CommandRequest = FromSchema<typeof commandRequestSchema>;
