import type { Vocabulary } from '../language.js';

export const LIVE_FLEET: Vocabulary = {
  '1 cart stopped': '1 kar gestopt',
  '{0} carts stopped': '{0} karren gestopt',
  'All carts stopped by {0} at {1}': 'Alle karren gestopt door {0} om {1}',
  'motor controller and camera': 'motorcontroller en camera',
  'motor controller': 'motorcontroller',
  camera: 'camera',
  Offline: 'Offline',
  'Cannot move': 'Kan niet rijden',
  Fault: 'Storing',
  'Cart {0}': 'Cart {0}',
  Camera: 'Camera',
  Controller: 'Controller',
  '{0} camera': 'Camera van {0}',
  '{0} controller': 'Controller van {0}',
  'Cart {0} is unknown. {1} is selected.': 'Kar {0} is onbekend. {1} is geselecteerd.',
  'stop not confirmed, retrying': 'stop niet bevestigd, wordt opnieuw verzonden',
  '{0} more carts stopped': 'Nog {0} karren gestopt',
  'Other stopped carts: {0}': 'Andere gestopte karren: {0}',
};

export const FLEET: Vocabulary = {
  Fleet: 'Vloot',
  'all carts': 'alle karren',
  'End all moves': 'Alle bewegingen beëindigen',
  'End all moves stops every cart, and the carts can drive again immediately. After Stop all, each cart must be reset first.':
    'Alle bewegingen beëindigen stopt elke kar, en de karren kunnen direct weer rijden. Na Alles stoppen moet elke kar eerst worden gereset.',
  'Carts by state': 'Karren per status',
  carts: 'karren',
  'Number or name': 'Nummer of naam',
  'Sort by': 'Sorteren op',
  problems: 'problemen',
  'problems first': 'problemen eerst',
  number: 'nummer',
  name: 'naam',
  'lowest battery': 'laagste acculading',
  'oldest update': 'oudste bericht',
  Position: 'Positie',
  'Positions are measured forward and to the left from where each cart was switched on.':
    'Posities zijn gemeten naar voren en naar links vanaf de plek waar elke kar is ingeschakeld.',
  'No matching carts.': 'Geen karren gevonden.',
  'Carts with a duplicate number': 'Karren met een dubbel nummer',
  'Confirm that it is removed': 'Bevestigen dat hij weg is',
  'Turn on JavaScript to see {{more}} more carts.': 'Zet JavaScript aan om nog {{more}} karren te zien.',
};
