import type { planMessage } from '../../plan/messages.js';
import type { Translations } from '../../shared/messages/message.js';

/** Also translated by the script of the Map page. */
export const PLAN_MESSAGES = {
  'plan.line-end': 'punt {point}: {axis} moet tussen 0 en {limit} px liggen',
  'plan.line-short': 'de lijn is {pixels} px lang; minstens {limit} px is vereist',
  'plan.line-short-hint': 'Teken een langere lijn, bijvoorbeeld langs de langste muur.',
  'plan.line-length': 'de lengte moet tussen {min} en {max} m liggen',
} satisfies Translations<typeof planMessage>;
