import { ageText, metres } from '../carts/words.js';

const beacons = (count: number): string => `${count} ${count === 1 ? 'beacon' : 'beacons'}`;

/** What only the page of the beacons says. */
export const BEACON_TEXTS = {
  count: (all: number, placed: number) =>
    all === placed
      ? `${beacons(all)}, each at its place`
      : `${beacons(all)}, ${all - placed} without a place`,
  countMost: (most: number) => `The first ${most} beacons are drawn; the table has all of them`,
  none: 'No beacons yet',
  noPlace: 'No beacon has a place yet. Give one latitude and longitude, and it stands here.',
  cannotLoad: 'The beacons could not be loaded. Load the page again.',
  square: (m: number) => `One square is ${m < 1000 ? `${m} m` : `${m / 1000} km`}. North is up.`,
  onPlan: 'North is up.',
  noAnswer: 'No answer from the gateway. Load the page again to see what is stored.',
  heard: (cart: string, rssi: number | null, distanceM: number | null) =>
    [cart, rssi === null ? '' : `${Math.round(rssi)} dBm`, distanceM === null ? '' : metres(distanceM * 1000)]
      .filter(Boolean)
      .join(', ')
      .replace('-', '−'),
  ago: (ms: number) => `${ageText(Math.max(0, ms))} ago`,
  place: (lat: number, long: number) => `${lat.toFixed(6)}, ${long.toFixed(6)}`.replaceAll('-', '−'),
  within: (m: number) => `within ${metres(m * 1000)}`,
  noPosition: 'no position',
  heads: (bearingDeg: number) => `heads ${Math.round(bearingDeg)}°`,
  noHeading: 'heading known after some metres of driving',
  hears: (count: number) => `hears ${beacons(count)}`,
  picking: 'Touch the place on the map.',
  holdDelete: 'Hold Delete for a second, until the ring is full.',
  confirmDelete: 'Delete this beacon? It cannot be brought back.',
  importing: (name: string) => `Importing ${name}`,
  imported: (created: number, replaced: number, unchanged: number) =>
    `Imported: ${created} new, ${replaced} replaced, ${unchanged} there already.`,
  ready: (name: string, bytes: number) => `${name}, ${Math.max(1, Math.round(bytes / 1000))} kB`,
  tooLarge: (bytes: number, most: number) =>
    `The file has ${(bytes / 1_048_576).toFixed(1)} MB: at most ${most / 1_048_576} MB can be taken.`,
  faultRow: 'Row',
  faultField: 'Field',
  faultWhat: 'What is wrong',
  wholeRow: 'the row',
  planNone: 'No floor plan yet. With one the map shows where walls and doors are.',
  planUnplaced: (width: number, height: number) =>
    `The plan has ${width} x ${height} px. It lies under the map when its two points are set.`,
  planPlaced: (widthM: number, heightM: number, turnDeg: number) =>
    `The plan is ${metres(widthM * 1000)} wide and ${metres(heightM * 1000)} high, turned ${Math.round(turnDeg)}°.`.replace(
      '-',
      '−',
    ),
  planUploading: 'Uploading',
  planDeleted: 'The plan is deleted.',
  confirmPlanDelete: 'Delete the floor plan? It cannot be brought back.',
} as const;
