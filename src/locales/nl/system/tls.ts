import type { Translations } from '../../../shared/messages/message.js';
import type { tlsMessage } from '../../../system/tls/messages.js';

export const TLS_MESSAGES = {
  'tls.clock-implausible':
    'de klok van de gateway staat op {time} en dat kan niet kloppen, dus HTTPS-certificaten worden niet gemaakt en niet vernieuwd; verbind de gateway met een tijdserver of stel de klok in met "sudo date"',
  'tls.clock-before-ca':
    'de klok van de gateway staat op {time}, maar de CA is pas geldig vanaf {day}, dus HTTPS-certificaten worden niet vernieuwd; zet de klok gelijk, of vervang de CA op de HTTPS-pagina als de klok klopt',
  'tls.ca-expired':
    'de CA van de gateway is op {day} verlopen; controleer de klok en vervang, als die klopt, de CA op de HTTPS-pagina en installeer de nieuwe op elk apparaat',
  'tls.expired':
    'het HTTPS-certificaat is op {day} verlopen; controleer de klok van de gateway en vernieuw, als die klopt, het certificaat op de HTTPS-pagina',
  'tls.expired-configured':
    'het HTTPS-certificaat in {file} is op {day} verlopen; controleer de klok van de gateway en vervang, als die klopt, het bestand en de sleutel en start de gateway opnieuw',
  'tls.not-yet-valid':
    'het HTTPS-certificaat is pas geldig vanaf {day}; controleer de klok van de gateway en vernieuw, als die klopt, het certificaat op de HTTPS-pagina',
  'tls.not-yet-valid-configured':
    'het HTTPS-certificaat in {file} is pas geldig vanaf {day}; controleer de klok van de gateway',
  'tls.files-unusable':
    'de bestanden van het HTTPS-certificaat zijn onbruikbaar ({reason}); maak een certificaat op de HTTPS-pagina',
  'tls.not-written': 'het bestand kon niet worden opgeslagen: {reason}',
  'tls.not-renewed':
    'het HTTPS-certificaat is niet vernieuwd ({reason}); de gateway probeert het elke minuut opnieuw',
  'tls.not-listening':
    'HTTPS is niet beschikbaar op poort {port} ({reason}); stel met HTTPS_PORT een vrije poort in',
  'tls.configured': 'de configuratie heeft een eigen certificaat ("tls")',
  'tls.configured-hint': 'Vervang de bestanden die daar staan, of verwijder "tls" uit de configuratie.',
  'tls.redirect-needs-https': 'deze pagina is niet via HTTPS geopend',
  'tls.redirect-needs-https-hint':
    'Open deze pagina via HTTPS, waaruit blijkt dat uw apparaat de CA vertrouwt, en zet de doorverwijzing daar aan.',
  'tls.redirect-on': 'Pagina’s worden doorverwezen naar HTTPS',
  'tls.redirect-off': 'Pagina’s worden niet meer doorverwezen naar HTTPS',
  'tls.created': 'Certificaat gemaakt',
  'tls.created-hint': 'Installeer de CA op elk apparaat dat de gateway via HTTPS opent.',
  'tls.no-ca': 'er is nog geen CA',
  'tls.no-ca-hint': 'Een beheerder kan op de HTTPS-pagina een certificaat maken.',
} satisfies Translations<typeof tlsMessage>;
