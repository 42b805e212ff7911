import type { FromSchema } from 'json-schema-to-ts';
import { faultAnnotation } from '../shared/validation/messages.js';
import { beaconMessage } from './messages.js';

/** Section `beacons` of variables.json. */
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
      description: 'How fast the signal fades: 2 in the open, 2.5 to 3.5 indoors.',
      default: 2,
    },
    maxRangeM: {
      type: 'number',
      minimum: 1,
      maximum: 1000,
      unit: 'm',
      title: 'Longest distance',
      description: 'Computed distances end here.',
      default: 100,
    },
    tileUrl: {
      type: 'string',
      maxLength: 500,
      // Exactly one host, for the content security policy.
      pattern: '^$|^(?=.*\\{z\\})(?=.*\\{x\\})(?=.*\\{y\\})https?://[A-Za-z0-9.-]+(:\\d{1,5})?/[^\\s<>"]*$',
      ...faultAnnotation(beaconMessage('fault.tile-url', { z: '{z}', x: '{x}', y: '{y}' })),
      title: 'Map tiles',
      description:
        'Address of a tile server with {z}, {x} and {y}, such as http://tiles.local/{z}/{x}/{y}.png. Empty: the floor plan or a grid is drawn.',
      default: '',
    },
    tileAttribution: {
      type: 'string',
      maxLength: 200,
      title: 'Source of the tiles',
      description: 'Shown under the map, as many tile servers ask for.',
      default: '',
    },
  },
} as const;

export type BeaconsSettings = FromSchema<typeof beaconsSchema>;
