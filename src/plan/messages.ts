import { declareMessages } from '../shared/messages/message.js';

export const planMessage = declareMessages('plan', {
  'line-end': 'point {point}: {axis} must be between 0 and {limit} px',
  'line-short': 'the line is {pixels} px long; it must be at least {limit} px long',
  'line-short-hint': 'Draw a longer line, for example along the longest wall.',
  'line-length': 'the length must be between {min} and {max} m',
});
