import { upperFirst } from '../../i18n/format.js';
import { t } from '../../i18n/page-text.js';
import type { Fault } from '../../shared/errors.js';
import { faultText } from '../../web/labels/fault-texts.js';
import { type Notice, noticeText, type Translated } from '../../web/layout/context.js';
import { type LayoutContext, type LayoutData, layoutContext } from '../../web/layout/layout-context.js';
import { BEACON_FIELDS, type Beacon } from '../registry/schema.js';
import type { BeaconsSettings } from '../settings-schema.js';

export const ROWS_PER_PAGE = 50;

type Field = (typeof BEACON_FIELDS)[number];

export interface MapPage {
  /** Contains one beacon more than `ROWS_PER_PAGE` if there is a next page. */
  beacons: readonly Beacon[];
  find: string;
  /** Last id of the previous page; empty on the first page. */
  after: string;
  form: MapForm;
  tiles: Pick<BeaconsSettings, 'tileUrl' | 'tileAttribution'>;
  notice?: Notice;
}

export interface MapForm {
  entered: Readonly<Partial<Record<Field, string>>>;
  faults: readonly Fault[];
  isEdit: boolean;
}

export const EMPTY_FORM: MapForm = { entered: {}, faults: [], isEdit: false };

interface FormField {
  name: Field;
  label: string;
  unit: string;
  help: string;
  /** Numbers use a text field, so that the gateway receives and rejects invalid input. */
  isNumber: boolean;
  isLong: boolean;
  isFixed: boolean;
  isRequired: boolean;
  maxLength: number;
  value: string;
  error: string;
}

const fieldTexts = (): Record<Field, Pick<FormField, 'label' | 'unit' | 'help' | 'maxLength'>> => ({
  id: { label: t`ID`, unit: '', help: t`6 to 19 characters, as sent by the beacon.`, maxLength: 19 },
  description: {
    label: t`Description`,
    unit: '',
    help: t`Short description of the beacon's location.`,
    maxLength: 1000,
  },
  longDescription: { label: t`Notes`, unit: '', help: '', maxLength: 10_000 },
  txPower: {
    ...{ label: t`Power at 1 m`, unit: 'dBm', maxLength: 8 },
    help: t`−100 to 20, usually −59. Required to estimate distances.`,
  },
  lat: { label: t`Latitude`, unit: '°', help: t`−90 to 90, WGS 84.`, maxLength: 20 },
  long: { label: t`Longitude`, unit: '°', help: t`−180 to 180, WGS 84.`, maxLength: 20 },
});

interface BeaconRow {
  id: string;
  description: string;
  txPower: string;
  /** For example `52.370216, 4.895168`; empty if the beacon has no position. */
  place: string;
  lat: string;
  long: string;
  editHref: string;
}

interface MapContext extends LayoutContext {
  rows: BeaconRow[];
  find: string;
  isEmpty: boolean;
  isNothingFound: boolean;
  nextHref: string;
  firstHref: string;
  form: { fields: FormField[]; isEdit: boolean; title: string; hasFaults: boolean };
  tiles: MapPage['tiles'];
  notice: Translated<Notice> | null;
}

export function mapContext(layout: LayoutData, page: MapPage): MapContext {
  const { beacons, find, after, form } = page;
  const shown = beacons.slice(0, ROWS_PER_PAGE);
  const hasMore = beacons.length > ROWS_PER_PAGE;
  return {
    ...layoutContext(layout, { title: t`Beacons`, page: 'beacons' }),
    rows: shown.map((beacon) => rowOf(beacon, { find, after })),
    find,
    isEmpty: shown.length === 0 && find === '' && after === '',
    isNothingFound: shown.length === 0 && (find !== '' || after !== ''),
    nextHref: hasMore ? mapHref({ find, after: shown.at(-1)?.id ?? '' }) : '',
    firstHref: after === '' ? '' : mapHref({ find }),
    form: {
      fields: BEACON_FIELDS.map((name) => fieldOf(name, form)),
      isEdit: form.isEdit,
      title: form.isEdit ? t`Edit ${form.entered.id ?? t`a beacon`}` : t`Add a beacon`,
      hasFaults: form.faults.length > 0,
    },
    tiles: page.tiles,
    notice: page.notice ? noticeText(page.notice) : null,
  };
}

export function mapHref(parameters: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== ''));
  return query.size === 0 ? '/map' : `/map?${query}`;
}

export function textsOf(beacon: Beacon): MapForm['entered'] {
  return Object.fromEntries(BEACON_FIELDS.map((name) => [name, String(beacon[name] ?? '')]));
}

function rowOf(beacon: Beacon, at: { find: string; after: string }): BeaconRow {
  const { id, description, txPower, lat, long } = beacon;
  const isPlaced = lat !== undefined && long !== undefined;
  return {
    ...{ id, description, txPower: txPower === undefined ? '' : String(txPower).replace('-', '−') },
    place: isPlaced ? `${lat.toFixed(6)}, ${long.toFixed(6)}`.replaceAll('-', '−') : '',
    lat: String(lat ?? ''),
    long: String(long ?? ''),
    editHref: mapHref({ ...at, edit: id }),
  };
}

function fieldOf(name: Field, { entered, faults, isEdit }: MapForm): FormField {
  const own = faults.filter(({ path }) => path === `/${name}` || path === name);
  return {
    ...{ name, ...fieldTexts()[name] },
    isNumber: name === 'txPower' || name === 'lat' || name === 'long',
    isLong: name === 'longDescription',
    isFixed: name === 'id' && isEdit,
    isRequired: name === 'id',
    value: entered[name] ?? '',
    error: own.map((fault) => upperFirst(faultText(`/${name}`, fault))).join('. '),
  };
}
