import type { FromSchema } from 'json-schema-to-ts';
import { markerIdSchema } from '../markers/schema.js';

/** Body of `POST /navigation/approach`. */
export const approachSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['markerId', 'standoffMm'],
  properties: {
    cartID: { type: 'integer', minimum: 1, maximum: 65_535, description: "Must be this gateway's cart" },
    markerId: markerIdSchema,
    standoffMm: {
      type: 'number',
      minimum: 200,
      maximum: 3000,
      unit: 'mm',
      description:
        'Distance from the marker to the midpoint between the driven wheels, at least the distance of the front of the cart from this point if `kinematics.footprint` is set. If the cart is closer, it reverses',
    },
    lateralMm: {
      type: 'number',
      minimum: -1000,
      maximum: 1000,
      unit: 'mm',
      description:
        "Distance from the marker's normal; positive to the left as seen from the cart; 0 by default",
    },
    headingDeg: {
      type: 'number',
      minimum: -20,
      maximum: 20,
      unit: 'deg',
      description:
        'Direction of the cart at the end: 0, the default, faces the marker; positive values are to the left',
    },
  },
} as const;

export type ApproachRequest = FromSchema<typeof approachSchema>;
