import type { Vocabulary } from '../language.js';

/** The states of the carts on the fleet page. */
export const LIVE_FLEET: Vocabulary = {
  'E-stop latched': 'Noodstop vergrendeld',
  Offline: 'Onbereikbaar',
  'May not move': 'Mag niet rijden',
  Fault: 'Storing',
  'Cart {0}': 'Kar {0}',
  Camera: 'Camera',
  Controller: 'Sturing',
  'Camera of {0}': 'Camera van {0}',
  'Controller of {0}': 'Sturing van {0}',
  'Cart {0} is unknown. {1} is selected.': 'Kar {0} is niet bekend. {1} is gekozen.',
  'stop not confirmed, still trying': 'stop niet bevestigd, we blijven het proberen',
  '1 more cart is stopped': 'Nog 1 kar is gestopt',
  '{0} more carts are stopped': 'Nog {0} karren zijn gestopt',
};

/** The fleet page as it comes from the server. */
export const FLEET: Vocabulary = {
  Fleet: 'Vloot',
  'Stop all carts': 'Alle karren stoppen',
  'Carts by state': 'Karren per toestand',
  carts: 'karren',
  'Number or name': 'Nummer of naam',
  'Sort by': 'Sorteren op',
  'every cart': 'elke kar',
  problems: 'problemen',
  'problems first': 'problemen eerst',
  number: 'nummer',
  name: 'naam',
  'emptiest battery': 'leegste accu',
  'longest unheard': 'langst niet gehoord',
  Position: 'Plaats',
  'No cart fits.': 'Geen kar past hierbij.',
  '{{more}} more carts are shown with scripts only.': 'Nog {{more}} karren zijn alleen met scripts te zien.',
};
