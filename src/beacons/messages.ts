import { catalogue } from '../shared/messages/message.js';

/** The messages of this module. */
export const beaconMessage = catalogue('beacons', {
  saved: 'Saved {id}',
  deleted: 'Deleted {id}',
  'not-saved': 'Not saved. Nothing has changed.',
  'id-taken-hint': 'Find it in the table and edit it.',
  'id-taken': 'another beacon has the id "{id}"',
  'unknown-id': 'no beacon has the id "{id}"',
  'half-position': 'is missing: lat and long go together',
  object: 'must be an object',
});
