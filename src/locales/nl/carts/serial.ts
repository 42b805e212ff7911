import type { portMessage } from '../../../adapters/serialport/messages.js';
import type { serialMessage } from '../../../carts/serial/messages.js';
import type { Translations } from '../../../shared/messages/message.js';

export const SERIAL_MESSAGES = {
  'serial.not-opened': 'nog niet geopend',
  'serial.opening': '{path} wordt geopend',
  'serial.closed': 'gesloten',
  'serial.handshake': 'wacht op antwoord van de motorcontroller',
  'serial.quiet': 'al {time} niets van de motorcontroller ontvangen',
  'serial.silent': 'al {time} geen bericht van de motorcontroller',
  'serial.settings-changed': 'de instellingen zijn gewijzigd',
  'serial.lost': 'de seriële verbinding is weggevallen',
  'serial.lost-why': 'de seriële verbinding is weggevallen: {reason}',
  'serial.noise': '{frames} beschadigde frames binnen 1 s: de verbinding is onbetrouwbaar',
  'serial.controller-restarted': 'de motorcontroller is onverwacht herstart',
  'serial.timeout-reset': 'de motorcontroller is onverwacht herstart: de seriële time-out was gewist',
  'serial.deadman': 'de motorcontroller heeft de kar gestopt, omdat hij niets van de gateway ontving',
  'serial.loop-silent': 'de regellus is gestopt',
  'serial.no-answer': 'geen antwoord van een motorcontroller via {driver} binnen {limit} s',
  'serial.no-answer-hint': 'Controleer de bedrading, de baudrate en het protocol.',
  'serial.board-hint': 'Controleer de bedrading, de baudrate, het adres en het protocol.',
  'serial.protocol-version':
    'de motorcontroller gebruikt protocolversie {theirs}, deze gateway versie {ours}',
  'serial.protocol-hint': 'Werk de firmware van de motorcontroller bij.',
  'serial.baud-unsupported': '{driver} ondersteunt geen {baud} baud',
  'serial.baud-hint': 'Ondersteund: {bauds} baud.',
  'serial.two-wheels-only': '{driver} ondersteunt alleen differentiële aandrijving, geen gestuurde as',
  'serial.timeout-not-kept':
    'de seriële time-out van de motorcontroller is {actual} in plaats van {wanted}: hij zou de kar niet op tijd stoppen',
  'serial.sketch-warning':
    'een bestaande sketch bevestigt geen opdrachten en stopt de kar niet als de gateway uitvalt',
  'serial.sabertooth-warning':
    'een Sabertooth bevestigt geen opdrachten, en de gateway kan niet nagaan of hij na {time} zonder bericht stopt',
  'serial.watchdog-hint':
    'Stel safety.allowNoWatchdog in om dit te accepteren, of gebruik een andere motorcontroller.',
  'serial.unacknowledged.move':
    'de motorcontroller bevestigde de beweging niet binnen {time} ({tries} keer verzonden)',
  'serial.unacknowledged.stop':
    'de motorcontroller bevestigde de stop niet binnen {time} ({tries} keer verzonden)',
  'serial.unacknowledged.estop':
    'de motorcontroller bevestigde de vergrendelende stop niet binnen {time} ({tries} keer verzonden)',
  'serial.unacknowledged.limits':
    'de motorcontroller bevestigde de limieten niet binnen {time} ({tries} keer verzonden)',
  'serial.unacknowledged.sensors':
    'de motorcontroller meldde zijn afstandssensoren niet binnen {time} ({tries} keer gevraagd)',
  'serial.unacknowledged.field':
    'de motorcontroller bevestigde het beschermveld niet binnen {time} ({tries} keer verzonden)',
  'serial.unacknowledged.reset':
    'de motorcontroller bevestigde de reset niet binnen {time} ({tries} keer verzonden)',
  'serial.not-acknowledged': 'de motorcontroller bevestigde het pakket niet: {reason}',
  'serial.reply-late': 'geen antwoord binnen {time}',
  'serial.reply-unexpected': 'onverwacht antwoord',
  'serial.reply-not-ack': 'het antwoord is geen bevestiging',
  'serial.reply-checksum': 'de controlesom van het antwoord klopt niet',
  'serial.line-resync': 'de lijn wordt opnieuw gesynchroniseerd',
  'serial.expired-unacknowledged': 'de opdracht is verlopen voordat die was bevestigd',
  'serial.stopped-before': 'de kar werd gestopt voordat de opdracht aankwam',
  'serial.nack.BAD_LENGTH': 'de motorcontroller weigerde het frame: verkeerde lengte',
  'serial.nack.UNKNOWN_TYPE': 'de motorcontroller weigerde het frame: onbekend type',
  'serial.nack.BAD_SESSION': 'de motorcontroller is sinds de handshake opnieuw gestart',
  'serial.nack.ESTOP_ACTIVE': 'de noodstop van de motorcontroller is actief',
  'serial.nack.FAULT': 'de motorcontroller meldt een fout',
  'serial.nack.BUSY': 'de motorcontroller voert nog een andere beweging uit',
  'serial.nack.RANGE': 'de motorcontroller weigerde de afstand, de hoek of de snelheid: buiten bereik',
  'serial.nack.EXPIRED': 'de opdracht is verlopen voordat die de motorcontroller bereikte',
  'serial.nack.UNSUPPORTED': 'de motorcontroller ondersteunt deze opdracht niet',
  'serial.nack.DISARMED': 'de motorcontroller is niet vrijgegeven',
  'serial.estop-still-active': 'de noodstop van de motorcontroller is nog actief',
  'serial.no-jog': 'een sketch die kale JSON-regels ontvangt, ondersteunt geen handbediening',
  'serial.too-slow':
    'de maximumsnelheid van deze kar is {full} mm/s, lager dan de gevraagde {requested} mm/s',
  'serial.too-slow-hint': 'Geef een lagere snelheid op, of verlaag limits.defaultSpeedMmps.',
  'serial.too-fast': 'dit bord kan niet langzamer rijden dan {slowest} mm/s; de limiet is {requested} mm/s',
  'serial.turn-too-fast': 'dit bord kan niet langzamer draaien dan {slowest} graden/s',
  'serial.too-long': 'de beweging zou {time} duren; de limiet is {limit}',
  'port.busy': '{path} is in gebruik door een ander programma',
  'port.busy-hint':
    'Stop het andere programma (fuser toont het). Een seriële console op deze lijn moet uitgeschakeld zijn.',
  'port.missing': 'geen apparaat op {path}',
  'port.missing-hint': 'Controleer de kabel en het pad (ls -l /dev/serial/by-id/).',
  'port.unplugged': '{path} is losgekoppeld',
  'port.forbidden': 'geen rechten om {path} te openen (groep dialout)',
  'port.forbidden-hint':
    'Voeg de gebruiker toe aan de groep dialout, log dan opnieuw in of herstart de dienst.',
  'port.unusable': '{path} is niet te openen: {reason}',
  'port.closed': '{path} is niet open',
  'port.stuck': 'de lijn zit vast: {path} neemt geen bytes aan',
  'port.stuck-hint': 'Controleer de kabel. Flow control moet uit staan.',
} satisfies Translations<typeof serialMessage> & Translations<typeof portMessage>;
