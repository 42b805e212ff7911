import type { Vocabulary } from '../language.js';

export const LIVE_FLEET: Vocabulary = {
  'E-stop latched': 'Noodstop vergrendeld',
  Offline: 'Offline',
  'Cannot move': 'Kan niet rijden',
  Fault: 'Storing',
  'Cart {0}': 'Kar {0}',
  Camera: 'Camera',
  Controller: 'Controller',
  '{0} camera': 'Camera van {0}',
  '{0} controller': 'Controller van {0}',
  'Cart {0} is unknown. {1} is selected.': 'Kar {0} is onbekend. {1} is geselecteerd.',
  'stop not confirmed, retrying': 'stop niet bevestigd, wordt opnieuw verzonden',
  'E-stop latched on 1 more cart': 'Noodstop vergrendeld op nog 1 kar',
  'E-stop latched on {0} more carts': 'Noodstop vergrendeld op nog {0} karren',
};

export const FLEET: Vocabulary = {
  Fleet: 'Vloot',
  'Stop all carts': 'Alle karren stoppen',
  'Carts by state': 'Karren per status',
  carts: 'karren',
  'Number or name': 'Nummer of naam',
  'Sort by': 'Sorteren op',
  'all carts': 'alle karren',
  problems: 'problemen',
  'problems first': 'problemen eerst',
  number: 'nummer',
  name: 'naam',
  'lowest battery': 'laagste acculading',
  'oldest update': 'oudste bericht',
  Position: 'Positie',
  'No matching carts.': 'Geen karren gevonden.',
  'Turn on JavaScript to see {{more}} more carts.': 'Zet JavaScript aan om nog {{more}} karren te zien.',
};
