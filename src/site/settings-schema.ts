import type { FromSchema } from 'json-schema-to-ts';
import { HARD } from '../carts/pure.js';

export const siteSchema = {
  type: 'object',
  title: 'Site plan',
  additionalProperties: false,
  apply: 'live',
  default: {},
  required: ['planOwner', 'marginMm'],
  properties: {
    planOwner: {
      type: 'integer',
      minimum: 0,
      maximum: HARD.cartIdMax,
      title: 'Owner of the site plan',
      description:
        'Number of the cart whose gateway publishes its zones and places to all gateways with this setting. Each of these gateways needs the site key and the same floor plan. 0: this gateway uses only its own zones and places.',
      default: 0,
    },
    marginMm: {
      type: 'integer',
      minimum: 50,
      maximum: 1000,
      unit: 'mm',
      title: 'Margin around the cart',
      description:
        'Distance that the cart keeps from zones, in addition to the uncertainty of its position: for inaccurate driving and as a reserve.',
      default: 100,
    },
  },
} as const;

export type SiteSettings = FromSchema<typeof siteSchema>;
