import type { brokerMessage } from '../../adapters/mqtt/messages.js';
import type { SettingTexts } from '../../settings/schema/setting-text.js';
import type { Translations } from '../../shared/messages/message.js';

export const MQTT_SETTINGS = {
  Server: 'Server',
  'The MQTT server to which this gateway connects.': 'De MQTT-server waarmee deze gateway verbinding maakt.',
  Host: 'Host',
  'Name or address of the external MQTT server. For the built-in MQTT server, the address on which it listens: 127.0.0.1 for this machine only, 0.0.0.0 for the whole network.':
    'Naam of adres van de externe MQTT-server. Bij de ingebouwde MQTT-server het adres waarop hij luistert: 127.0.0.1 voor alleen deze machine, 0.0.0.0 voor het hele netwerk.',
  Port: 'Poort',
  'Usually 1883, or 8883 with TLS. If 0, the built-in MQTT server uses any free port.':
    'Meestal 1883, of 8883 met TLS. Bij 0 gebruikt de ingebouwde MQTT-server een willekeurige vrije poort.',
  Protocol: 'Protocol',
  'Encryption can be used only with an external MQTT server.':
    'Versleuteling kan alleen met een externe MQTT-server worden gebruikt.',
  'MQTT version': 'MQTT-versie',
  'Every MQTT server supports MQTT 3.1.1. Automatic: the gateway tries MQTT 5 first.':
    'Elke MQTT-server ondersteunt MQTT 3.1.1. Automatisch: eerst wordt MQTT 5 geprobeerd.',
  Username: 'Gebruikersnaam',
  'Leave empty if the MQTT server does not require a username.':
    'Laat leeg als de MQTT-server geen gebruikersnaam vereist.',
  Password: 'Wachtwoord',
  'The password is not shown after it is saved. A password file is safer.':
    'Het wachtwoord wordt na het opslaan niet meer getoond. Een wachtwoordbestand is veiliger.',
  'Password file': 'Wachtwoordbestand',
  'Name of a one-line file in the broker-passwords folder of the data directory. Files in other folders are not allowed.':
    'Naam van een bestand van één regel in de map broker-passwords van de gegevensmap. Bestanden in andere mappen zijn niet toegestaan.',
  'Client ID': 'Client-ID',
  '"auto" derives the client ID from the fleet and the cart number. The client ID must be unique on the MQTT server.':
    '“auto” leidt het client-ID af van de vloot en het karnummer. Het client-ID moet uniek zijn op de MQTT-server.',
  'Keep-alive interval': 'Keep-alive-interval',
  'If the MQTT server receives nothing for 1.5 times this interval, it reports this gateway as offline.':
    'Als de MQTT-server 1,5 keer dit interval niets ontvangt, meldt hij deze gateway als offline.',
  'Topic root': 'Topicvoorvoegsel',
  'The first levels of every topic. Must be the same for all carts in a fleet.':
    'De eerste niveaus van elk topic. Moet voor alle karren in een vloot gelijk zijn.',
  TLS: 'TLS',
  'CA file': 'CA-bestand',
  "Path to the certificate (PEM) of the CA that signed the MQTT server's certificate.":
    'Pad naar het certificaat (PEM) van de CA die het certificaat van de MQTT-server heeft ondertekend.',
  'Certificate file': 'Certificaatbestand',
  "Path to this gateway's client certificate (PEM).":
    'Pad naar het clientcertificaat (PEM) van deze gateway.',
  'Key file': 'Sleutelbestand',
  "Path to this gateway's private key (PEM).": 'Pad naar de privésleutel (PEM) van deze gateway.',
  'Name in the certificate': 'Naam in het certificaat',
  'Needed only if this name differs from the host name.':
    'Alleen nodig als deze naam afwijkt van de hostnaam.',
  'Verify the certificate': 'Certificaat controleren',
  'If off, an attacker on the network can read messages and send commands.':
    'Als dit uitstaat, kan een aanvaller op het netwerk berichten lezen en opdrachten sturen.',
  'When the MQTT connection is lost': 'Als de verbinding met de MQTT-server wegvalt',
  'Show in Home Assistant': 'Tonen in Home Assistant',
  "Publishes two stop buttons and the cart's state. Home Assistant cannot move the cart.":
    'Publiceert de toestand van de kar en twee stopknoppen. Home Assistant kan de kar niet laten rijden.',
  'In both cases, new commands from the network are rejected.':
    'In beide gevallen worden nieuwe opdrachten van het netwerk geweigerd.',
  Automatic: 'Automatisch',
  'Built into this gateway': 'Ingebouwd in deze gateway',
  'External MQTT server': 'Externe MQTT-server',
  'Unencrypted (mqtt)': 'Onversleuteld (mqtt)',
  'Encrypted with TLS (mqtts)': 'Versleuteld met TLS (mqtts)',
  'MQTT 3.1.1': 'MQTT 3.1.1',
  'MQTT 5': 'MQTT 5',
  'Finish the running command': 'De lopende opdracht afmaken',
  'Stop the cart': 'De kar stoppen',
} satisfies SettingTexts<'mqtt'>;

export const BROKER_MESSAGES = {
  'broker.not-connected': 'de MQTT-server is niet verbonden ({reason})',
  'broker.connecting': 'verbinding wordt gemaakt',
  'broker.closed-broker': 'de MQTT-server is gesloten',
  'broker.contested': '{conflict} ({reason})',
  'broker.released': 'gesloten',
  'broker.refuses.version': 'de MQTT-server ondersteunt deze MQTT-versie niet',
  'broker.refuses.client-id':
    'de MQTT-server heeft het client-ID geweigerd; als de server een andere gateway is, moet de API-sleutel horen bij het karnummer waarmee deze gateway is gestart',
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
