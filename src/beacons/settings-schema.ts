import type { FromSchema } from 'json-schema-to-ts';
import { faultAnnotation } from '../shared/validation/messages.js';
import { beaconMessage } from './messages.js';

export const beaconsSchema = {
  type: 'object',
  title: 'Beacons',
  additionalProperties: false,
  apply: 'live',
  default: {},
  required: ['pathLossExponent', 'maxRangeM', 'tileUrl', 'tileAttribution'],
  properties: {
    pathLossExponent: {
      type: 'number',
      minimum: 1.6,
      maximum: 4.5,
      title: 'Path loss exponent',
      description:
        'Rate at which the signal weakens with distance. Typical values: 2 outdoors, 2.5 to 3.5 indoors.',
      default: 2,
    },
    maxRangeM: {
      type: 'number',
      minimum: 1,
      maximum: 1000,
      unit: 'm',
      title: 'Maximum distance',
      description: 'Upper limit for estimated distances.',
      default: 100,
    },
    tileUrl: {
      type: 'string',
      maxLength: 500,
      // The URL must name exactly one host, because the host is added to the content security policy.
      pattern: '^$|^(?=.*\\{z\\})(?=.*\\{x\\})(?=.*\\{y\\})https?://[A-Za-z0-9.-]+(:\\d{1,5})?/[^\\s<>"]*$',
      ...faultAnnotation(beaconMessage('fault.tile-url', { z: '{z}', x: '{x}', y: '{y}' })),
      title: 'Map tiles',
      description:
        'URL of a tile server with {z}, {x} and {y}, such as http://tiles.local/{z}/{x}/{y}.png. If empty, the map shows only the floor plan or a grid.',
      default: '',
    },
    tileAttribution: {
      type: 'string',
      maxLength: 200,
      title: 'Tile attribution',
      description: 'Shown under the map, as required by many tile servers.',
      default: '',
    },
  },
} as const;

export type BeaconsSettings = FromSchema<typeof beaconsSchema>;
