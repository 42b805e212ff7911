import type { beaconMessage } from '../../beacons/messages.js';
import type { SettingTexts } from '../../settings/schema/setting-text.js';
import type { Translations } from '../../shared/messages/message.js';

export const LIVE_BEACON_TEXTS = {
  '1 beacon': '1 baken',
  '{0} beacons': '{0} bakens',
  '{0}, all with a position': '{0}, alle met een positie',
  '1 beacon, with a position': '1 baken, met een positie',
  '1 beacon, without a position': '1 baken, zonder positie',
  '{0}, {1} without a position': '{0}, waarvan {1} zonder positie',
  'The map shows only the first {0} beacons; the table lists all beacons':
    'De kaart toont alleen de eerste {0} bakens; de tabel bevat alle bakens',
  "More than 20 km away and outside the map: {0}. Check their coordinates or the floor plan's position.":
    'Verder dan 20 km en buiten de kaart: {0}. Controleer de coördinaten of de positie van de plattegrond.',
  'No beacon has a position yet. Each square is {0} wide. The selected cart is shown relative to its starting position.':
    'Nog geen enkel baken heeft een positie. Elk vak is {0} breed. De gekozen kar is getekend ten opzichte van de beginpositie.',
  'The beacons could not be loaded. Reload the page.':
    'De bakens konden niet worden geladen. Laad de pagina opnieuw.',
  'Each square is {0} wide. North is up.': 'Elk vak is {0} breed. Het noorden is boven.',
  'A cart with a dashed outline is drawn as if it had started at the cross, facing north.':
    'Een kar met een gestippelde omtrek is getekend alsof hij bij het kruis is vertrokken, met de voorkant naar het noorden.',
  'No response from the gateway. Reload the page to see the stored data.':
    'Geen antwoord van de gateway. Laad de pagina opnieuw om de opgeslagen gegevens te zien.',
  '{0} m east': '{0} m oost',
  '{0} m west': '{0} m west',
  '{0} m north': '{0} m noord',
  '{0} m south': '{0} m zuid',
  'Zoom in': 'Inzoomen',
  'Zoom out': 'Uitzoomen',
  'Marker {0}': 'Marker {0}',
  'Marker {0} moved.': 'Marker {0} is verplaatst.',
  'Marker {0} not moved: it was changed in the meantime, or the gateway did not respond.':
    'Marker {0} is niet verplaatst: de marker is intussen gewijzigd of de gateway antwoordde niet.',
  'North is up.': 'Het noorden is boven.',
  '{0} ago': '{0} geleden',
  'accurate to within {0}': 'nauwkeurig tot op {0}',
  'no position': 'geen positie',
  'heading {0}°': 'koers {0}°',
  'heading unknown until the cart has moved a few metres':
    'koers onbekend tot de kar een paar meter heeft gereden',
  'receives {0}': 'ontvangt {0}',
  'Scale set': 'Schaal ingesteld',
  'Select the position on the map.': 'Kies de positie op de kaart.',
  'Delete this beacon? This cannot be undone.':
    'Dit baken verwijderen? Dit kan niet ongedaan worden gemaakt.',
  'Importing {0}': '{0} wordt geïmporteerd',
  'Imported: {0} new, {1} replaced, {2} unchanged.':
    'Geïmporteerd: {0} nieuw, {1} vervangen, {2} ongewijzigd.',
  'The file is {0} MB; the limit is {1} MB.': 'Het bestand is {0} MB; de limiet is {1} MB.',
  Line: 'Regel',
  Row: 'Rij',
  Beacon: 'Baken',
  Field: 'Veld',
  Error: 'Fout',
  'entire row': 'hele rij',
  'Turn on “Replace existing beacons” to replace them.':
    'Zet “Bestaande bakens vervangen” aan om ze te vervangen.',
  'No floor plan yet. Upload one to show walls and doors on the map.':
    'Nog geen plattegrond. Upload er een om muren en deuren op de kaart te tonen.',
  'The floor plan is {0} x {1} px. To show it on the map, draw a line of known length.':
    'De plattegrond is {0} x {1} px. Teken een lijn met een bekende lengte om hem op de kaart te tonen.',
  'The floor plan is {0} wide and {1} high. North is at the top.':
    'De plattegrond is {0} breed en {1} hoog. Het noorden is boven.',
  'Draw a line on the floor plan first.': 'Teken eerst een lijn op de plattegrond.',
  Length: 'Lengte',
  'Tap the map to select a destination for {0}, at most {1} away.':
    'Tik op de kaart om een bestemming voor {0} te kiezen, op hoogstens {1} afstand.',
  'Place {0}': '{0} plaatsen',
  'Tap the position of {0}.': 'Tik op de positie van {0}.',
  'Tap the exact position of {0}.': 'Tik op de exacte positie van {0}.',
  'Tap a point straight ahead of {0}, at least 1 m away.':
    'Tik op een punt recht vóór {0}, minstens 1 m verder.',
  'Tap further from the cart.': 'Tik verder van de kar.',
  'To drive to a point, first place {0} on the map.':
    'Plaats {0} eerst op de kaart om naar een punt te rijden.',
  'To drive to a point, first place {0} on the map: its position from the beacons is accurate only to within {1}.':
    'Plaats {0} eerst op de kaart om naar een punt te rijden: de positie op basis van de bakens is maar tot op {1} nauwkeurig.',
  'The position of {0} is too inaccurate to drive to a point. Drive until the camera sees a marker, or place {1} on the map.':
    'De positie van {0} is te onnauwkeurig om naar een punt te rijden. Rijd tot de camera een marker ziet of plaats {1} op de kaart.',
  '{0} has moved. Tap the map again.': '{0} heeft zich verplaatst. Tik opnieuw op de kaart.',
  'Place {0} on the map again: {1}.': 'Plaats {0} opnieuw op de kaart: {1}.',
  '{0} is moving': '{0} rijdt',
  'only {0} can drive to a point': 'alleen {0} kan naar een punt rijden',
  '{0} does not measure its movement': '{0} meet zijn beweging niet',
  'the settings allow only preset distances and angles':
    'de instellingen staan alleen vaste afstanden en hoeken toe',
  'the cart cannot turn on the spot': 'de kar kan niet op de plaats draaien',
  'Driving to a point is blocked: {0}.': 'Naar een punt rijden is geblokkeerd: {0}.',
  'This point is {0} away; the maximum for one command is {1}.':
    'Dit punt ligt op {0} afstand; met één opdracht rijdt de kar hoogstens {1}.',
  'This point is {0} away; the minimum is {1}.': 'Dit punt ligt op {0} afstand; het minimum is {1}.',
  'This point requires a turn of {0}°; the maximum for one command is {1}°.':
    'Dit punt vereist een draai van {0}°; met één opdracht draait de kar hoogstens {1}°.',
  'the connection to the motor controller was interrupted':
    'de verbinding met de motorcontroller is onderbroken geweest',
  'the cart was stopped with Stop all or the E-stop': 'de kar is gestopt met Alles stoppen of de noodstop',
  'the page received no data for 10 s': 'de pagina ontving 10 s lang geen gegevens',
  'the odometry jumped': 'de odometrie maakte een sprong',
  'the cart has driven 20 m or turned 720°, so its position is no longer accurate':
    'de kar heeft 20 m gereden of is 720° gedraaid, dus de positie is niet meer nauwkeurig',
  'The floor plan is {0} wide and {1} high, and is rotated by {2}°.':
    'De plattegrond is {0} breed en {1} hoog en is {2}° gedraaid.',
  'Point {0}: {1}': 'Punt {0}: {1}',
  Uploading: 'Bezig met uploaden',
  'Floor plan deleted.': 'Plattegrond verwijderd.',
  'Delete the floor plan? This cannot be undone.':
    'De plattegrond verwijderen? Dit kan niet ongedaan worden gemaakt.',
};

