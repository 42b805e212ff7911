import type { Vocabulary } from './language.js';
import { CALIBRATION_MESSAGES, NAVIGATION_MESSAGES } from './nl/messages/navigation.js';

/** Messages that only the server translates. */
export const SERVER_MESSAGES: Vocabulary = { ...NAVIGATION_MESSAGES, ...CALIBRATION_MESSAGES };
