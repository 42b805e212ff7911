import type { fleetMessage } from '../../../carts/fleet/messages.js';
import type { Translations } from '../../../shared/messages/message.js';

export const LIVE_FLEET_TEXTS = {
  '1 cart stopped': '1 kar gestopt',
  '{0} carts stopped': '{0} karren gestopt',
  'All carts stopped by {0} at {1}': 'Alle karren gestopt door {0} om {1}',
  'motor controller and camera': 'motorcontroller en camera',
  'motor controller': 'motorcontroller',
  camera: 'camera',
  Offline: 'Offline',
  'version {0}': 'versie {0}',
  'version {0}, not current': 'versie {0}, niet actueel',
  'version {0}, to be confirmed': 'versie {0}, nog bevestigen',
  'version {0}, other floor plan': 'versie {0}, andere plattegrond',
  'version {0}, refuses an older one': 'versie {0}, weigert een oudere',
  none: 'geen',
  'no plan yet': 'nog geen plan',
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

export const FLEET_TEXTS = {
  Fleet: 'Vloot',
  'all carts': 'alle karren',
  'End all moves': 'Alle bewegingen beëindigen',
  'End all moves stops every cart, and the carts can drive again immediately. After Stop all, each cart must be reset first.':
    'Alle bewegingen beëindigen stopt elke kar, en de karren kunnen direct weer rijden. Na Alles stoppen moet elke kar eerst worden gereset.',
  'Carts by state': 'Karren per status',
  carts: 'karren',
  'Site plan': 'Zones en plaatsen',
  'Site plan:': 'Zones en plaatsen:',
  'Number or name': 'Nummer of naam',
  'Sort by': 'Sorteren op',
  problems: 'problemen',
  'problems first': 'problemen eerst',
  number: 'nummer',
  name: 'naam',
  'lowest battery': 'laagste acculading',
  'oldest update': 'oudste bericht',
  'Positions are measured forward and to the left from where each cart was switched on.':
    'Posities zijn gemeten naar voren en naar links vanaf de plek waar elke kar is ingeschakeld.',
  'No matching carts.': 'Geen karren gevonden.',
  'Carts with a duplicate number': 'Karren met een dubbel nummer',
  'Confirm that the other gateway is gone': 'Bevestigen dat de andere gateway weg is',
  'Turn on JavaScript to see {{more}} more carts.': 'Zet JavaScript aan om nog {{more}} karren te zien.',
};

export const FLEET_MESSAGES = {
  'fleet.not-seen': 'nog geen gegevens ontvangen',
  'fleet.not-online': 'de kar heeft niet gemeld dat hij online is',
  'fleet.switched-off': 'de kar is uitgezet',
  'fleet.hibernating': 'de kar is in slaapstand',
  'fleet.connection-broken': 'de kar is de verbinding met de MQTT-server kwijt',
  'fleet.silent': 'al {limit} s geen bericht ontvangen',
  'fleet.latched': 'een reset is nodig',
  'fleet.broker-down': 'de MQTT-server is niet verbonden ({reason})',
  'fleet.unreachable': 'kar {cartID} is niet te bereiken: de MQTT-server is niet verbonden ({reason})',
  'fleet.offline': 'kar {cartID} is offline: {reason}',
  'fleet.unconfirmed': 'de kar heeft de stop niet bevestigd',
  'fleet.unconfirmed-hint': 'Reset de kar om de onbevestigde stop in te trekken.',
  'fleet.latched-cart': 'kar {cartID} is gestopt tot een reset',
  'fleet.latched-hint': 'Zorg dat de weg vrij is en reset dan de kar.',
  'fleet.reset-unanswered': 'kar {cartID} antwoordde niet binnen {limit} ms op de reset',
  'fleet.reset-refused': 'de kar weigerde de reset',
  'fleet.no-reason': 'de kar gaf geen reden op',
  'fleet.restarted': 'de gateway van de kar is herstart; de opdracht wordt niet hervat',
  'fleet.result-lost': 'de kar heeft de opdracht beëindigd, maar het resultaat is niet ontvangen',
  'fleet.unacknowledged': 'kar {cartID} bevestigde de opdracht niet binnen {time}',
  'fleet.gone': 'kar {cartID} is offline: {reason}; het is niet bekend of hij is gestopt',
  'fleet.duplicate-own': 'een andere gateway ({gateways}) gebruikt ook karnummer {cartID}',
  'fleet.duplicate': 'meerdere gateways gebruiken karnummer {cartID}: {gateways}',
  'fleet.duplicate-hint':
    'Zet een van de gateways uit of geef hem een ander karnummer. Bevestig na 10 s op de pagina Vloot dat nog maar één gateway het nummer gebruikt.',
  'fleet.superseded':
    'gateway {gateway} is teruggezet vanuit een back-up van deze gateway en gebruikt karnummer {cartID}',
  'fleet.superseded-hint':
    'Schakel deze gateway uit. Schakel eerst de andere gateway uit en herstart daarna deze gateway als u hem weer wilt gebruiken.',
  'fleet.duplicate-live':
    'een andere gateway stuurde minder dan {limit} s geleden nog berichten als kar {cartID}; bevestigen kan na {limit} s stilte',
  'fleet.duplicate-unconfirmed':
    'gateway {gateway}, een van meerdere met dit karnummer, heeft de stop niet bevestigd',
} satisfies Translations<typeof fleetMessage>;
