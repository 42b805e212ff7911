import { decimal, localNumber } from '../../../../i18n/language.js';
import { withTexts } from '../../../../i18n/shared-text.js';
import { LIVE_SITE_TEXTS } from '../../../../locales/nl/site.js';
import type { Place, Zone } from '../../../../site/pure.js';
import { placePurposes, zoneKinds } from '../../site-text.js';

const t = withTexts(LIVE_SITE_TEXTS);

const KINDS = zoneKinds();
const PURPOSES = placePurposes();

export const SITE_TEXTS = {
  version: (version: number) => (version === 0 ? t('Nothing stored yet') : t('Version {0}', version)),
  outdated: t('There is no connection to the gateway, so these zones and places may be outdated.'),
  noPlan: t('Zones and places need a floor plan with a scale. Upload a floor plan and set its scale.'),
  noZones: t('No zones yet.'),
  noPlaces: t('No places yet.'),
  kind: ({ kind, maxSpeedMmps = 0 }: Pick<Zone, 'kind' | 'maxSpeedMmps'>) =>
    kind === 'SPEED_LIMIT' ? t('at most {0} mm/s', maxSpeedMmps) : KINDS[kind],
  zone: ({ kind, maxSpeedMmps = 0, polygon }: Zone) =>
    [
      KINDS[kind],
      ...(kind === 'SPEED_LIMIT' ? [t('at most {0} mm/s', maxSpeedMmps)] : []),
      t('{0} corners', polygon.length),
    ].join(', '),
  place: ({ purpose, xMm, yMm, headingDeg, markerId, cartID }: Place) =>
    [
      PURPOSES[purpose],
      t('{0} m right, {1} m up', decimal(xMm / 1000, 2), decimal(yMm / 1000, 2)),
      t('heading {0}°', localNumber(headingDeg)),
      ...(markerId === undefined ? [] : [t('marker {0}', markerId)]),
      ...(cartID === undefined ? [] : [t('only for cart {0}', cartID)]),
    ].join(', '),
  edit: (name: string) => t('Edit {0}', name),
  newZone: (count: number) => t('Zone {0}', count),
  newPlace: (count: number) => t('New place {0}', count),
  drawCorners: t('Tap the map to add corners.'),
  closeShape: t('Tap the map to add corners. Tap the first corner to close the shape.'),
  moveCorners: t('Drag a corner to move it. Tap a small dot to add a corner there.'),
  selectedCorner: (corner: number) => t('Corner {0} is selected.', corner),
  movePlace: t('Tap the map or drag the symbol to move the place. Drag the arrow to turn it.'),
  cornerAxis: (axis: string, corner: number) => t('{0} of corner {1}', axis, corner),
  insertAfter: (corner: number) => t('Insert a corner after corner {0}', corner),
  deleteCorner: (corner: number) => t('Delete corner {0}', corner),
  invalid: t('Enter a number.'),
  invalidFields: t('Not saved. Correct the marked fields.'),
  saving: t('Saving'),
  saved: (name: string, version: number) => t('{0} saved. The plan has version {1}.', name, version),
  deleted: (name: string, version: number) => t('{0} deleted. The plan has version {1}.', name, version),
  confirmed: (version: number) => t('Confirmed. The plan has version {0}.', version),
  notSaved: (reason: string) => t('Not saved. {0}', reason),
  noAnswer: t('The gateway does not respond. Try again.'),
  conflict: t(
    'The plan was changed by another user or in another window. The map shows the new version, and your draft is kept.',
  ),
  conflictOther: t('Save adds your draft to the new version.'),
  conflictSame: t('This item was changed there as well: Save replaces that change.'),
  conflictDeleted: t('This item was deleted there: Save adds it again.'),
  changedBefore: t(
    'The plan was changed by another user or in another window. Check the new version, then try again.',
  ),
  busy: t('First save or cancel the zone or place that you are editing.'),
  confirmDelete: t('Delete it? This cannot be undone.'),
  confirmImport: t('Replace all stored items of this kind with the file?'),
  holdImport: t('Press and hold the button until the ring is full.'),
  noFile: t('Select a file first.'),
  noExport: t(
    'The file could not be exported. Zones and places must be confirmed on the current floor plan.',
  ),
  holdDelete: t('Press and hold Delete until the ring is full.'),
} as const;
