import { declareMessages } from '../shared/messages/message.js';

export const beaconMessage = declareMessages('beacons', {
  saved: 'Saved {id}',
  'no-power': 'Power at 1 m is not set: the gateway cannot estimate distances to this beacon.',
  deleted: 'Deleted {id}',
  'not-saved': 'Not saved. Nothing was changed.',
  'id-taken-hint': 'Find the beacon in the table and edit it there.',
  'id-taken': 'a beacon with the ID "{id}" already exists',
  'unknown-id': 'there is no beacon with the ID "{id}"',
  'id-characters': 'must not contain spaces or control characters',
  'half-position': 'is missing; lat and long must be given together',
  metres: 'must be a number, in metres',
  'line-end': 'point {point}: {axis} must be between 0 and {limit} px',
  'line-short': 'the line is {pixels} px long; it must be at least {limit} px long',
  'line-short-hint': 'Draw a longer line, for example along the longest wall.',
  'line-length': 'the length must be between {min} and {max} m',
  'plan-scaled': 'Scale set',
  'plan-not-scaled': 'Scale not set. Nothing was changed.',
  object: 'must be an object',
  'fault.tile-url': 'must be empty, or an http or https URL that contains {z}, {x} and {y}',
});
