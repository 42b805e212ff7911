import type { Vocabulary } from '../language.js';

/** The HTTPS page and the offline page. */
export const TLS: Vocabulary = {
  HTTPS: 'HTTPS',
  'Browsers may warn about the pages. Driving and stopping are not affected.':
    'Browsers waarschuwen mogelijk voor de pagina’s. Dit heeft geen invloed op rijden en stoppen.',
  'Check the certificate.': 'Controleer het certificaat.',
  'Open the HTTPS page': 'HTTPS-pagina openen',
  'needs attention': 'vraagt aandacht',
  'not set up': 'niet ingesteld',
  'not served': 'niet beschikbaar',
  'served on port {0}': 'beschikbaar op poort {0}',
  'Encrypted pages, which can be installed as an app.':
    'Versleutelde pagina’s, die als app kunnen worden geïnstalleerd.',
  'Certificate and CA': 'Certificaat en CA',
  Certificate: 'Certificaat',
  'The certificate comes from the configuration file. The gateway does not renew it.':
    'Het certificaat komt uit het configuratiebestand. De gateway vernieuwt het niet.',
  "Pages are not encrypted: everyone on this network can read them and change them on the way. Create a certificate, then install the gateway's CA on each phone and computer. No internet connection is needed.":
    'Pagina’s zijn niet versleuteld: iedereen op dit netwerk kan ze lezen en onderweg wijzigen. Maak een certificaat en installeer daarna de CA van de gateway op elke telefoon en computer. Een internetverbinding is niet nodig.',
  'Valid until': 'Geldig tot',
  'Renewed automatically 30 days before, and when the addresses change.':
    'Wordt 30 dagen daarvoor automatisch vernieuwd, en als de adressen wijzigen.',
  Addresses: 'Adressen',
  Redirect: 'Doorverwijzing',
  'Pages are redirected to HTTPS while the certificate is valid. Programs can use HTTP.':
    'Pagina’s worden doorverwezen naar HTTPS zolang het certificaat geldig is. Programma’s kunnen HTTP gebruiken.',
  'Pages are also available over HTTP. When all devices trust the CA, open this page over HTTPS and turn on the redirect.':
    'Pagina’s zijn ook via HTTP beschikbaar. Open deze pagina via HTTPS als alle apparaten de CA vertrouwen, en zet de doorverwijzing aan.',
  'Turn on the redirect': 'Doorverwijzing aanzetten',
  'Turn off the redirect': 'Doorverwijzing uitzetten',
  'Create certificate': 'Certificaat maken',
  'Renew certificate': 'Certificaat vernieuwen',
  'Administrators can create certificates.': 'Beheerders kunnen certificaten maken.',
  'Install the CA on a device': 'De CA op een apparaat installeren',
  'A device that trusts this CA opens the gateway without a warning. The CA can issue certificates for local names and private addresses only.':
    'Een apparaat dat deze CA vertrouwt, opent de gateway zonder waarschuwing. De CA kan alleen certificaten uitgeven voor lokale namen en privéadressen.',
  'Download the CA': 'CA downloaden',
  'Or scan this code with the device. It must be on the same network.':
    'Of scan deze code met het apparaat. Het moet met hetzelfde netwerk verbonden zijn.',
  'QR code for the download of the CA': 'QR-code om de CA te downloaden',
  'SHA-256 fingerprint': 'SHA-256-vingerafdruk',
  'Compare it with the one that the device shows.': 'Vergelijk deze met die op het apparaat.',
  Android: 'Android',
  'Download the CA. Open Settings, search for “CA certificate”, choose Install anyway and select the file.':
    'Download de CA. Open Instellingen, zoek naar “CA-certificaat”, kies Toch installeren en selecteer het bestand.',
  'iPhone and iPad': 'iPhone en iPad',
  'Open the download address in Safari and allow the profile. Open Settings, Profile Downloaded, Install. Then turn it on under General, About, Certificate Trust Settings.':
    'Open het downloadadres in Safari en sta het profiel toe. Open Instellingen, Profiel gedownload, Installeer. Zet het daarna aan onder Algemeen, Info, Instellingen certificaatvertrouwen.',
  Windows: 'Windows',
  'Open the downloaded file, choose Install Certificate, then Trusted Root Certification Authorities. Chrome and Edge use it at once.':
    'Open het gedownloade bestand, kies Certificaat installeren en daarna Vertrouwde basiscertificeringsinstanties. Chrome en Edge gebruiken de CA meteen.',
  macOS: 'macOS',
  'Open the downloaded file in Keychain Access. Open the certificate there and set Trust to Always Trust.':
    'Open het gedownloade bestand in Sleutelhangertoegang. Open daar het certificaat en zet Vertrouwen op Altijd vertrouwen.',
  'Linux and Firefox': 'Linux en Firefox',
  'Chrome: Settings, Privacy and security, Security, Manage certificates, then import it as trusted. Firefox: Settings, Privacy &amp; Security, View Certificates, Authorities, Import; select websites.':
    'Chrome: Instellingen, Privacy en beveiliging, Beveiliging, Certificaten beheren; importeer de CA daar als vertrouwd. Firefox: Instellingen, Privacy &amp; Beveiliging, Certificaten bekijken, Organisaties, Importeren; kies websites.',
  'Install as an app': 'Als app installeren',
  "Open the gateway over HTTPS and choose Install or Add to Home Screen in the browser's menu. Without a connection, the app only shows that it is offline.":
    'Open de gateway via HTTPS en kies Installeren of Zet op beginscherm in het menu van de browser. Zonder verbinding meldt de app alleen dat hij offline is.',
  'Replace the CA': 'CA vervangen',
  'If the key of the CA may have been copied, for example from a lost SD card. Every device has to remove the old CA and install the new one.':
    'Voor als de sleutel van de CA mogelijk is gekopieerd, bijvoorbeeld van een verloren SD-kaart. Op elk apparaat moet de oude CA worden verwijderd en de nieuwe worden geïnstalleerd.',
  Offline: 'Offline',
  'Offline: no connection to the gateway': 'Offline: geen verbinding met de gateway',
  'This page cannot stop the cart: use the button on the cart.':
    'Deze pagina kan de kar niet stoppen: gebruik de knop op de kar.',
  'Try again': 'Opnieuw proberen',
};
