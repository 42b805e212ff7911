import type { Notice } from '../../http/pages.js';
import { conflictError, mergeEdits } from '../../http/server/form-edits.js';
import { upperFirst } from '../../i18n/format.js';
import { decimal, language } from '../../i18n/language.js';
import { t } from '../../i18n/page-text.js';
import {
  MAX_MARKER_ID,
  type Marker,
  type MarkerForm,
  type MarkersPage,
  type SheetTexts,
} from '../../navigation/index.js';
import type { Fault, GatewayError } from '../../shared/errors.js';
import { fieldNumber } from '../../shared/validation/number-text.js';
import { faultText } from '../labels/fault-texts.js';
import { noticeText, type Translated } from '../layout/context.js';
import { type LayoutContext, type LayoutData, layoutContext } from '../layout/layout-context.js';

const NUMBERS = ['id', 'sizeMm', 'xMm', 'yMm', 'headingDeg'] as const;

type NumberField = (typeof NUMBERS)[number];

export const EMPTY_MARKER_FORM: MarkerForm = {
  entered: { sizeMm: '150', headingDeg: '0', purpose: 'reference' },
  faults: [],
  isEdit: false,
  opened: '',
};

interface Field {
  name: NumberField;
  label: string;
  unit: string;
  help: string;
  isFixed: boolean;
  value: string;
  error: string;
}

interface Row {
  id: number;
  size: string;
  place: string;
  heading: string;
  purpose: string;
  isSuspicious: boolean;
}

interface MarkersContext extends LayoutContext {
  /** Marks the tab in the navigation. */
  isMarkers: true;
  rows: Row[];
  isEmpty: boolean;
  form: {
    title: string;
    isEdit: boolean;
    id: string;
    opened: string;
    fields: Field[];
    purposes: { value: Marker['purpose']; text: string; isSelected: boolean }[];
    error: string;
  };
  notice: Translated<Notice> | null;
}

const fieldTexts = (): Record<NumberField, Pick<Field, 'label' | 'unit' | 'help'>> => ({
  id: {
    label: t('ID'),
    unit: '',
    help: t("0 to {0}: the marker's number in the AprilTag family tag36h11.", MAX_MARKER_ID),
  },
  sizeMm: {
    label: t('Size'),
    unit: 'mm',
    help: t('Width of the printed black square. An error of 1 % causes an error of 1 % in every distance.'),
  },
  xMm: {
    label: t('Position to the right'),
    unit: 'mm',
    help: t('From the lower left corner of the floor plan to the centre of the marker.'),
  },
  yMm: { label: t('Position up'), unit: 'mm', help: t('From the lower left corner of the floor plan.') },
  headingDeg: {
    label: t('Direction'),
    unit: '°',
    help: t('The direction in which the marker faces: 0 is to the right, 90 is up, −90 is down.'),
  },
});

const purposeText = (purpose: Marker['purpose']): string => (purpose === 'dock' ? t('Dock') : t('Reference'));

export function markersContext(layout: LayoutData, page: MarkersPage): MarkersContext {
  const { markers } = page;
  const form = page.rejected ?? (page.edited ? editForm(page.edited) : EMPTY_MARKER_FORM);
  const { entered, isEdit, faults } = form;
  const isAtField = ({ path }: Fault): boolean => NUMBERS.some((name) => path === `/${name}`);
  const others = faults.filter((fault) => !isAtField(fault));
  return {
    ...layoutContext(layout, { page: 'markers' }),
    isMarkers: true,
    rows: markers.map((marker) => rowOf(marker, page.suspicious.includes(marker.id))),
    isEmpty: markers.length === 0,
    form: {
      title: isEdit ? t('Edit marker {0}', entered.id ?? '') : t('Add a marker'),
      isEdit,
      id: entered.id ?? '',
      opened: form.opened,
      fields: NUMBERS.map((name) => fieldOf(name, form)),
      purposes: (['reference', 'dock'] as const).map((value) => ({
        value,
        text: purposeText(value),
        isSelected: entered.purpose === value,
      })),
      error: others.map((fault) => upperFirst(faultText(fault.path, fault))).join('. '),
    },
    notice: page.notice ? noticeText(page.notice) : null,
  };
}

