import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Actor, parseActor } from '../../shared/actor.js';
import type { Cancel } from '../../shared/ports/clock.js';
import type { ReadDatabase } from '../../shared/ports/database.js';
import type { Store } from '../../shared/ports/store.js';
import {
  type IndexColumns,
  type Outcome,
  PROTECTIVE_CODES,
  STOP_REASONS,
  type StopReason,
  stopReasonOf,
} from './entries.js';
import { SlicedSelect } from './slices.js';

export interface PersonFigures {
  actor: Actor;
  person: string;
  commands: number;
  distanceMm: number;
}

export interface DayFigures {
  /** The start of the day in the gateway's time zone, as Unix time in ms. */
  at: number;
  commands: number;
  distanceMm: number;
  stops: Record<StopReason, number>;
}

export interface HistoryFigures {
  /** Oldest first. */
  days: DayFigures[];
  /** Sorted by distance, longest first. */
  people: PersonFigures[];
}

interface Group {
  source: 'command' | 'safety';
  cartID: number;
  actor: string;
  person: string;
  outcome: Outcome;
  reason: string;
  /** ID of the press of Stop all, if any; otherwise, empty. */
  pressId: string;
  /** Number of events. */
  n: number;
  /** Number of events that no entry of another cart counts. */
  presses: number;
  distanceMm: number;
}

interface Day extends DayFigures {
  people: Map<string, PersonFigures>;
}

interface Period {
  days: number;
  /** Unix time in ms. */
  now: number;
  cart?: number | undefined;
}

const MAX_CACHED_DAYS = 400;

/** Counts in slices that yield to the event loop. Caches a day's figures until an entry for that day changes. */
export class HistoryStatistics {
  readonly #select: SlicedSelect<Group>;
  readonly #days = new Map<string, Day>();
  readonly #endCommits: Cancel;
  #version = 0;

  constructor(store: { read: ReadDatabase; onCommit: Store['onCommit'] }) {
    this.#select = new SlicedSelect(store.read, {
      columns:
        'source, cart_id AS cartID, actor, person, outcome, reason, press_id AS pressId, sum(times) AS n, sum(presses) AS presses, sum(distance_mm) AS distanceMm',
      tail: 'GROUP BY source, cart_id, person, actor, outcome, reason, press_id LIMIT @limit',
    });
    this.#endCommits = store.onCommit(({ writes }) => {
      for (const { name, args } of writes) {
        if (name.startsWith('ops.append')) for (const row of args as IndexColumns[]) this.#changed(row);
        else if (name.startsWith('ops.prune')) this.#days.clear();
      }
    });
  }

  close(): void {
    this.#endCommits();
  }

  async figures({ days, now, cart }: Period): Promise<HistoryFigures> {
    const counted: Day[] = [];
    for (let back = days - 1; back >= 0; back -= 1)
      counted.push(await this.#day(startOfDay(now, back), cart));
    const people = new Map<string, PersonFigures>();
    for (const day of counted) for (const figures of day.people.values()) add(people, figures);
    return {
      days: counted.map(({ people: _people, ...day }) => day),
      people: [...people.values()].sort((a, b) => b.distanceMm - a.distanceMm || b.commands - a.commands),
    };
  }

  async #day(at: number, cart: number | undefined): Promise<Day> {
    const key = `${at} ${cart ?? ''}`;
    const known = this.#days.get(key);
    if (known) return known;
    const version = this.#version;
    const stops = Object.fromEntries(STOP_REASONS.map((reason) => [reason, 0])) as Day['stops'];
    const day: Day = { at, commands: 0, distanceMm: 0, stops, people: new Map() };
    const filter = { cart, from: at, to: startOfDay(at, -1) - 1 };
    const counted: Counted = { presses: new Set(), protective: new Map(), isOneCart: cart !== undefined };
    for (const { rows } of this.#select.slices(filter, undefined, Number.MAX_SAFE_INTEGER)) {
      for (const group of rows) count(day, group, counted);
      await nextTurn();
    }
    for (const { events, commands } of counted.protective.values())
      day.stops.protective += Math.max(events, commands);
    if (this.#days.size >= MAX_CACHED_DAYS) this.#days.clear();
    if (version === this.#version) this.#days.set(key, day);
    return day;
  }

  #changed({ eventAt }: IndexColumns): void {
    this.#version += 1;
    const day = `${startOfDay(eventAt, 0)} `;
    for (const key of this.#days.keys()) if (key.startsWith(day)) this.#days.delete(key);
  }
}

interface Counted {
  /** A press that stops several carts counts once. */
  presses: Set<string>;
  /** True if only one cart's entries are counted. */
  isOneCart: boolean;
  /** Protective stops by cart. A stop of this gateway's cart has an event and a command, but is counted once. */
  protective: Map<number, { events: number; commands: number }>;
}

function count(day: Day, group: Group, { presses, protective, isOneCart }: Counted): void {
  const { source, cartID, actor, person, outcome, reason, pressId, n, distanceMm } = group;
  const times = isOneCart ? n : group.presses;
  const stop = stopReasonOf({ outcome, reason });
  if (outcome === 'protective' || (PROTECTIVE_CODES as readonly string[]).includes(reason)) {
    const stops = protective.get(cartID) ?? { events: 0, commands: 0 };
    stops[source === 'safety' ? 'events' : 'commands'] += n;
    protective.set(cartID, stops);
  } else if (stop && !presses.has(pressId)) day.stops[stop] += pressId === '' ? times : Math.min(1, times);
  if (pressId !== '') presses.add(pressId);
  if (source === 'safety') return;
  day.commands += n;
  day.distanceMm += distanceMm;
  add(day.people, { actor: parseActor(actor), person, commands: n, distanceMm });
}

function add(people: Map<string, PersonFigures>, figures: PersonFigures): void {
  const { actor } = figures;
  const key = JSON.stringify([actor.kind, actor.id, actor.via]);
  const { commands = 0, distanceMm = 0 } = people.get(key) ?? {};
  people.set(key, {
    ...figures,
    commands: commands + figures.commands,
    distanceMm: distanceMm + figures.distanceMm,
  });
}

/** The start of the day that is `back` days before a time, in the gateway's time zone. */
function startOfDay(ms: number, back: number): number {
  const day = new Date(ms);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() - back).getTime();
}