export const BEACON_TEXTS = {
  'Map pages': 'Kaartpagina’s',
  'No beacons yet': 'Nog geen bakens',
  'Map of beacons and carts. The tables contain the same information.':
    'Kaart van bakens en karren. De tabellen bevatten dezelfde informatie.',
  'Distance circles': 'Afstandscirkels',
  'An arc around a cart is an obstacle that its protective field detects. The field is not safety-rated.':
    'Een boog om een kar is een obstakel dat zijn beschermveld ziet. Het veld is geen gecertificeerde veiligheidsfunctie.',
  'Follow carts': 'Karren volgen',
  'Show all': 'Alles tonen',
  'Cart positions': 'Posities van de karren',
  'No cart has received a beacon signal yet. Carts with a beacon receiver report beacons over MQTT.':
    'Nog geen enkele kar heeft een bakensignaal ontvangen. Karren met een bakenontvanger melden bakens via MQTT.',
  'ID or description': 'ID of omschrijving',
  'Add beacons, import a CSV, or start with a floor plan.':
    'Voeg bakens toe, importeer een CSV-bestand of begin met een plattegrond.',
  'Import a CSV': 'CSV-bestand importeren',
  'Upload a floor plan': 'Plattegrond uploaden',
  'Show latitude and longitude': 'Breedte- en lengtegraad tonen',
  East: 'Oost',
  'Metres east of the origin (the cross on the map); negative to the west.':
    'Meters ten oosten van de oorsprong (het kruis op de kaart); negatief naar het westen.',
  North: 'Noord',
  'Metres north of the origin; negative to the south.':
    'Meters ten noorden van de oorsprong; negatief naar het zuiden.',
  'Only operators and administrators can add beacons.':
    'Alleen bedieners en beheerders kunnen bakens toevoegen.',
  'No ID or description contains “{{find}}”.': 'Geen enkel ID en geen enkele omschrijving bevat “{{find}}”.',
  'Nothing found yet. Not all beacons have been searched.':
    'Nog niets gevonden. Nog niet alle bakens zijn doorzocht.',
  'Continue the search': 'Verder zoeken',
  'Received by': 'Ontvangen door',
  Actions: 'Handelingen',
  'First page': 'Eerste pagina',
  'Next page': 'Volgende pagina',
  Save: 'Opslaan',
  Add: 'Toevoegen',
  'Select on map': 'Op de kaart kiezen',
  Cancel: 'Annuleren',
  'Import and export': 'Importeren en exporteren',
  File: 'Bestand',
  'CSV, JSON or GeoJSON, at most 10,000 beacons and 2 MB. If any row is invalid, nothing is imported.':
    'CSV, JSON of GeoJSON, hoogstens 10.000 bakens en 2 MB. Als een rij ongeldig is, wordt er niets geïmporteerd.',
  'Replace existing beacons': 'Bestaande bakens vervangen',
  Import: 'Importeren',
  'CSV template': 'CSV-sjabloon',
  'Export:': 'Exporteren:',
  JSON: 'JSON',
  GeoJSON: 'GeoJSON',
  'Floor plan': 'Plattegrond',
  Export: 'Exporteren',
  'Only operators and administrators can add and change beacons.':
    'Alleen bedieners en beheerders kunnen bakens toevoegen en wijzigen.',
  dBm: 'dBm',
  'Show {{id}} on the map': '{{id}} op de kaart tonen',
  'Edit {{id}}': '{{id}} bewerken',
  Edit: 'Bewerken',
  'Delete {{id}}': '{{id}} verwijderen',
  Image: 'Afbeelding',
  'PNG, JPEG or WebP, drawn to scale, at most 8 MB. A new image replaces the current one.':
    'PNG, JPEG of WebP, op schaal getekend, hoogstens 8 MB. Een nieuwe afbeelding vervangt de huidige.',
  Upload: 'Uploaden',
  'Draw a line of known length, for example along a wall: drag, or tap both ends. Then enter its length.':
    'Teken een lijn met een bekende lengte, bijvoorbeeld langs een muur: sleep, of tik op beide uiteinden. Vul daarna de lengte in.',
  "Floor plan. Set the line's ends in the fields under Advanced.":
    'Plattegrond. Stel de uiteinden van de lijn in met de velden onder Geavanceerd.',
  '1 to 1000 m. A longer line gives a more accurate scale.':
    '1 tot 1000 m. Een langere lijn geeft een nauwkeurigere schaal.',
  'The cart drives to the point once the ring is full. Releasing the button does not stop it.':
    'De kar rijdt naar het punt zodra de ring vol is. De knop loslaten stopt de kar niet.',
  'Set scale': 'Schaal instellen',
  'If you know the latitude and longitude of two points, enter them instead of the length. The two points also determine the position and rotation of the floor plan.':
    'Als u de breedte- en lengtegraad van twee punten kent, vul die dan in plaats van de lengte in. Daarmee worden ook de positie en de draaiing ingesteld.',
  'Point {0}': 'Punt {0}',
  'Save points': 'Punten opslaan',
  'Delete floor plan': 'Plattegrond verwijderen',
  px: 'px',
  m: 'm',
  ID: 'ID',
  '6 to 19 characters, as sent by the beacon.': '6 tot 19 tekens, zoals het baken die uitzendt.',
  Description: 'Omschrijving',
  "Short description of the beacon's location.": 'Korte omschrijving van de plaats van het baken.',
  Notes: 'Aantekeningen',
  'Power at 1 m': 'Vermogen op 1 m',
  '−100 to 20, usually −59. Required to estimate distances.':
    '−100 tot 20, meestal −59. Nodig om afstanden te schatten.',
  Latitude: 'Breedtegraad',
  '−90 to 90, WGS 84.': '−90 tot 90, WGS 84.',
  Longitude: 'Lengtegraad',
  '−180 to 180, WGS 84.': '−180 tot 180, WGS 84.',
  'Edit {0}': '{0} bewerken',
  'a beacon': 'een baken',
  'Add a beacon': 'Een baken toevoegen',
};

