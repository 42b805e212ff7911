import {
  BEACON_FIELDS,
  type Beacon,
  type BeaconsSettings,
  POSITION_FIELDS,
  type SearchPlace,
} from '../../beacons/index.js';
import { cartLabel, type Refusal } from '../../carts/index.js';
import type { Notice } from '../../http/pages.js';
import { sentence, upperFirst } from '../../i18n/format.js';
import { hasDecimalComma } from '../../i18n/language.js';
import { begun, translated } from '../../i18n/messages.js';
import { t } from '../../i18n/page-text.js';
import type { Marker } from '../../navigation/index.js';
import { type LatLong, offsetFrom, type PlanView } from '../../plan/index.js';
import type { Fault } from '../../shared/errors.js';
import type { Place, SitePlanView } from '../../site/index.js';
import { faultText } from '../labels/fault-texts.js';
import { noticeText, type Translated } from '../layout/context.js';
import { type LayoutContext, type LayoutData, layoutContext } from '../layout/layout-context.js';
import type { CartRules } from './browser/cart-outline.js';
import { latLongText, metreTexts } from './form-position.js';
import { offsetText } from './offset-text.js';
import { type PlanContext, planContext, type RejectedLine } from './plan-form.js';
import { PLACE_GLYPHS, placePurposes, zoneKinds } from './site-text.js';

export const ROWS_PER_PAGE = 50;

export const FORM_FIELDS = [...BEACON_FIELDS, ...POSITION_FIELDS] as const;

/** The form shows the fields in this order. */
const BASIC = ['id', 'description', 'east', 'north', 'txPower', 'longDescription'] as const;
const ADVANCED = ['lat', 'long'] as const;

type Field = (typeof BASIC)[number] | (typeof ADVANCED)[number];

export interface MapPage {
  beacons: readonly Beacon[];
  /** Where the page starts and where the next page starts, if any. */
  from: SearchPlace;
  next?: SearchPlace;
  /** True if not all beacons have been searched. */
  isPartial: boolean;
  origin: LatLong;
  find: string;
  form: MapForm;
  markers: readonly Marker[];
  plan: PlanView | undefined;
  sitePlan: SitePlanView;
  rejectedLine?: RejectedLine;
  tiles: Pick<BeaconsSettings, 'tileUrl' | 'tileAttribution'>;
  notice?: Notice;
}

export interface DriveRules {
  meaning: string;
  units: string;
  drive: string;
  mmPerUnit: number;
  degPerUnit: number;
  maxMm: number;
  maxDeg: number;
}

export interface MapForm {
  entered: Readonly<Partial<Record<(typeof FORM_FIELDS)[number], string>>>;
  faults: readonly Fault[];
  isEdit: boolean;
  /** The form's initial values (JSON); empty for a new beacon. */
  opened: string;
}

export const EMPTY_BEACON_FORM: MapForm = { entered: {}, faults: [], isEdit: false, opened: '' };

interface FormField {
  name: Field;
  label: string;
  unit: string;
  help: string;
  /** Numeric fields are text inputs, so that the gateway receives and rejects invalid input. */
  isNumber: boolean;
  isLong: boolean;
  isFixed: boolean;
  isRequired: boolean;
  maxLength: number;
  value: string;
  error: string;
}

const fieldTexts = (): Record<Field, Pick<FormField, 'label' | 'unit' | 'help' | 'maxLength'>> => ({
  id: { label: t('ID'), unit: '', help: t('6 to 19 characters, as sent by the beacon.'), maxLength: 19 },
  description: {
    label: t('Description'),
    unit: '',
    help: t("Short description of the beacon's location."),
    maxLength: 1000,
  },
  longDescription: { label: t('Notes'), unit: '', help: '', maxLength: 10_000 },
  txPower: {
    label: t('Power at 1 m'),
    unit: 'dBm',
    maxLength: 8,
    help: t('−100 to 20, usually −59. Required to estimate distances.'),
  },
  east: {
    label: t('East'),
    unit: 'm',
    help: t('Metres east of the origin (the cross on the map); negative to the west.'),
    maxLength: 20,
  },
  north: {
    label: t('North'),
    unit: 'm',
    help: t('Metres north of the origin; negative to the south.'),
    maxLength: 20,
  },
  lat: { label: t('Latitude'), unit: '°', help: t('−90 to 90, WGS 84.'), maxLength: 20 },
  long: { label: t('Longitude'), unit: '°', help: t('−180 to 180, WGS 84.'), maxLength: 20 },
});

