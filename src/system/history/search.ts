import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Actor, parseActor } from '../../shared/actor.js';
import { parseMessageJson } from '../../shared/messages/message.js';
import type { ReadDatabase, Statement } from '../../shared/ports/database.js';
import type { Outcome } from './entries.js';
import { type Filter, type HistoryPosition, SlicedSelect } from './slices.js';

export interface FoundEntry {
  id: number;
  /** Unix time in ms. */
  at: number;
  cartID: number;
  actor: Actor;
  /** The actor's name; empty if no person caused the event. */
  person: string;
  kind: string;
  outcome: Outcome;
  reason: string;
  distanceMm: number;
  /** The carts that the same press stopped, including `cartID`; empty if no press is known. */
  pressedCarts: number[];
  view: unknown;
}

export interface FoundPage {
  entries: FoundEntry[];
  /** The value of `below` for the next page; undefined if there are no more entries. */
  next: HistoryPosition | undefined;
}

interface FoundRow extends Omit<FoundEntry, 'actor' | 'view' | 'pressedCarts'> {
  actor: string;
  source: 'command' | 'safety';
  sourceId: number;
  pressId: string;
}

const COLUMNS = `id, at, cart_id AS cartID, actor, person, kind, outcome, reason,
  distance_mm AS distanceMm, source, source_id AS sourceId, press_id AS pressId`;
const MAX_PEOPLE = 200;
/** A stop event is recorded up to this long before or after the end of the command that it interrupted. */
const STOP_SKEW_MS = 2000;
const LONGEST_COMMAND_MS = 3_600_000;
/** Maximum number of carts whose interrupted commands are looked up; one press may have stopped a thousand carts. */
const MAX_INTERRUPTED = 20;
/** Number of a cart's latest cancelled or failed commands that are checked to find the interrupted one. */
const MAX_CANDIDATES = 10;
/** Number of entries that an export processes per event-loop iteration. */
const EXPORT_ROWS = 100;

/** Searches the history. Long searches yield to the event loop. */
export class HistorySearch {
  readonly #read: ReadDatabase;
  readonly #select: SlicedSelect<FoundRow>;
  #prepared: ReturnType<typeof prepare> | undefined;

