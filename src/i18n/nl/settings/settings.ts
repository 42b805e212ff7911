import type { Vocabulary } from '../../language.js';

/** Settings pages, except the form. */
export const SETTINGS_PAGES: Vocabulary = {
  Sections: 'Secties',
  'Camera (separate page)': 'Camera (aparte pagina)',
  'History, export, import': 'Geschiedenis, exporteren, importeren',
  'Test connection': 'Verbinding testen',
  Discard: 'Verwerpen',
  'Review changes': 'Wijzigingen controleren',
  'All settings': 'Alle instellingen',
  Versions: 'Versies',
  'The last 20 versions. They contain no passwords: restoring a version keeps the current passwords.':
    'De laatste 20 versies. Ze bevatten geen wachtwoorden: bij het terugzetten blijven de huidige wachtwoorden behouden.',
  'Version {{version}}': 'Versie {{version}}',
  ', current': ', huidig',
  Compare: 'Vergelijken',
  'version {{version}}': 'versie {{version}}',
  'and restore': 'en terugzetten',
  'All settings in one file. Passwords are masked as':
    'Alle instellingen in één bestand. Wachtwoorden zijn gemaskeerd als',
  'Not imported. Nothing has changed.': 'Niet geïmporteerd. Er is niets gewijzigd.',
  'Settings as JSON': 'Instellingen als JSON',
  'The whole document or individual sections, at most 256 kB. A password of':
    'Het hele document of afzonderlijke secties, maximaal 256 kB. Een wachtwoord met de waarde',
  'is not changed. You can review the changes before they are applied.':
    'wordt niet gewijzigd. U kunt de wijzigingen controleren voordat ze worden toegepast.',
  'Review import': 'Import controleren',
  'The settings have changed since you opened the form':
    'De instellingen zijn gewijzigd sinds u het formulier opende',
  'Check every line: saving may undo those changes.':
    'Controleer elke regel: opslaan kan die wijzigingen ongedaan maken.',
  'Not applied yet': 'Nog niet toegepast',
  'These settings can be changed only while the cart is stationary.':
    'Deze instellingen kunnen alleen worden gewijzigd terwijl de kar stilstaat.',
  'Some changes take effect at the next start of the gateway.':
    'Sommige wijzigingen worden van kracht bij de volgende start van de gateway.',
  'Confirmation required:': 'Bevestiging vereist:',
  'these changes could cut off your access to the cart. Confirm them within {{trialS}} s at the top of any page. Otherwise they are rolled back, even after a power failure.':
    'deze wijzigingen kunnen uw toegang tot de kar verbreken. Bevestig ze binnen {{trialS}} s bovenaan een willekeurige pagina. Anders worden ze teruggedraaid, ook na een stroomstoring.',
  Apply: 'Toepassen',
  'Back to the form': 'Terug naar het formulier',
  from: 'van',
  to: 'naar',
  'Takes effect immediately': 'Wordt direct van kracht',
  'Can be changed only while the cart is stationary': 'Alleen te wijzigen terwijl de kar stilstaat',
  'Takes effect after a gateway restart': 'Wordt van kracht na een herstart van de gateway',
  '{0} to {1}.': '{0} tot {1}.',
  'May be empty.': 'Mag leeg zijn.',
  'Cart must be stationary': 'Kar moet stilstaan',
  'After a restart': 'Na een herstart',
  'not set': 'niet ingesteld',
  empty: 'leeg',
  on: 'aan',
  off: 'uit',
  'loaded at start': 'geladen bij de start',
  saved: 'opgeslagen',
  imported: 'geïmporteerd',
  'earlier version restored': 'eerdere versie teruggezet',
  'rolled back': 'teruggedraaid',
  'file edited': 'bestand bewerkt',
  '1 change': '1 wijziging',
  '{0} changes': '{0} wijzigingen',
  'Settings history': 'Geschiedenis van de instellingen',
};