interface BeaconRow {
  id: string;
  description: string;
  txPower: string;
  /** Position in metres, for example `12.30 m east, 4.00 m north`; empty if the beacon has no position. */
  place: string;
  /** For example `52.370216, 4.895168` (latitude, longitude). */
  coordinates: string;
  lat: string;
  long: string;
  editHref: string;
}

interface FormContext {
  fields: FormField[];
  advanced: FormField[];
  isAdvancedOpen: boolean;
  isEdit: boolean;
  id: string;
  opened: string;
  title: string;
  /** `lat,long` of the origin when the form was first shown. */
  origin: string;
  /** `lat,long` before the change; empty if there was no position. */
  at: string;
}

interface Option {
  value: string;
  text: string;
}

interface SitePlanContext {
  /** The `SitePlanView` as JSON, so that the page needs no request for it. */
  json: string;
  mayEdit: boolean;
  /** Why the gateway rejects zones for its cart, and what to do; empty if it accepts them. */
  unsuitable: string;
  /** Why zones cannot be changed here, and where to change them; empty if administrators can change them. */
  owner: string;
  kinds: Option[];
  purposes: (Option & { glyph: string })[];
  /** The markers and carts that a place can refer to. */
  markers: Option[];
  carts: Option[];
}

interface MapContext extends LayoutContext {
  rows: BeaconRow[];
  find: string;
  isEmpty: boolean;
  isNothingFound: boolean;
  isPartial: boolean;
  nextHref: string;
  firstHref: string;
  /** `lat,long` of the origin of the positions in metres. */
  origin: string;
  /** Query of the links to CSV files, for the spreadsheet programs of users of the page's language. */
  csvQuery: string;
  form: FormContext;
  /** The `Marker` list as JSON, so that the page needs no request for it. */
  markers: string;
  plan: PlanContext;
  /** True if zones prevent the viewer from changing the floor plan. */
  isPlanLocked: boolean;
  /** Null for visitors who are not permitted to read it. */
  sitePlan: SitePlanContext | null;
  driveTo: DriveRules;
  /** `CartRules` as JSON. */
  cartRules: string;
  tiles: MapPage['tiles'];
  notice: Translated<Notice> | null;
}

export function mapContext(
  layout: LayoutData,
  page: MapPage,
  {
    driveTo,
    cart,
    unsuitable,
    editRefusal,
  }: {
    driveTo: DriveRules;
    cart: CartRules;
    unsuitable: Refusal | undefined;
    editRefusal: Refusal | undefined;
  },
): MapContext {
  const { beacons, find, from, next, isPartial, form } = page;
  const isFirst = from.after === '' && !from.isRest;
  return {
    ...layoutContext(layout, { page: 'beacons' }),
    rows: beacons.map((beacon) => rowOf(beacon, page)),
    find,
    isEmpty: beacons.length === 0 && find === '' && isFirst,
    isNothingFound: beacons.length === 0 && (find !== '' || !isFirst),
    isPartial,
    nextHref: next ? mapHref({ find, ...placeQuery(next) }) : '',
    firstHref: isFirst ? '' : mapHref({ find }),
    origin: latLongText(page.origin),
    csvQuery: hasDecimalComma() ? '?format=excel' : '',
    form: formContext(form, page.origin),
    markers: JSON.stringify(page.markers),
    plan: planContext(page.plan, page.rejectedLine),
    isPlanLocked: page.sitePlan.zones.length > 0 && layout.visitor?.role !== 'admin',
    sitePlan: layout.visitor?.mayDrive
      ? sitePlanContext(page.sitePlan, {
          mayEdit: layout.visitor.role === 'admin' && !editRefusal,
          unsuitable: refusalText(unsuitable),
          owner: refusalText(editRefusal),
          markers: page.markers.map(({ id }) => ({ value: String(id), text: String(id) })),
          carts: layout.carts.map((known) => ({ value: String(known.cartID), text: cartLabel(known) })),
        })
      : null,
    driveTo,
    cartRules: JSON.stringify(cart),
    tiles: page.tiles,
    notice: page.notice ? noticeText(page.notice) : null,
  };
}

