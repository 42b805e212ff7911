import { ageText, metres } from '../../i18n/format.js';
import { decimal } from '../../i18n/language.js';
import { t } from '../../i18n/live.js';

const beacons = (count: number): string => (count === 1 ? t`1 beacon` : t`${count} beacons`);

/** What only the page of the beacons says. */
export const BEACON_TEXTS = {
  count: (all: number, placed: number) =>
    all === placed
      ? t`${beacons(all)}, each at its place`
      : t`${beacons(all)}, ${all - placed} without a place`,
  countMost: (most: number) => t`The first ${most} beacons are drawn; the table has all of them`,
  none: t`No beacons yet`,
  noPlace: t`No beacon has a place yet. Give one latitude and longitude, and it stands here.`,
  cannotLoad: t`The beacons could not be loaded. Load the page again.`,
  square: (m: number) => t`One square is ${m < 1000 ? `${m} m` : `${m / 1000} km`}. North is up.`,
  zoomIn: t`Zoom in`,
  zoomOut: t`Zoom out`,
  onPlan: t`North is up.`,
  noAnswer: t`No answer from the gateway. Load the page again to see what is stored.`,
  heard: (cart: string, rssi: number | null, distanceM: number | null) =>
    [cart, rssi === null ? '' : `${Math.round(rssi)} dBm`, distanceM === null ? '' : metres(distanceM * 1000)]
      .filter(Boolean)
      .join(', ')
      .replace('-', '−'),
  ago: (ms: number) => t`${ageText(Math.max(0, ms))} ago`,
  place: (lat: number, long: number) => `${lat.toFixed(6)}, ${long.toFixed(6)}`.replaceAll('-', '−'),
  within: (m: number) => t`within ${metres(m * 1000)}`,
  noPosition: t`no position`,
  heads: (bearingDeg: number) => t`heads ${Math.round(bearingDeg)}°`,
  noHeading: t`heading known after some metres of driving`,
  hears: (count: number) => t`hears ${beacons(count)}`,
  picking: t`Touch the place on the map.`,
  holdDelete: t`Hold Delete for a second, until the ring is full.`,
  confirmDelete: t`Delete this beacon? It cannot be brought back.`,
  importing: (name: string) => t`Importing ${name}`,
  imported: (created: number, replaced: number, unchanged: number) =>
    t`Imported: ${created} new, ${replaced} replaced, ${unchanged} there already.`,
  ready: (name: string, bytes: number) => `${name}, ${Math.max(1, Math.round(bytes / 1000))} kB`,
  tooLarge: (bytes: number, most: number) =>
    t`The file has ${decimal(bytes / 1_048_576, 1)} MB: at most ${most / 1_048_576} MB can be taken.`,
  faultRow: t`Row`,
  faultField: t`Field`,
  faultWhat: t`What is wrong`,
  wholeRow: t`the row`,
  planNone: t`No floor plan yet. With one the map shows where walls and doors are.`,
  planUnplaced: (width: number, height: number) =>
    t`The plan has ${width} x ${height} px. It lies under the map when its two points are set.`,
  planPlaced: (widthM: number, heightM: number, turnDeg: number) =>
    t`The plan is ${metres(widthM * 1000)} wide and ${metres(heightM * 1000)} high, turned ${Math.round(turnDeg)}°.`.replace(
      '-',
      '−',
    ),
  point: (number: number, fault: string) => t`Point ${number}: ${fault}`,
  planUploading: t`Uploading`,
  planDeleted: t`The plan is deleted.`,
  confirmPlanDelete: t`Delete the floor plan? It cannot be brought back.`,
} as const;
