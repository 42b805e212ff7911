import { t } from '../../i18n/page.js';
import { type FrameContext, type FrameData, frameContext } from '../../web/layout/layout-context.js';
import { type FleetLine, fleetLine, stateSaid } from '../labels/fleet-labels.js';
import { FLEET_STATES, type FleetList } from '../labels/fleet-rows.js';

/** The page comes with so many; the rest is drawn by its script, as far as it is in sight. */
const LINES_SENT = 50;

interface Option {
  value: string;
  text: string;
}

interface FleetContext extends FrameContext {
  total: number;
  counts: { state: string; text: string; count: number }[];
  lines: FleetLine[];
  /** What the list can be narrowed to and sorted by. */
  shows: Option[];
  sorts: Option[];
  /** How many are not in the page that was sent; 0 = all are. */
  more: number;
  /** Something true without members: the line inside `<template>` is drawn with it. */
  blank: Record<string, never>;
}

/** What `carts/fleet.html` shows. */
export function fleetContext(frame: FrameData, { counts, carts }: FleetList): FleetContext {
  return {
    ...frameContext(frame, { title: t`Fleet`, page: 'fleet' }),
    total: carts.length,
    counts: FLEET_STATES.map((state) => ({ state, text: stateSaid(state), count: counts[state] })),
    shows: [
      { value: '', text: t`every cart` },
      { value: 'problems', text: t`problems` },
      ...FLEET_STATES.map((state) => ({ value: state, text: stateSaid(state) })),
    ],
    sorts: [
      { value: 'worst', text: t`problems first` },
      { value: 'number', text: t`number` },
      { value: 'name', text: t`name` },
      { value: 'battery', text: t`emptiest battery` },
      { value: 'age', text: t`longest unheard` },
    ],
    lines: carts.slice(0, LINES_SENT).map((cart) => fleetLine(cart, cart.ageMs)),
    more: Math.max(0, carts.length - LINES_SENT),
    blank: {},
  };
}
