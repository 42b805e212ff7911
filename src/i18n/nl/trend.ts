import type { Vocabulary } from '../language.js';

/** The charts of the last ten minutes: their frame comes with the page, the rest is said while it is open. */
export const TREND: Vocabulary = {
  'The last ten minutes': 'De laatste tien minuten',
  'The charts are drawn with scripts only. As numbers they are at':
    'De grafieken worden alleen met scripts getekend. Als getallen staan ze op',
  '/system/trend': '/system/trend',
  'As it was at': 'Zoals het was om',
  'Controller acknowledged a command after': 'Motorcontroller bevestigde een opdracht na',
  '{0}, now': '{0}, nu',
  'not measured': 'niet gemeten',
  'no command': 'geen opdracht',
  'At most {0}, at {1}': 'Hoogstens {0}, om {1}',
  '{0}; half the time less than {1}': '{0}; de helft van de tijd minder dan {1}',
  'Always {0}': 'Altijd {0}',
  'Between {0} and {1}': 'Tussen {0} en {1}',
  '{0}; not measured for {1} s': '{0}; {1} s niet gemeten',
  'Nothing measured yet.': 'Nog niets gemeten.',
  'The controller was sent no command.': 'Er ging geen opdracht naar de motorcontroller.',
  'Nothing heard from the controller.': 'Niets gehoord van de motorcontroller.',
  'Nothing heard of the battery.': 'Niets gehoord over de accu.',
};