function refusalText(refusal: Refusal | undefined): string {
  if (!refusal) return '';
  return [begun(refusal.text), translated(refusal.hint ?? '')].filter(Boolean).map(sentence).join(' ');
}

function sitePlanContext(
  view: SitePlanView,
  others: Omit<SitePlanContext, 'json' | 'kinds' | 'purposes'>,
): SitePlanContext {
  const kinds = Object.entries(zoneKinds()).map(([value, text]) => ({ value, text }));
  const purposes = Object.entries(placePurposes()).map(([value, text]) => ({
    value,
    text,
    glyph: PLACE_GLYPHS[value as Place['purpose']],
  }));
  return { json: JSON.stringify(view), ...others, kinds, purposes };
}

function formContext(form: MapForm, current: LatLong): FormContext {
  const { entered, isEdit, opened } = form;
  const origin = entered.origin ?? latLongText(current);
  const at = entered.at ?? '';
  const advanced = ADVANCED.map((name) => fieldOf(name, form));
  const id = entered.id ?? '';
  return {
    isEdit,
    id,
    opened,
    origin,
    at,
    advanced,
    fields: BASIC.map((name) => fieldOf(name, form)),
    isAdvancedOpen: advanced.some(({ error }) => error !== ''),
    title: isEdit ? t('Edit {0}', id || t('a beacon')) : t('Add a beacon'),
  };
}

export function mapHref(parameters: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(Object.entries(parameters).filter(([, value]) => value !== ''));
  return query.size === 0 ? '/map' : `/map?${query}`;
}

export function beaconTexts(beacon: Beacon, origin: LatLong): MapForm['entered'] {
  const { lat, long } = beacon;
  const at = lat === undefined || long === undefined ? undefined : { lat, long };
  return {
    ...Object.fromEntries(BEACON_FIELDS.map((name) => [name, String(beacon[name] ?? '')])),
    ...metreTexts(origin, at),
    at: at ? latLongText(at) : '',
  };
}

function placeQuery({ after, isRest }: SearchPlace): { after: string; rest: string } {
  return { after, rest: isRest ? '1' : '' };
}

function rowOf(beacon: Beacon, { find, from, origin }: MapPage): BeaconRow {
  const { id, description, txPower, lat, long } = beacon;
  const isPlaced = lat !== undefined && long !== undefined;
  return {
    id,
    description,
    txPower: txPower === undefined ? '' : String(txPower).replace('-', '−'),
    place: isPlaced ? offsetText(offsetFrom(origin, { lat, long })) : '',
    coordinates: isPlaced ? `${lat.toFixed(6)}, ${long.toFixed(6)}`.replaceAll('-', '−') : '',
    lat: String(lat ?? ''),
    long: String(long ?? ''),
    editHref: mapHref({ find, ...placeQuery(from), edit: id }),
  };
}

function fieldOf(name: Field, { entered, faults, isEdit }: MapForm): FormField {
  const own = faults.filter(({ path }) => path === `/${name}` || path === name);
  return {
    name,
    ...fieldTexts()[name],
    isNumber: name !== 'id' && name !== 'description' && name !== 'longDescription',
    isLong: name === 'longDescription',
    isFixed: name === 'id' && isEdit,
    isRequired: name === 'id',
    value: entered[name] ?? '',
    error: own.map((fault) => upperFirst(faultText(`/${name}`, fault))).join('. '),
  };
}
