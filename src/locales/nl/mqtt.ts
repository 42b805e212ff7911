import type { brokerMessage } from '../../adapters/mqtt/messages.js';
import type { Translations } from '../../shared/messages/message.js';

export const BROKER_MESSAGES = {
  'broker.not-connected': 'de MQTT-server is niet verbonden ({reason})',
  'broker.connecting': 'verbinding wordt gemaakt',
  'broker.closed-broker': 'de MQTT-server is gesloten',
  'broker.contested': '{conflict} ({reason})',
  'broker.released': 'gesloten',
  'broker.refuses.version': 'de MQTT-server ondersteunt deze MQTT-versie niet',
  'broker.refuses.client-id':
    'de MQTT-server heeft het client-ID geweigerd; als de server een andere gateway is, moet de sleutel horen bij het karnummer waarmee deze gateway is gestart',
  'broker.refuses.unavailable': 'de MQTT-server meldt dat de dienst niet beschikbaar is',
  'broker.refuses.credentials': 'de MQTT-server heeft de gebruikersnaam of het wachtwoord geweigerd',
  'broker.refuses.client-or-credentials':
    'de MQTT-server weigert deze client toegang (gebruikersnaam of wachtwoord onjuist, of geen toegang)',
  'broker.refuses.client': 'de MQTT-server weigert deze client toegang',
  'broker.refuses.busy': 'de MQTT-server is overbelast',
  'broker.refuses.banned': 'de MQTT-server heeft deze client geblokkeerd',
  'broker.refuses.shutting-down': 'de MQTT-server wordt afgesloten',
  'broker.refuses.silent-client': 'de MQTT-server heeft niet op tijd een pakket van deze client ontvangen',
  'broker.refuses.taken-over':
    'een andere client met hetzelfde ID heeft verbinding met de MQTT-server gemaakt',
  'broker.refuses.packet-too-large': 'een pakket was te groot voor de MQTT-server',
  'broker.refuses.quota': 'het quotum van deze client op de MQTT-server is op',
  'broker.refuses.rate': 'de MQTT-server heeft de verbinding geweigerd: te veel verbindingspogingen',
  'broker.refuses.code': 'de MQTT-server heeft de verbinding geweigerd met code {code}',
  'broker.trial.no-echo':
    'verbonden, maar het testbericht is niet ontvangen: deze client mag niet publiceren of zich niet abonneren',
  'broker.trial.no-subscribe': 'verbonden, maar deze client mag zich niet abonneren op {topic}',
  'broker.trial.own-broker':
    'dit is het adres van de ingebouwde MQTT-server van deze gateway, die stopt zodra een externe MQTT-server wordt opgeslagen',
  'broker.trial.tls-file': 'een TLS-bestand is onbruikbaar',
  'broker.trial.no-connection': 'geen verbinding: geen antwoord van deze host en poort',
  'broker.trial.timeout': 'de MQTT-server antwoordde niet op tijd',
  'broker.trial.no-session':
    'verbonden, maar geen MQTT-sessie: controleer de poort, het protocol en de TLS-bestanden',
  'broker.tls.self-signed': 'TLS is mislukt: het certificaat is zelfondertekend; stel het in als CA-bestand',
  'broker.tls.private-ca':
    'TLS is mislukt: het certificaat is uitgegeven door een eigen CA; stel het CA-bestand in',
  'broker.tls.unknown-issuer':
    'TLS is mislukt: het certificaat is uitgegeven door een onbekende CA; stel het CA-bestand in',
  'broker.no-answer': 'geen antwoord van de MQTT-server',
  'broker.silent': 'de MQTT-server reageert niet meer',
  'broker.settings-hint': 'Controleer de MQTT-instellingen.',
  'broker.not-connected-yet': 'nog niet verbonden',
  'broker.closed-here': 'door deze gateway gesloten',
  'broker.ended-by-broker': 'door de MQTT-server verbroken',
  'broker.packet-too-large': 'verbroken, omdat de MQTT-server een pakket van meer dan 64 kB stuurde',
  'broker.closed': 'de verbinding is gesloten',
  'broker.closed-before-answer': 'de verbinding is gesloten voordat de MQTT-server antwoordde',
  'broker.settings-changed': 'de MQTT-instellingen zijn gewijzigd',
  'broker.client-id-taken':
    'een andere client lijkt hetzelfde client-ID te gebruiken: verbindingen worden direct na het opbouwen verbroken',
  'broker.no-read': 'verbonden, maar deze client mag zich niet abonneren op {topics}',
  'broker.no-publish': 'deze client mag niet publiceren op {topic}',
  'broker.cannot-listen': 'de eigen MQTT-server kan niet luisteren op {address}: {reason}',
  'broker.port-taken': 'een ander programma luistert daar al',
  'broker.port-forbidden': 'deze gebruiker mag niet op die poort luisteren',
  'broker.port-hint': 'Kies een andere poort in de MQTT-instellingen, of stop het andere programma.',
  'broker.file-unreadable': 'bestand is niet leesbaar ({name}): {reason}',
} satisfies Translations<typeof brokerMessage>;
