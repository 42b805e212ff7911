import type { Vocabulary } from '../../language.js';

/** The pages of the settings around the form. */
export const SETTINGS_PAGES: Vocabulary = {
  Sections: 'Onderdelen',
  'Camera (own page)': 'Camera (eigen pagina)',
  'History, export, import': 'Geschiedenis, exporteren, importeren',
  'Test connection': 'Verbinding testen',
  Discard: 'Niet bewaren',
  'Check and save': 'Nakijken en opslaan',
  'All settings': 'Alle instellingen',
  Versions: 'Versies',
  'The last 20. Passwords are in none of them: going back keeps the passwords of today.':
    'De laatste 20. Er staan geen wachtwoorden in: wie teruggaat, houdt de wachtwoorden van vandaag.',
  'Version {{version}}': 'Versie {{version}}',
  ', in force': ', van kracht',
  Compare: 'Vergelijken',
  'version {{version}}': 'versie {{version}}',
  'and restore': 'en herstellen',
  'All settings in one file. Passwords are masked as':
    'Alle instellingen in één bestand. Wachtwoorden zijn gemaskeerd als',
  'Not imported. Nothing has changed.': 'Niet geïmporteerd. Er is niets gewijzigd.',
  'Settings as JSON': 'Instellingen als JSON',
  'The whole document or some of its sections, at most 256 kB. A password that is':
    'Het hele document of enkele onderdelen, hoogstens 256 kB. Een wachtwoord dat',
  'stays as it is. What would change is shown first.':
    'is, blijft zoals het is. Wat er zou veranderen wordt eerst getoond.',
  'Check the import': 'Import nakijken',
  'Somebody else has changed the settings meanwhile':
    'Iemand anders heeft intussen de instellingen gewijzigd',
  'This form was older. Check every line: it may take back what was changed.':
    'Dit formulier was ouder. Kijk elke regel na: het kan terugnemen wat gewijzigd is.',
  'Nothing has changed yet': 'Er is nog niets gewijzigd',
  'The cart must stand still for this.': 'De kar moet hiervoor stilstaan.',
  'Part of the settings takes effect at the next start of the gateway.':
    'Een deel van de instellingen geldt vanaf de volgende start van de gateway.',
  'On trial:': 'Op proef:',
  'this could cut you off from the cart. Within {{trialS}} s somebody must confirm it at the top of any page. Otherwise the gateway goes back to the settings of now, also after a power cut.':
    'dit zou u van de kar kunnen afsnijden. Binnen {{trialS}} s moet iemand het bovenaan een pagina bevestigen. Anders gaat de gateway terug naar de instellingen van nu, ook na een stroomstoring.',
  'Apply on trial': 'Op proef toepassen',
  'Back to the form': 'Terug naar het formulier',
  from: 'van',
  to: 'naar',
  'Takes effect at once': 'Geldt meteen',
  'Can be saved while no cart moves': 'Op te slaan zolang er geen kar rijdt',
  'Takes effect after a restart of the gateway': 'Geldt na een herstart van de gateway',
  '{0} to {1}.': '{0} tot {1}.',
  'May be empty.': 'Mag leeg zijn.',
  'Cart must stand still': 'Kar moet stilstaan',
  'After a restart': 'Na een herstart',
  'not there': 'niet aanwezig',
  empty: 'leeg',
  on: 'aan',
  off: 'uit',
  'found in the file at a start': 'bij een start in het bestand gevonden',
  saved: 'opgeslagen',
  imported: 'geïmporteerd',
  'an older version restored': 'een oudere versie hersteld',
  'rolled back': 'teruggedraaid',
  'the file was edited': 'het bestand is bewerkt',
  '1 change': '1 wijziging',
  '{0} changes': '{0} wijzigingen',
  'History of the settings': 'Geschiedenis van de instellingen',
};

