import { FLEET_STATES, type FleetList } from '../../carts/index.js';
import { t } from '../../i18n/page-text.js';
import {
  type FleetDuplicate,
  type FleetLine,
  fleetDuplicate,
  fleetLine,
  fleetStateText,
} from '../labels/fleet-labels.js';
import { type LayoutContext, type LayoutData, layoutContext } from '../layout/layout-context.js';

/** The server renders this many rows; the script renders the other rows while they are visible. */
const LINES_SENT = 50;

interface Option {
  value: string;
  text: string;
}

interface FleetContext extends LayoutContext {
  total: number;
  counts: { state: string; text: string; count: number }[];
  lines: FleetLine[];
  shows: Option[];
  sorts: Option[];
  duplicates: FleetDuplicate[];
  hasDuplicates: boolean;
  /** False hides the column with the versions of the site plan. */
  hasSitePlan: boolean;
  /** Number of carts that have no row in the rendered page. */
  more: number;
  blank: Record<string, never>;
}

export function fleetContext(layout: LayoutData, { counts, carts, duplicates }: FleetList): FleetContext {
  return {
    ...layoutContext(layout, { page: 'fleet' }),
    total: carts.length,
    counts: FLEET_STATES.map((state) => ({ state, text: fleetStateText(state), count: counts[state] })),
    shows: [
      { value: '', text: t('all carts') },
      { value: 'problems', text: t('problems') },
      ...FLEET_STATES.map((state) => ({ value: state, text: fleetStateText(state) })),
    ],
    sorts: [
      { value: 'worst', text: t('problems first') },
      { value: 'number', text: t('number') },
      { value: 'name', text: t('name') },
      { value: 'battery', text: t('lowest battery') },
      { value: 'age', text: t('oldest update') },
    ],
    lines: carts.slice(0, LINES_SENT).map((cart) => fleetLine(cart, cart.ageMs)),
    duplicates: duplicates.map(fleetDuplicate),
    hasDuplicates: duplicates.length > 0,
    hasSitePlan: carts.some(({ sitePlan }) => sitePlan !== null),
    more: Math.max(0, carts.length - LINES_SENT),
    blank: {},
  };
}
