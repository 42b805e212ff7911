import type { Translations } from '../../../shared/messages/message.js';
import type { tlsMessage } from '../../../system/tls/messages.js';

export const TLS_TEXTS = {
  HTTPS: 'HTTPS',
  'Browsers may show a security warning. Driving and stopping are not affected.':
    'Browsers tonen mogelijk een beveiligingswaarschuwing. Dit heeft geen invloed op rijden en stoppen.',
  'Check the certificate.': 'Controleer het certificaat.',
  'Open the HTTPS page': 'HTTPS-pagina openen',
  'needs attention': 'vraagt aandacht',
  'not set up': 'niet ingesteld',
  'not available': 'niet beschikbaar',
  'available on port {0}': 'beschikbaar op poort {0}',
  'Encrypts the pages and allows them to be installed as an app.':
    'Versleutelt de pagina’s en maakt het mogelijk ze als app te installeren.',
  'Certificate and CA': 'Certificaat en CA',
  Certificate: 'Certificaat',
  'The certificate is set in the configuration file. The gateway does not renew it.':
    'Het certificaat is in het configuratiebestand ingesteld. De gateway vernieuwt het niet.',
  "Pages are not encrypted: anyone on this network can read them and modify them in transit. Create a certificate, then install the gateway's certificate authority (CA) on each phone and computer. No internet connection is required.":
    'Pagina’s zijn niet versleuteld: iedereen op dit netwerk kan ze lezen en onderweg wijzigen. Maak een certificaat en installeer daarna de certificeringsinstantie (CA) van de gateway op elke telefoon en computer. Een internetverbinding is niet nodig.',
  'Valid until': 'Geldig tot',
  'Needs attention': 'Vraagt aandacht',
  'On, port {0}.': 'Aan, poort {0}.',
  'On, port {0}. Pages are redirected to HTTPS.': 'Aan, poort {0}. Pagina’s worden omgeleid naar HTTPS.',
  'On, port {0}. Pages are also available over HTTP.':
    'Aan, poort {0}. Pagina’s zijn ook via HTTP beschikbaar.',
  'Renewed automatically 30 days before this date, and whenever the addresses change.':
    'Wordt 30 dagen voor deze datum automatisch vernieuwd, en ook als de adressen wijzigen.',
  Addresses: 'Adressen',
  Redirect: 'Doorverwijzing',
  'Pages are redirected to HTTPS while the certificate is valid. Programs can still use HTTP.':
    'Pagina’s worden doorverwezen naar HTTPS zolang het certificaat geldig is. Programma’s kunnen HTTP blijven gebruiken.',
  'Pages are also available over HTTP. Once all devices trust the CA, open this page over HTTPS and turn on the redirect.':
    'Pagina’s zijn ook via HTTP beschikbaar. Open deze pagina via HTTPS zodra alle apparaten de CA vertrouwen, en zet dan de doorverwijzing aan.',
  'Turn on the redirect': 'Doorverwijzing aanzetten',
  'Turn off the redirect': 'Doorverwijzing uitzetten',
  'Create certificate': 'Certificaat maken',
  'Renew certificate': 'Certificaat vernieuwen',
  'Administrators can create certificates.': 'Beheerders kunnen certificaten maken.',
  'Install the CA on a device': 'De CA op een apparaat installeren',
  "A device that trusts this certificate authority (CA) opens the gateway's pages without a warning. The CA can issue certificates only for local names and private addresses.":
    'Een apparaat dat deze certificeringsinstantie (CA) vertrouwt, opent de pagina’s van de gateway zonder waarschuwing. De CA kan alleen certificaten uitgeven voor lokale namen en privéadressen.',
  'After the certificate has been created, you can download the CA here or with a QR code. Then install the CA as follows.':
    'Als het certificaat is gemaakt, kunt u de CA hier downloaden, ook met een QR-code. Installeer de CA daarna als volgt.',
  'Download the CA': 'CA downloaden',
  'Or scan this code with the device, which must be on the same network.':
    'Of scan deze code met het apparaat. Het apparaat moet met hetzelfde netwerk verbonden zijn.',
  'QR code for downloading the CA': 'QR-code om de CA te downloaden',
  'SHA-256 fingerprint': 'SHA-256-vingerafdruk',
  'Check that the device shows this fingerprint.': 'Controleer of het apparaat deze vingerafdruk toont.',
  Android: 'Android',
  'Download the CA. Open Settings, search for “CA certificate”, choose Install anyway and select the file.':
    'Download de CA. Open Instellingen, zoek naar “CA-certificaat”, kies “Toch installeren” en selecteer het bestand.',
  'iPhone and iPad': 'iPhone en iPad',
  'Open the download address in Safari and allow the profile. In Settings, open Profile Downloaded and tap Install. Then turn on the CA under General, About, Certificate Trust Settings.':
    'Open het downloadadres in Safari en sta het profiel toe. Tik in Instellingen op “Profiel gedownload” en daarna op “Installeer”. Zet de CA daarna aan onder Algemeen, Info, Instellingen certificaatvertrouwen.',
  Windows: 'Windows',
  'Open the downloaded file, choose Install Certificate and select the Trusted Root Certification Authorities store. Chrome and Edge use the CA immediately.':
    'Open het gedownloade bestand, kies “Certificaat installeren” en daarna het archief “Vertrouwde basiscertificeringsinstanties”. Chrome en Edge gebruiken de CA meteen.',
  macOS: 'macOS',
  'Open the downloaded file in Keychain Access. Open the certificate there, expand Trust and set When using this certificate to Always Trust.':
    'Open het gedownloade bestand in Sleutelhangertoegang. Open daar het certificaat, klap Vertrouw uit en zet Bij gebruik van dit certificaat op Vertrouw altijd.',
  'Linux and Firefox': 'Linux en Firefox',
  'Chrome: open Settings, Privacy and security, Security, Manage certificates, then import the CA as trusted. Firefox: open Settings, Privacy &amp; Security, View Certificates, Authorities, Import, then choose to trust the CA for websites.':
    'Chrome: open Instellingen, Privacy en beveiliging, Beveiliging, Certificaten beheren en importeer de CA als vertrouwd. Firefox: open Instellingen, Privacy &amp; Beveiliging, Certificaten bekijken, Organisaties, Importeren en vertrouw de CA voor websites.',
  'Install as an app': 'Als app installeren',
  "Open the gateway over HTTPS and choose Install or Add to Home Screen in the browser's menu. Without a connection to the gateway, the app shows only an offline message.":
    'Open de gateway via HTTPS en kies “Installeren” of “Zet op beginscherm” in het menu van de browser. Zonder verbinding met de gateway toont de app alleen een offlinemelding.',
  'Replace the CA': 'CA vervangen',
  'Replace the CA if its key may have been copied, for example from a lost SD card. Afterwards, remove the old CA from every device and install the new one.':
    'Vervang de CA als de sleutel ervan mogelijk is gekopieerd, bijvoorbeeld van een verloren SD-kaart. Verwijder daarna op elk apparaat de oude CA en installeer de nieuwe.',
  'Offline: no connection to the gateway': 'Offline: geen verbinding met de gateway',
  'This page cannot stop the cart: use the button on the cart.':
    'Deze pagina kan de kar niet stoppen: gebruik de knop op de kar.',
};

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
