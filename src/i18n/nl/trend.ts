import type { Vocabulary } from '../language.js';

export const TREND: Vocabulary = {
  'Last ten minutes': 'Laatste tien minuten',
  'JavaScript is required to draw the charts. The values are also available as JSON at':
    'JavaScript is nodig om de grafieken te tekenen. De waarden zijn ook als JSON beschikbaar op',
  '/system/trend': '/system/trend',
  'Values at': 'Waarden om',
  'Command acknowledgement time': 'Bevestigingstijd van opdrachten',
  '{0}, now': '{0}, nu',
  'not measured': 'niet gemeten',
  'no command': 'geen opdracht',
  'Maximum {0} at {1}': 'Maximum {0} om {1}',
  '{0}; median {1}': '{0}; mediaan {1}',
  'Constant {0}': 'Constant {0}',
  'Between {0} and {1}': 'Tussen {0} en {1}',
  '{0}; no data for {1} s': '{0}; {1} s geen gegevens',
  'No data yet.': 'Nog geen gegevens.',
  'No commands in these ten minutes.': 'Geen opdrachten in deze tien minuten.',
  'No data from the motor controller.': 'Geen gegevens van de motorcontroller.',
  'No battery data.': 'Geen accugegevens.',
};
