import type { Vocabulary } from '../language.js';

/** What became of a form, and why a request was refused: short titles, sentences and what to do. */
export const REFUSALS: Vocabulary = {
  'Command {0}': 'Opdracht {0}',
  'the settings have changed since this page was loaded: its numbers mean something else now':
    'de instellingen zijn gewijzigd sinds deze pagina is geladen: haar getallen betekenen nu iets anders',
  'Load the page again.': 'Laad de pagina opnieuw.',
};