function editForm(marker: Marker): MarkerForm {
  return { entered: markerTexts(marker), faults: [], isEdit: true, opened: openedMarker(marker) };
}

function markerTexts(marker: Marker): MarkerForm['entered'] {
  return Object.fromEntries([...NUMBERS, 'purpose' as const].map((name) => [name, String(marker[name])]));
}

/** Omits empty fields. An invalid number remains a string, so that validation rejects it. */
export function valuesOf(entered: MarkerForm['entered']): Record<string, string | number> {
  const values: Record<string, string | number> = {};
  for (const name of NUMBERS) {
    const value = fieldNumber(entered[name] ?? '');
    if (value !== '') values[name] = value;
  }
  if (entered.purpose !== undefined) values.purpose = entered.purpose;
  return values;
}

const EDITED = ['sizeMm', 'xMm', 'yMm', 'headingDeg', 'purpose'] as const;

/** Returns the initial values of a marker's form. */
export function openedMarker(marker: Marker): string {
  return JSON.stringify(editedValues(marker));
}

/**
 * Returns the form with the stored value in each field that its user has not edited, and an `ETAG_MISMATCH` error
 * with a fault for each edited field that was changed in the meantime.
 */
export function withStoredValues(
  entered: MarkerForm['entered'],
  { opened, current }: { opened: Readonly<Record<string, unknown>>; current: Marker },
): { entered: MarkerForm['entered']; conflict?: GatewayError } {
  const { edited, conflicts } = mergeEdits(EDITED, {
    opened,
    entered: editedValues(valuesOf(entered)),
    current: editedValues(current),
  });
  const stored = markerTexts(current);
  const kept = EDITED.filter((name) => !edited.includes(name)).map((name) => [name, stored[name]]);
  const merged = { ...entered, ...Object.fromEntries(kept) };
  if (conflicts.length === 0) return { entered: merged };
  const fields = conflicts.map((name) => ({
    name,
    shown: name === 'purpose' ? purposeText(current.purpose) : String(current[name]),
  }));
  return { entered: merged, conflict: conflictError(fields) };
}

function editedValues(
  values: Readonly<Partial<Record<(typeof EDITED)[number], string | number>>>,
): Record<(typeof EDITED)[number], unknown> {
  const { sizeMm = '', xMm = '', yMm = '', headingDeg = '', purpose = '' } = values;
  return { sizeMm, xMm, yMm, headingDeg, purpose };
}

export function sheetTexts({ id, sizeMm, purpose }: Marker): SheetTexts {
  return {
    title: t('Marker {0} (tag36h11), {1} mm', id, decimalMm(sizeMm)),
    purpose: t('Purpose: {0}', purposeText(purpose)),
    instructions: [
      t('Print at 100 %, without scaling. The line above must be exactly 100 mm long.'),
      t(
        'Measure the black square: its width must be {0} mm. If not, enter the measured width.',
        decimalMm(sizeMm),
      ),
      t('Keep the white border. Glue the sheet to a flat, rigid, matt board.'),
      t('Mount the marker upright at the height of the camera, with this text below the marker.'),
    ],
    ruler: t('100 mm'),
  };
}

function rowOf({ id, sizeMm, xMm, yMm, headingDeg, purpose }: Marker, isSuspicious: boolean): Row {
  return {
    id,
    size: `${decimalMm(sizeMm)} mm`,
    place: `${[xMm, yMm].map(decimalMm).join(language() === 'nl' ? '; ' : ', ')} mm`,
    heading: `${Math.round(headingDeg)}°`.replace('-', '−'),
    purpose: purposeText(purpose),
    isSuspicious,
  };
}

function fieldOf(name: NumberField, { entered, faults, isEdit }: MarkerForm): Field {
  const own = faults.filter(({ path }) => path === `/${name}`);
  return {
    name,
    ...fieldTexts()[name],
    isFixed: name === 'id' && isEdit,
    value: entered[name] ?? '',
    error: own.map((fault) => upperFirst(faultText(`/${name}`, fault))).join('. '),
  };
}

function decimalMm(mm: number): string {
  return decimal(mm, Number.isInteger(mm) ? 0 : 1);
}