export const BEACON_SETTINGS = {
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
} satisfies SettingTexts<'beacons'>;

export const BEACON_MESSAGES = {
  'beacons.saved': '{id} opgeslagen',
  'beacons.no-power':
    'Het vermogen op 1 m is niet ingevuld: de gateway kan de afstand tot dit baken niet schatten.',
  'beacons.deleted': '{id} verwijderd',
  'beacons.changed': 'baken {id} is intussen gewijzigd',
  'beacons.deleted-meanwhile': 'Baken {id} is intussen verwijderd.',
  'beacons.deleted-meanwhile-hint': 'Druk op Toevoegen om het opnieuw toe te voegen.',
  'beacons.not-saved': 'Niet opgeslagen. Er is niets gewijzigd.',
  'beacons.id-taken-hint': 'Zoek het in de tabel en bewerk het.',
  'beacons.id-taken': 'er bestaat al een baken met het ID "{id}"',
  'beacons.unknown-id': 'er is geen baken met het ID "{id}"',
  'beacons.metres': 'moet een aantal meters zijn',
  'beacons.id-characters': 'mag geen spaties of besturingstekens bevatten',
  'beacons.half-position': 'ontbreekt; lat en long moeten allebei worden opgegeven',
  'beacons.plan-scaled': 'Schaal ingesteld',
  'beacons.plan-not-scaled': 'Schaal niet ingesteld. Er is niets gewijzigd.',
  'beacons.object': 'moet een object zijn',
  'beacons.import-too-long': 'een bestand mag hoogstens {limit} bakens bevatten',
  'beacons.import-too-long-hint': 'Splits het bestand.',
  'beacons.import-invalid': 'er is niets geïmporteerd: {count} bakens zijn ongeldig',
  'beacons.import-invalid-1': 'er is niets geïmporteerd: 1 baken is ongeldig',
  'beacons.import-listed': '{rejected}; de eerste {limit} fouten staan in de lijst',
  'beacons.import-same-row': 'is hetzelfde als in rij {row}',
  'beacons.import-same-line': 'is hetzelfde als op regel {line}',
  'beacons.import-conflict': 'is het ID van een bestaand baken met andere gegevens',
  'beacons.import-conflict-hint': 'Voeg ?upsert=true toe om bestaande bakens te vervangen.',
  'beacons.import-kind':
    'het bestand moet een lijst van bakens, één baken, GeoJSON (application/geo+json) of CSV (text/csv) bevatten',
  'beacons.import-name-twice': 'regel {line}: de naam "{name}" komt meer dan eens voor in een object',
  'beacons.import-field-twice': 'is meer dan eens ingevuld',
  'beacons.import-projected':
    'moet in graden zijn (WGS 84); de waarde lijkt in meters te zijn, zoals in de coördinatenstelsels RD en UTM',
  'beacons.import-two-positions': 'mag niet samen met lat en long worden ingevuld',
  'beacons.import-mixed': 'mag niet worden gebruikt als andere bakens in het bestand lat en long hebben',
  'beacons.import-half-metres': 'ontbreekt; x en y moeten allebei worden opgegeven',
  'beacons.import-far':
    'moet tussen -{limit} en {limit} meter van de oorsprong liggen; RD- en UTM-coördinaten worden niet ondersteund',
  'beacons.import-grouped':
    'is dubbelzinnig: het teken in "{text}" kan decimalen of duizendtallen scheiden; voeg een nul toe',
  'beacons.import-rounded-id':
    'is afgerond door een spreadsheetprogramma; geef de kolom de celeigenschap tekst',
  'beacons.import-csv-quotes':
    'het CSV-bestand kan niet worden gelezen: de aanhalingstekens in de rij op regel {line} kloppen niet',
  'beacons.import-csv-quotes-hint':
    'Zet een veld met een aanhalingsteken tussen aanhalingstekens en verdubbel de aanhalingstekens daarin.',
  'beacons.import-csv-empty': 'het CSV-bestand is leeg',
  'beacons.import-csv-empty-hint': 'De eerste regel moet de kolomnamen bevatten.',
  'beacons.import-csv-separator':
    'het scheidingsteken "{name}" wordt niet ondersteund; gebruik een komma, een puntkomma of een tab',
  'beacons.import-csv-header':
    'regel {line} van het CSV-bestand moet de kolomnamen bevatten en is ongeldig: {reason}',
  'beacons.import-csv-unknown': '"{name}" is geen bekende kolom',
  'beacons.import-csv-twice': 'de kolom {name} komt meer dan eens voor',
  'beacons.import-csv-no-id': 'de kolom id ontbreekt',
  'beacons.import-csv-header-hint':
    'Geldige kolommen zijn id, description, longDescription, txPower, lat en long of, in meters, x en y; alleen id is verplicht. Het scheidingsteken is een komma, een puntkomma of een tab.',
  'beacons.import-csv-count':
    'heeft {count} velden in plaats van {expected}; zet een veld met het scheidingsteken tussen aanhalingstekens',
  'beacons.import-csv-no-name': 'heeft een waarde in een kolom zonder naam',
  'beacons.import-geojson': 'het GeoJSON-bestand moet een Feature of een FeatureCollection met features zijn',
  'beacons.import-feature': 'moet een GeoJSON-Feature zijn',
  'beacons.import-properties': 'moet een object of null zijn',
  'beacons.import-position-property': 'mag geen lat, long, x of y bevatten; de positie hoort in de geometrie',
  'beacons.import-geometry': 'moet een Point met de coördinaten [lengtegraad, breedtegraad] zijn, of null',
  'beacons.import-crs':
    'het coördinatenstelsel "{name}" wordt niet ondersteund; coördinaten moeten in graden zijn (WGS 84)',
  'beacons.import-crs-hint': 'Exporteer het bestand opnieuw met het coördinatenstelsel WGS 84 (EPSG:4326).',
  'beacons.fault.tile-url': 'moet een http- of https-adres met {z}, {x} en {y} zijn, of leeg',
} satisfies Translations<typeof beaconMessage>;