/** Titles and help of the settings, as the schema has them; the camera's are in `dutch-camera.ts`. */
export const SETTINGS: Vocabulary = {
  'Always 1.': 'Altijd 1.',
  'Cart number': 'Nummer van de kar',
  'The cart that this gateway rides on. Its commands go to the serial line.':
    'De kar waarop deze gateway rijdt. Zijn opdrachten gaan naar de seriële lijn.',
  Fleet: 'Vloot',
  'Third level of the MQTT topics: letters, digits, _ and -.':
    'Derde niveau van de MQTT-topics: letters, cijfers, _ en -.',
  Manufacturer: 'Fabrikant',
  'Goes into the header of every MQTT message.': 'Komt in de kop van elk MQTT-bericht.',
  Name: 'Naam',
  'Shown on every page.': 'Wordt op elke pagina getoond.',
  'Announce on the local network': 'Bekendmaken op het lokale netwerk',
  'Programs and phones on the same network find the gateway by its name (mDNS).':
    'Programma’s en telefoons op hetzelfde netwerk vinden de gateway bij zijn naam (mDNS).',
  Broker: 'Broker',
  '"embedded": this gateway runs its own. "external": one that already runs elsewhere.':
    '"embedded": deze gateway heeft een eigen broker. "external": een broker die al ergens anders draait.',
  Host: 'Host',
  'Name or address of the external broker. For the embedded one the address it listens on: 127.0.0.1 for this machine only, 0.0.0.0 for the whole network.':
    'Naam of adres van de externe broker. Bij de eigen broker het adres waarop hij luistert: 127.0.0.1 alleen voor deze machine, 0.0.0.0 voor het hele netwerk.',
  Port: 'Poort',
  'Usually 1883, with TLS 8883. 0 lets the embedded broker take any free port.':
    'Meestal 1883, met TLS 8883. Bij 0 neemt de eigen broker een vrije poort.',
  Connection: 'Verbinding',
  '"mqtts" is encrypted (TLS); only for an external broker.':
    '"mqtts" is versleuteld (TLS); alleen voor een externe broker.',
  'MQTT version': 'MQTT-versie',
  '4 is MQTT 3.1.1 and works everywhere. "auto" tries 5 first.':
    '4 is MQTT 3.1.1 en werkt overal. "auto" probeert eerst 5.',
  'User name': 'Gebruikersnaam',
  'Leave empty when the broker asks for none.': 'Laat leeg als de broker er geen vraagt.',
  Password: 'Wachtwoord',
  'Never shown again. A password file is safer.':
    'Wordt nooit meer getoond. Een wachtwoordbestand is veiliger.',
  'Password file': 'Wachtwoordbestand',
  'A file of one line in the folder broker-passwords of the data directory. No other folder is read.':
    'Een bestand van één regel in de map broker-passwords van de gegevensmap. Een andere map wordt niet gelezen.',
  'Client id': 'Client-id',
  '"auto" makes one from the fleet and the cart number. No two clients may share one.':
    '"auto" maakt er een van de vloot en het nummer van de kar. Geen twee clients mogen er een delen.',
  'Keep-alive every': 'Levensteken elke',
  'The broker reports this gateway lost after one and a half times this long.':
    'Na anderhalf keer zo lang meldt de broker deze gateway als verloren.',
  'Topic root': 'Stam van de topics',
  'First levels of every topic. All carts of a fleet need the same.':
    'Eerste niveaus van elk topic. Alle karren van een vloot hebben dezelfde nodig.',
  TLS: 'TLS',
  'CA file': 'CA-bestand',
  'Certificate of who signed the broker (PEM).': 'Certificaat van wie de broker ondertekend heeft (PEM).',
  'Certificate file': 'Certificaatbestand',
  "This gateway's own certificate (PEM).": 'Het eigen certificaat van deze gateway (PEM).',
  'Key file': 'Sleutelbestand',
  "This gateway's own private key (PEM).": 'De eigen geheime sleutel van deze gateway (PEM).',
  'Name in the certificate': 'Naam in het certificaat',
  'Only when it differs from the host.': 'Alleen als die van de host verschilt.',
  'Check the certificate': 'Certificaat controleren',
  'Off means that anyone in between can listen and command.':
    'Uit betekent dat iedereen ertussenin kan meeluisteren en bevelen geven.',
  'When the broker is lost': 'Als de broker wegvalt',
  'Show in Home Assistant': 'Tonen in Home Assistant',
  'Announces the cart on the broker: how it is, and two buttons that stop it. Nothing there can move it.':
    'Meldt de kar aan op de broker: hoe het ermee staat, en twee knoppen die haar stoppen. Niets daar kan haar laten rijden.',
  'Finish the running move, or stop. Nothing new is accepted from the network either way.':
    'De rit afmaken, of stoppen. In beide gevallen wordt er niets nieuws van het netwerk aangenomen.',
  'Numbers are': 'Getallen zijn',
  '"direct": amounts in the units below. "table": names of entries in the presets.':
    '"direct": hoeveelheden in de eenheden hieronder. "table": namen van voorkeuzen.',
  'Distance unit': 'Eenheid van afstand',
  'The smallest is the default, so that a wrong guess moves too little.':
    'De kleinste is de standaard, zodat een verkeerde gok te weinig rijdt.',
  'Angle unit': 'Eenheid van hoek',
  'Degrees, tenths or hundredths. Positive turns left.':
    'Graden, tienden of honderdsten. Positief draait links.',
  'distanceID to mm': 'distanceID naar mm',
  'angleID to degrees': 'angleID naar graden',
  'Path loss exponent': 'Exponent van padverlies',
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
  'Levels below this are not logged. With info, CARTWRIGHT_LOG_LEVEL decides.':
    'Lagere niveaus komen niet in het logboek. Bij info beslist CARTWRIGHT_LOG_LEVEL.',
};
