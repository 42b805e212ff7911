import type { Vocabulary } from '../../language.js';

export const SETTINGS_PAGES: Vocabulary = {
  Sections: 'Secties',
  'Applies to {{gateway.name}} and to all commands sent from its gateway.':
    'Geldt voor {{gateway.name}} en voor alle opdrachten die via zijn gateway worden verstuurd.',
  'History, export, import': 'Geschiedenis, exporteren, importeren',
  'Test connection': 'Verbinding testen',
  Discard: 'Verwerpen',
  'Review changes': 'Controleren',
  'The settings have changed, and this page does not show the current values.':
    'De instellingen zijn gewijzigd en deze pagina toont niet de huidige waarden.',
  'Reload the settings': 'Instellingen opnieuw laden',
  'Restart needed': 'Herstart nodig',
  'Saved. Restart needed': 'Opgeslagen. Herstart nodig',
  'They cannot be checked before. Confirm them first: a restart rolls back unconfirmed changes.':
    'Ze kunnen niet eerder worden gecontroleerd. Bevestig ze eerst: een herstart draait onbevestigde wijzigingen terug.',
  'Stricter limits take effect immediately, without a trial.':
    'Strengere limieten gelden direct, zonder proefperiode.',
  'The default speed ({0} mm/s) is above the maximum speed. Commands without a speed use {1} mm/s.':
    'De standaardsnelheid ({0} mm/s) is hoger dan de maximumsnelheid. Opdrachten zonder snelheid gebruiken {1} mm/s.',
  'Find a setting': 'Een instelling zoeken',
  Find: 'Zoeken',
  'Settings shown': 'Getoonde instellingen',
  Basic: 'Basis',
  Advanced: 'Geavanceerd',
  Section: 'Sectie',
  'Contains errors': 'Bevat fouten',
  'No setting contains these words. Camera settings are on':
    'Geen instelling bevat deze woorden. Camera-instellingen staan op',
  'a separate page': 'een aparte pagina',
  'Show all settings': 'Alle instellingen tonen',
  'Remove row': 'Rij verwijderen',
  'To remove a row, clear its fields. To add several rows, save after each.':
    'Maak de velden van een rij leeg om de rij te verwijderen. Sla na elke nieuwe rij op.',
  'Add row': 'Rij toevoegen',
  'Add: {{label}}': 'Toevoegen: {{label}}',
  Unsaved: 'Niet opgeslagen',
  'Default:': 'Standaard:',
  'Reset to default': 'Standaard herstellen',
  Versions: 'Versies',
  'The last 20 versions. Versions contain no passwords; when you restore a version, the current passwords are kept.':
    'De laatste 20 versies. Versies bevatten geen wachtwoorden; als u een versie terugzet, blijven de huidige wachtwoorden behouden.',
  'Version {{version}}': 'Versie {{version}}',
  ', current': ', huidig',
  Compare: 'Vergelijken',
  'version {{version}}': 'versie {{version}}',
  'and restore': 'en terugzetten',
  'All settings in one file. Passwords are masked as':
    'Alle instellingen in één bestand. Wachtwoorden zijn gemaskeerd als',
  'Not imported. Nothing has changed.': 'Niet geïmporteerd. Er is niets gewijzigd.',
  'Settings as JSON': 'Instellingen als JSON',
  'All settings or individual sections, at most 256 kB. Passwords with the value':
    'Alle instellingen of afzonderlijke secties, maximaal 256 kB. Wachtwoorden met de waarde',
  'are not changed. You can review the changes before they are applied.':
    'worden niet gewijzigd. U kunt de wijzigingen controleren voordat ze worden toegepast.',
  'Review import': 'Import controleren',
  'The settings have changed since you opened the form':
    'De instellingen zijn gewijzigd sinds u het formulier opende',
  'Check every line: saving may overwrite the newer settings.':
    'Controleer elke regel: opslaan kan de nieuwere instellingen overschrijven.',
  'Check the marked lines: saving replaces the newer values. All other settings keep their new values.':
    'Controleer de gemarkeerde regels: opslaan vervangt de nieuwere waarden. Alle andere instellingen houden hun nieuwe waarde.',
  'The settings that you have not changed keep their new values.':
    'De instellingen die u niet hebt gewijzigd, houden hun nieuwe waarde.',
  'Also changed elsewhere, previously {0}': 'Ook elders gewijzigd, was {0}',
  'Not saved yet': 'Nog niet opgeslagen',
  'These changes are lost if you leave this page.':
    'Deze wijzigingen gaan verloren als u deze pagina verlaat.',
  'These settings can be changed only while the cart is stationary. The connection to the motor controller may restart.':
    'Deze instellingen kunnen alleen worden gewijzigd terwijl de kar stilstaat. De verbinding met de motorcontroller wordt mogelijk opnieuw opgezet.',
  'Some changes take effect after a gateway restart.':
    'Sommige wijzigingen worden van kracht na een herstart van de gateway.',
  'Confirmation required:': 'Bevestiging vereist:',
  'these changes could cut off your access to the cart or loosen its limits. Confirm them within {{trialS}} s at the top of any page. Otherwise, they will be rolled back, even after a power failure.':
    'deze wijzigingen kunnen u van de kar afsluiten of de limieten versoepelen. Bevestig ze binnen {{trialS}} s boven aan een willekeurige pagina. Anders worden ze teruggedraaid, ook na een stroomstoring.',
  'Try for {{trialS}} s': '{{trialS}} s proberen',
  'Back to the form': 'Terug naar het formulier',
  from: 'van',
  to: 'naar',
  'Takes effect immediately': 'Wordt direct van kracht',
  'Takes effect immediately unless marked otherwise': 'Wordt direct van kracht, tenzij anders aangegeven',
  'Can be changed only while the cart is stationary': 'Alleen te wijzigen terwijl de kar stilstaat',
  'Takes effect after a gateway restart': 'Wordt van kracht na een herstart van de gateway',
  'Range: {0} to {1}.': 'Bereik: {0} tot {1}.',
  'May be empty.': 'Mag leeg zijn.',
  'One entry per line.': 'Eén item per regel.',
  'row {0}, {1}: {2}': 'rij {0}, {1}: {2}',
  'Cart must be stationary': 'Kar moet stilstaan',
  'Takes effect after a restart': 'Wordt van kracht na een herstart',
  'not set': 'niet ingesteld',
  empty: 'leeg',
  on: 'aan',
  off: 'uit',
  'loaded at startup': 'geladen bij het opstarten',
  saved: 'opgeslagen',
  imported: 'geïmporteerd',
  'earlier version restored': 'eerdere versie teruggezet',
  'rolled back': 'teruggedraaid',
  'not confirmed in time': 'niet op tijd bevestigd',
  'gateway restarted': 'gateway herstart',
  'a program': 'een programma',
  'file edited': 'bestand bewerkt',
  'and {0} more changes': 'en nog {0} wijzigingen',
};

