import { ageText, metres } from '../../../i18n/format.js';
import { decimal } from '../../../i18n/language.js';
import { withTexts } from '../../../i18n/shared-text.js';
import { LIVE_BEACON_TEXTS } from '../../../locales/nl/beacons.js';

const t = withTexts(LIVE_BEACON_TEXTS);

const beacons = (count: number): string => (count === 1 ? t('1 beacon') : t('{0} beacons', count));

const squareText = (m: number): string => (m < 1000 ? `${m} m` : `${m / 1000} km`);

export const BEACON_TEXTS = {
  count: (all: number, placed: number) => {
    if (all === 1) return placed === 1 ? t('1 beacon, with a position') : t('1 beacon, without a position');
    return all === placed
      ? t('{0}, all with a position', beacons(all))
      : t('{0}, {1} without a position', beacons(all), all - placed);
  },
  countLimited: (limit: number) =>
    t('The map shows only the first {0} beacons; the table lists all beacons', limit),
  far: (count: number) =>
    t(
      "More than 20 km away and outside the map: {0}. Check their coordinates or the floor plan's position.",
      beacons(count),
    ),
  none: beacons(0),
  noPositions: (m: number) =>
    t(
      'No beacon has a position yet. Each square is {0} wide. The selected cart is shown relative to its starting position.',
      squareText(m),
    ),
  cannotLoad: t('The beacons could not be loaded. Reload the page.'),
  square: (m: number) => t('Each square is {0} wide. North is up.', squareText(m)),
  assumedStart: t('A cart with a dashed outline is drawn as if it had started at the cross, facing north.'),
  zoomIn: t('Zoom in'),
  zoomOut: t('Zoom out'),
  northUp: t('North is up.'),
  noAnswer: t('No response from the gateway. Reload the page to see the stored data.'),
  received: (cart: string, rssi: number | null, distanceM: number | null) =>
    [cart, rssi === null ? '' : `${Math.round(rssi)} dBm`, distanceM === null ? '' : metres(distanceM * 1000)]
      .filter(Boolean)
      .join(', ')
      .replace('-', '−'),
  ago: (ms: number) => t('{0} ago', ageText(Math.max(0, ms))),
  coordinates: (lat: number, long: number) => `${lat.toFixed(6)}, ${long.toFixed(6)}`.replaceAll('-', '−'),
  within: (m: number) => t('accurate to within {0}', metres(m * 1000)),
  noPosition: t('no position'),
  heading: (bearingDeg: number) => t('heading {0}°', Math.round(bearingDeg)),
  noHeading: t('heading unknown until the cart has moved a few metres'),
  receives: (count: number) => t('receives {0}', beacons(count)),
  marker: (id: number) => t('Marker {0}', id),
  markerMoved: (id: number) => t('Marker {0} moved.', id),
  markerNotMoved: (id: number) =>
    t('Marker {0} not moved: it was changed in the meantime, or the gateway did not respond.', id),
  picking: t('Select the position on the map.'),
  holdDelete: t('Press and hold Delete until the ring is full.'),
  confirmDelete: t('Delete this beacon? This cannot be undone.'),
  importing: (name: string) => t('Importing {0}', name),
  imported: (created: number, replaced: number, unchanged: number) =>
    t('Imported: {0} new, {1} replaced, {2} unchanged.', created, replaced, unchanged),
  ready: (name: string, bytes: number) => `${name}, ${Math.max(1, Math.round(bytes / 1000))} kB`,
  tooLarge: (bytes: number, limit: number) =>
    t('The file is {0} MB; the limit is {1} MB.', decimal(bytes / 1_048_576, 1), limit / 1_048_576),
  faultLine: t('Line'),
  faultRow: t('Row'),
  faultBeacon: t('Beacon'),
  faultField: t('Field'),
  faultMessage: t('Error'),
  wholeRow: t('entire row'),
  drawLine: t('Draw a line on the floor plan first.'),
  point: (number: number, fault: string) => t('Point {0}: {1}', number, fault),
  scaleSet: t('Scale set'),
  planUploading: t('Uploading'),
  planDeleted: t('Floor plan deleted.'),
  confirmPlanDelete: t('Delete the floor plan? This cannot be undone.'),
} as const;
