import type { beaconMessage } from '../../beacons/messages.js';
import type { Translations } from '../../shared/messages/message.js';

/** Also translated by the script of the Beacons page. */
export const FLOOR_PLAN_MESSAGES = {
  'beacons.line-end': 'punt {point}: {axis} moet tussen 0 en {limit} px liggen',
  'beacons.line-short': 'de lijn is {pixels} px lang; minstens {limit} px is vereist',
  'beacons.line-short-hint': 'Teken een langere lijn, bijvoorbeeld langs de langste muur.',
  'beacons.line-length': 'de lengte moet tussen {min} en {max} m liggen',
} satisfies Partial<Translations<typeof beaconMessage>>;

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
} satisfies Omit<Translations<typeof beaconMessage>, keyof typeof FLOOR_PLAN_MESSAGES>;