/** Titles and descriptions in the settings schema, except those in `camera.ts` and `machine.ts`. */
export const SETTINGS: Vocabulary = {
  'Show in the menu': 'In het menu tonen',
  'Automatic: the shop is shown while a game is for sale. A new gateway has five sample games, which can be taken out of sale on the page /shop/admin.':
    'Automatisch: de winkel wordt getoond zolang er een spel te koop is. Een nieuwe gateway heeft vijf voorbeeldspellen, die op de pagina /shop/admin uit de verkoop kunnen worden gehaald.',
  Distance: 'Afstand',
  Angle: 'Hoek',
  'Preset key': 'Sleutel',
  'Always 1.': 'Altijd 1.',
  'Cart number': 'Karnummer',
  "The number of the cart on which this gateway is mounted. The gateway sends this cart's commands over the serial line.":
    'Het nummer van de kar waarop deze gateway is gemonteerd. De gateway stuurt de opdrachten voor deze kar via de seriële lijn.',
  Fleet: 'Vloot',
  'Third level of the MQTT topics. Allowed characters: letters, digits, _ and -.':
    'Derde niveau van de MQTT-topics. Toegestane tekens: letters, cijfers, _ en -.',
  Manufacturer: 'Fabrikant',
  'Included in the header of every MQTT message.': 'Staat in de header van elk MQTT-bericht.',
  Name: 'Naam',
  'Shown on every page. Other gateways and Home Assistant show a new name after this gateway restarts.':
    'Wordt op elke pagina getoond. Andere gateways en Home Assistant tonen een nieuwe naam nadat deze gateway is herstart.',
  'Announce on the local network': 'Aankondigen op het lokale netwerk',
  'Devices on the same network can find the gateway by name (mDNS).':
    'Apparaten op hetzelfde netwerk kunnen de gateway op naam vinden (mDNS).',
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
  'In both cases, new commands from the network are not accepted.':
    'In beide gevallen worden nieuwe opdrachten van het netwerk niet geaccepteerd.',
  'Interpretation of numbers': 'Betekenis van getallen',
  'Determines whether distanceID and angleID contain values or preset keys.':
    'Of distanceID en angleID waarden bevatten of sleutels van voorinstellingen.',
  'Distance unit': 'Eenheid van afstand',
  'The unit of distanceID. The default is the smallest unit, so that a wrong unit moves the cart too little rather than too far.':
    'De eenheid van distanceID. De standaard is de kleinste eenheid, zodat de kar bij een verkeerde eenheid eerder te weinig dan te ver rijdt.',
  'Angle unit': 'Eenheid van hoek',
  'The unit of angleID. Positive values turn left.':
    'De eenheid van angleID. Positieve waarden draaien naar links.',
  'distanceID presets (mm)': 'distanceID-voorinstellingen (mm)',
  'angleID presets (degrees)': 'angleID-voorinstellingen (graden)',
  'Path loss exponent': 'Padverliesexponent',
  'Rate at which the signal weakens with distance. Typical values: 2 outdoors, 2.5 to 3.5 indoors.':
    'Mate waarin het signaal met de afstand zwakker wordt. Gebruikelijke waarden: 2 buiten, 2,5 tot 3,5 binnen.',
  'Maximum distance': 'Maximale afstand',
  'Upper limit for estimated distances.': 'Bovengrens voor geschatte afstanden.',
  'Map tiles': 'Kaarttegels',
  'URL of a tile server with {z}, {x} and {y}, such as http://tiles.local/{z}/{x}/{y}.png. If empty, the map shows only the floor plan or a grid.':
    'URL van een tegelserver met {z}, {x} en {y}, zoals http://tiles.local/{z}/{x}/{y}.png. Als dit veld leeg is, toont de kaart alleen de plattegrond of een raster.',
  'Tile attribution': 'Bronvermelding van de tegels',
  'Shown under the map, as required by many tile servers.':
    'Wordt onder de kaart getoond, zoals veel tegelservers eisen.',
  Level: 'Niveau',
  'Messages below this level are not logged. If this level is Info, the environment variable CARTWRIGHT_LOG_LEVEL applies.':
    'Berichten onder dit niveau worden niet vastgelegd. Als dit niveau Info is, geldt de omgevingsvariabele CARTWRIGHT_LOG_LEVEL.',
};
