import { declareMessages } from '../shared/messages/message.js';

export const navigationMessage = declareMessages('navigation', {
  'unknown-marker': 'there is no marker {id}',
  'marker-exists': 'there is already a marker {id}',
  'marker-exists-hint': 'Change the existing marker, or use the ID of another marker.',
  'marker-changed': 'marker {id} was changed in the meantime',
  'marker-changed-hint': 'Read the marker again and repeat the change.',
  'marker-id': 'the ID must be a whole number from 0 to {limit}',
  'marker-id-differs': 'the ID in the body differs from the ID in the path',
  'marker-saved': 'Marker {id} saved',
  'marker-deleted': 'Marker {id} deleted',
  'marker-not-saved': 'Not saved. Nothing was changed.',
  object: 'must be an object',
  'detector.crashed': 'the marker detector has failed: {reason}',
  'detector.ended': 'the marker detector has stopped',
  'detector.timeout': 'the marker detector did not process an image within {ms} ms',
});
