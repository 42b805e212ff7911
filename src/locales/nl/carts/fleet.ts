import type { fleetMessage } from '../../../carts/fleet/messages.js';
import type { Translations } from '../../../shared/messages/message.js';

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
  'fleet.duplicate-live':
    'een andere gateway stuurde minder dan {limit} s geleden nog berichten als kar {cartID}; bevestigen kan na {limit} s stilte',
  'fleet.duplicate-unconfirmed':
    'gateway {gateway}, een van meerdere met dit karnummer, heeft de stop niet bevestigd',
} satisfies Translations<typeof fleetMessage>;
