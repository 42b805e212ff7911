import { FLEET_STATES, type FleetList } from '../carts/rows-fleet.js';
import { type FleetLine, fleetLine, STATE_WORDS } from '../carts/words-fleet.js';
import { type FrameContext, type FrameData, frameContext } from './frame-context.js';

/** The page comes with so many; the rest is drawn by its script, as far as it is in sight. */
const LINES_SENT = 50;

export interface FleetContext extends FrameContext {
  total: number;
  counts: { state: string; text: string; count: number }[];
  lines: FleetLine[];
  /** How many are not in the page that was sent; 0 = all are. */
  more: number;
  /** Something true without members: the line inside `<template>` is drawn with it. */
  blank: Record<string, never>;
}

/** What `fleet.html` shows. */
export function fleetContext(frame: FrameData, { counts, carts }: FleetList): FleetContext {
  return {
    ...frameContext(frame, { title: 'Fleet', page: 'fleet' }),
    total: carts.length,
    counts: FLEET_STATES.map((state) => ({ state, text: STATE_WORDS[state], count: counts[state] })),
    lines: carts.slice(0, LINES_SENT).map((cart) => fleetLine(cart, cart.ageMs)),
    more: Math.max(0, carts.length - LINES_SENT),
    blank: {},
  };
}