  constructor(read: ReadDatabase) {
    this.#read = read;
    this.#select = new SlicedSelect(read, {
      columns: COLUMNS,
      tail: 'ORDER BY at DESC, id DESC LIMIT @limit',
    });
  }

  /**
   * Resolves with entries after the position `below`, newest first. If the filter does not depend on the
   * cart, a press that stopped several carts is a single entry.
   */
  page(filter: Filter, range: { below?: HistoryPosition; limit: number }): Promise<FoundPage> {
    const onePerPress = filter.cart === undefined && !filter.words?.length;
    return this.#page({ ...filter, onePerPress }, range);
  }

  async #page(
    filter: Filter,
    { below, limit }: { below?: HistoryPosition; limit: number },
  ): Promise<FoundPage> {
    const found: FoundRow[] = [];
    for (const { rows } of this.#select.slices(filter, below, limit + 1)) {
      found.push(...rows);
      if (found.length > limit) break;
      await nextTurn();
    }
    const shown = found.slice(0, limit);
    const last = shown.at(-1);
    return {
      entries: shown.map((row) => this.#entryOf(row)),
      next: found.length > limit && last ? { at: last.at, id: last.id } : undefined,
    };
  }

  /** Yields all matching entries in small batches, newest first, with one entry per stopped cart. */
  async *all(filter: Filter): AsyncGenerator<FoundEntry[]> {
    let below: HistoryPosition | undefined;
    do {
      const page: FoundPage = await this.#page(filter, { limit: EXPORT_ROWS, ...(below ? { below } : {}) });
      yield page.entries;
      below = page.next;
      await nextTurn();
    } while (below);
  }

  entry(id: number): FoundEntry | undefined {
    const row = this.#statements.entry.get({ id });
    return row && this.#entryOf(row);
  }

  /** Returns the commands that a stop event interrupted; an empty list for all other entries. */
  interruptedBy({ at, cartID, outcome, pressedCarts }: FoundEntry): FoundEntry[] {
    if (outcome !== 'estop' && outcome !== 'protective') return [];
    const carts = pressedCarts.length > 0 ? pressedCarts.slice(0, MAX_INTERRUPTED) : [cartID];
    return carts.flatMap((cart) => this.#interrupted(cart, at) ?? []);
  }

  /** Returns the command of the cart whose motion ended at this time; commands that never ran are skipped. */
  #interrupted(cart: number, at: number): FoundEntry | undefined {
    for (const row of this.#statements.lastStopped.all({ cart, at, from: at - LONGEST_COMMAND_MS })) {
      const entry = this.#entryOf(row);
      if (Math.abs(endOf(entry) - at) <= STOP_SKEW_MS) return entry;
    }
    return undefined;
  }

  /** Returns the people in the history, sorted by name; at most 200. */
  people(): Pick<FoundEntry, 'person' | 'actor'>[] {
    const people: Pick<FoundEntry, 'person' | 'actor'>[] = [];
    let last = '';
    while (people.length < MAX_PEOPLE) {
      const next = this.#statements.nextPerson.get({ last });
      if (next === undefined) break;
      people.push({ person: next.person, actor: parseActor(next.actor) });
      last = next.person;
    }
    return people;
  }

  get #statements(): ReturnType<typeof prepare> {
    this.#prepared ??= prepare(this.#read);
    return this.#prepared;
  }

  #entryOf({ source, sourceId, pressId, actor, ...row }: FoundRow): FoundEntry {
    const { command, safety, pressedCarts } = this.#statements;
    const carts = pressId === '' ? [] : pressedCarts.all({ pressId });
    const stored = (source === 'command' ? command : safety).get({ id: sourceId });
    return {
      ...row,
      actor: parseActor(actor),
      pressedCarts: carts.map(({ cartID }) => cartID),
      view: parseMessageJson(stored?.view ?? '{}'),
    };
  }
}

/** Returns when a command's motion ended, as Unix time in ms; NaN if it was never in motion. */
function endOf({ at, view }: FoundEntry): number {
  const { timeline = [] } = view as { timeline?: { state: string; ms: number }[] };
  const hasRun = timeline.some(({ state }) => state === 'RUNNING');
  return hasRun ? at + (timeline.at(-1)?.ms ?? 0) : Number.NaN;
}

function prepare(read: ReadDatabase): {
  entry: Statement<FoundRow>;
  lastStopped: Statement<FoundRow>;
  command: Statement<{ view: string }>;
  safety: Statement<{ view: string }>;
  nextPerson: Statement<{ person: string; actor: string }>;
  pressedCarts: Statement<{ cartID: number }>;
} {
  return {
    entry: read.prepare(`SELECT ${COLUMNS} FROM history_entries WHERE id = @id`),
    lastStopped: read.prepare(`SELECT ${COLUMNS} FROM history_entries
      WHERE cart_id = @cart AND at BETWEEN @from AND @at AND outcome IN ('cancelled', 'failed')
      ORDER BY at DESC LIMIT ${MAX_CANDIDATES}`),
    command: read.prepare('SELECT view FROM command_history WHERE id = @id'),
    safety: read.prepare('SELECT view FROM safety_events WHERE id = @id'),
    pressedCarts: read.prepare(
      "SELECT DISTINCT cart_id AS cartID FROM history_entries WHERE press_id = @pressId AND press_id <> '' ORDER BY cart_id",
    ),
    // Uses one index lookup per person instead of reading all rows.
    nextPerson: read.prepare(
      'SELECT person, actor FROM history_entries WHERE person > @last ORDER BY person LIMIT 1',
    ),
  };
}
