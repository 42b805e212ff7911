import type { Vocabulary } from '../language.js';

export const CAMERA_BEACONS_PAGES: Vocabulary = {
  'All photos': 'Alle foto’s',
  'Live view': 'Livebeeld',
  'Live view of the camera': 'Livebeeld van de camera',
  'Try again': 'Opnieuw proberen',
  Photos: 'Foto’s',
  'Take a photo': 'Foto nemen',
  'No photos yet. The gateway keeps the latest 500 photos.':
    'Nog geen foto’s. De gateway bewaart de laatste 500 foto’s.',
  '{{more}} older photos are not shown:': '{{more}} oudere foto’s worden niet getoond:',
  'see the full list': 'zie de volledige lijst',
  'Photo taken on {{when}}': 'Foto genomen op {{when}}',
  '1 photo, {0}': '1 foto, {0}',
  '{0} photos, {1}': '{0} foto’s, {1}',
  Download: 'Downloaden',
  Delete: 'Verwijderen',

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
  Find: 'Zoeken',
  'No beacons yet': 'Nog geen bakens',
  'Add beacons, import a CSV, or start with a floor plan.':
    'Voeg bakens toe, importeer een CSV-bestand of begin met een plattegrond.',
  'Import a CSV': 'CSV-bestand importeren',
  'Upload a floor plan': 'Plattegrond uploaden',
  'Show latitude and longitude': 'Breedte- en lengtegraad tonen',
  Advanced: 'Geavanceerd',
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
  Beacon: 'Baken',
  Position: 'Positie',
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
  CSV: 'CSV',
  JSON: 'JSON',
  GeoJSON: 'GeoJSON',
  'Floor plan': 'Plattegrond',
  Export: 'Exporteren',
  'Only operators and administrators can add and change beacons.':
    'Alleen bedieners en beheerders kunnen bakens toevoegen en wijzigen.',
  dBm: 'dBm',
  'Show {{id}} on the map': '{{id}} op de kaart tonen',
  Show: 'Tonen',
  'Edit {{id}}': '{{id}} bewerken',
  Edit: 'Bewerken',
  'Delete {{id}}': '{{id}} verwijderen',
  Image: 'Afbeelding',
  'PNG, JPEG or WebP, drawn to scale, at most 8 MB. A new image replaces the current one.':
    'PNG, JPEG of WebP, op schaal getekend, hoogstens 8 MB. Een nieuwe afbeelding vervangt de huidige.',
  Upload: 'Uploaden',
  'Draw a line of known length, for example along a wall: drag, or tap both ends. Then enter the length of the line.':
    'Teken een lijn met een bekende lengte, bijvoorbeeld langs een muur: sleep, of tik op beide uiteinden. Vul daarna de lengte in.',
  'Floor plan. Set the ends of the line in the fields under Advanced.':
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
  'not set': 'niet ingesteld',
};

/** The strings that the script of the Camera page adds. */
export const LIVE_CAMERA: Vocabulary = {
  'Taking a photo': 'De foto wordt genomen',
  'Photo taken.': 'Foto genomen.',
  'No response from the gateway. Reload the page to check whether the photo was taken.':
    'Geen antwoord van de gateway. Laad de pagina opnieuw om te controleren of de foto is genomen.',
  'Photo deleted.': 'Foto verwijderd.',
  'Photo taken on {0}': 'Foto genomen op {0}',
  'Press and hold Delete until the ring is full.': 'Houd Verwijderen ingedrukt tot de ring vol is.',
  'Delete this photo? This cannot be undone.': 'Deze foto verwijderen? Dit kan niet ongedaan worden gemaakt.',
};