/** Titles and descriptions in the settings schema; those of the camera are in `camera.ts`. */
export const SETTINGS: Vocabulary = {
  'Always 1.': 'Altijd 1.',
  'Cart number': 'Karnummer',
  'The cart on which this gateway is mounted. Its commands go to the serial line.':
    'De kar waarop deze gateway is gemonteerd. De opdrachten gaan naar de seriële lijn.',
  Fleet: 'Vloot',
  'Third level of the MQTT topics: letters, digits, _ and -.':
    'Derde niveau van de MQTT-topics: letters, cijfers, _ en -.',
  Manufacturer: 'Fabrikant',
  'Included in the header of every MQTT message.': 'Staat in de header van elk MQTT-bericht.',
  Name: 'Naam',
  'Shown on every page.': 'Wordt op elke pagina getoond.',
  'Announce on the local network': 'Aankondigen op het lokale netwerk',
  'Devices on the same network can find the gateway by name (mDNS).':
    'Apparaten op hetzelfde netwerk kunnen de gateway op naam vinden (mDNS).',
  Broker: 'Broker',
  '"embedded": this gateway runs the broker. "external": the broker runs elsewhere.':
    '"embedded": deze gateway draait de broker. "external": de broker draait ergens anders.',
  Host: 'Host',
  'Name or address of the external broker. For the embedded broker, the address on which it listens: 127.0.0.1 for this machine only, 0.0.0.0 for the whole network.':
    'Naam of adres van de externe broker. Bij de ingebouwde broker het adres waarop hij luistert: 127.0.0.1 voor alleen deze machine, 0.0.0.0 voor het hele netwerk.',
  Port: 'Poort',
  'Usually 1883, or 8883 with TLS. With 0 the embedded broker uses any free port.':
    'Meestal 1883, of 8883 met TLS. Bij 0 gebruikt de ingebouwde broker een willekeurige vrije poort.',
  Protocol: 'Protocol',
  '"mqtts" is encrypted (TLS), for an external broker only.':
    '"mqtts" is versleuteld (TLS), alleen voor een externe broker.',
  'MQTT version': 'MQTT-versie',
  '4 is MQTT 3.1.1, which every broker supports. "auto" tries 5 first.':
    '4 is MQTT 3.1.1, dat elke broker ondersteunt. "auto" probeert eerst 5.',
  Username: 'Gebruikersnaam',
  'Leave empty if the broker does not require one.': 'Laat leeg als de broker er geen vereist.',
  Password: 'Wachtwoord',
  'Not shown after it is saved. A password file is safer.':
    'Wordt na het opslaan niet meer getoond. Een wachtwoordbestand is veiliger.',
  'Password file': 'Wachtwoordbestand',
  'Name of a one-line file in the folder broker-passwords of the data directory. Other folders are not allowed.':
    'Naam van een bestand van één regel in de map broker-passwords van de gegevensmap. Andere mappen zijn niet toegestaan.',
  'Client ID': 'Client-ID',
  '"auto" derives it from the fleet and the cart number. It must be unique on the broker.':
    '"auto" leidt het af van de vloot en het karnummer. Het moet uniek zijn op de broker.',
  'Keep-alive interval': 'Keep-alive-interval',
  'The broker reports this gateway offline after 1.5 times this interval.':
    'De broker meldt deze gateway offline na 1,5 keer dit interval.',
  'Topic root': 'Topicvoorvoegsel',
  'First levels of every topic. Must be the same for all carts of a fleet.':
    'Eerste niveaus van elk topic. Moet voor alle karren van een vloot gelijk zijn.',
  TLS: 'TLS',
  'CA file': 'CA-bestand',
  'Certificate of the CA that signed the broker certificate (PEM).':
    'Certificaat van de CA die het brokercertificaat heeft ondertekend (PEM).',
  'Certificate file': 'Certificaatbestand',
  'Client certificate of this gateway (PEM).': 'Clientcertificaat van deze gateway (PEM).',
  'Key file': 'Sleutelbestand',
  'Private key of this gateway (PEM).': 'Privésleutel van deze gateway (PEM).',
  'Name in the certificate': 'Naam in het certificaat',
  'Only if it differs from the host.': 'Alleen als die afwijkt van de host.',
  'Verify the certificate': 'Certificaat controleren',
  'If off, an attacker on the network can read messages and send commands.':
    'Indien uit, kan een aanvaller op het netwerk berichten lezen en opdrachten sturen.',
  'When the broker connection is lost': 'Als de verbinding met de broker wegvalt',
  'Show in Home Assistant': 'Tonen in Home Assistant',
  'Publishes two stop buttons and the state of the cart. Home Assistant cannot move the cart.':
    'Publiceert de toestand van de kar en twee stopknoppen. Home Assistant kan de kar niet laten rijden.',
  'Finish the running command, or stop. Either way, new commands from the network are not accepted.':
    'De lopende opdracht afmaken, of stoppen. In beide gevallen worden nieuwe opdrachten van het netwerk niet geaccepteerd.',
  'Interpretation of numbers': 'Betekenis van getallen',
  '"direct": values in the units below. "table": keys of the presets.':
    '"direct": waarden in de eenheden hieronder. "table": sleutels van de voorinstellingen.',
  'Distance unit': 'Eenheid van afstand',
  'The default is the smallest unit, so that a mistake moves the cart too little.':
    'De standaard is de kleinste eenheid, zodat de kar bij een vergissing te weinig rijdt.',
  'Angle unit': 'Eenheid van hoek',
  'Degrees, tenths or hundredths of a degree. Positive values turn left.':
    'Graden, tienden of honderdsten van een graad. Positieve waarden draaien naar links.',
  'distanceID to mm': 'distanceID naar mm',
  'angleID to degrees': 'angleID naar graden',
  'Path loss exponent': 'Padverliesexponent',
  'Signal loss over distance: 2 outdoors, 2.5 to 3.5 indoors.':
    'Signaalverlies over de afstand: 2 buiten, 2,5 tot 3,5 binnen.',
  'Maximum distance': 'Maximale afstand',
  'Upper limit of estimated distances.': 'Bovengrens van geschatte afstanden.',
  'Map tiles': 'Kaarttegels',
  'URL of a tile server with {z}, {x} and {y}, such as http://tiles.local/{z}/{x}/{y}.png. Empty: floor plan or grid only.':
    'URL van een tegelserver met {z}, {x} en {y}, zoals http://tiles.local/{z}/{x}/{y}.png. Leeg: alleen plattegrond of raster.',
  'Tile attribution': 'Bronvermelding van de tegels',
  'Shown under the map, as required by many tile servers.':
    'Wordt onder de kaart getoond, zoals veel tegelservers eisen.',
  Level: 'Niveau',
  'Lower levels are not logged. With "info", CARTWRIGHT_LOG_LEVEL applies.':
    'Lagere niveaus worden niet vastgelegd. Bij "info" geldt CARTWRIGHT_LOG_LEVEL.',
};
