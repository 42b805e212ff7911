import { setImmediate as nextTurn } from 'node:timers/promises';
import { parseMessageJson } from '../../shared/messages/message.js';
import type { ReadDatabase, Statement } from '../../shared/ports/database.js';
import type { Outcome } from './entries.js';
import { type Filter, type Position, SlicedSelect } from './slices.js';

/** A command or a safety event. */
export interface FoundEntry {
  id: number;
  /** Unix time in ms. */
  at: number;
  cartID: number;
  /** The principal; empty if no person caused the event. */
  person: string;
  kind: string;
  outcome: Outcome;
  reason: string;
  distanceMm: number;
  /** The recorded command or safety event. */
  view: unknown;
}

export interface FoundPage {
  entries: FoundEntry[];
  /** The value of `below` for the next page; undefined if there are no more entries. */
  next: Position | undefined;
}

interface FoundRow extends Omit<FoundEntry, 'view'> {
  source: 'command' | 'safety';
  sourceId: number;
}

const COLUMNS = `id, at, cart_id AS cartID, person, kind, outcome, reason,
  distance_mm AS distanceMm, source, source_id AS sourceId`;
const MAX_PEOPLE = 200;
/** Number of entries that an export reads and formats in one turn of the event loop. */
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

  /** Resolves with at most `limit` entries after the position `below`, newest first. */
  async page(filter: Filter, { below, limit }: { below?: Position; limit: number }): Promise<FoundPage> {
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

  /** Yields all entries that match a filter, newest first, in small batches. */
  async *all(filter: Filter): AsyncGenerator<FoundEntry[]> {
    let below: Position | undefined;
    do {
      const page = await this.page(filter, { limit: EXPORT_ROWS, ...(below ? { below } : {}) });
      yield page.entries;
      below = page.next;
      await nextTurn();
    } while (below);
  }

  entry(id: number): FoundEntry | undefined {
    const row = this.#statements.entry.get({ id });
    return row && this.#entryOf(row);
  }

  /** Returns the principals in the history, sorted; at most 200. */
  people(): string[] {
    const people: string[] = [];
    let last = '';
    while (people.length < MAX_PEOPLE) {
      const next = this.#statements.nextPerson.get({ last })?.person;
      if (next === undefined) break;
      people.push(next);
      last = next;
    }
    return people;
  }

  get #statements(): ReturnType<typeof prepare> {
    this.#prepared ??= prepare(this.#read);
    return this.#prepared;
  }

  #entryOf({ source, sourceId, ...row }: FoundRow): FoundEntry {
    const { command, safety } = this.#statements;
    const stored = (source === 'command' ? command : safety).get({ id: sourceId });
    return { ...row, view: parseMessageJson(stored?.view ?? '{}') };
  }
}

function prepare(read: ReadDatabase): {
  entry: Statement<FoundRow>;
  command: Statement<{ view: string }>;
  safety: Statement<{ view: string }>;
  nextPerson: Statement<{ person: string }>;
} {
  return {
    entry: read.prepare(`SELECT ${COLUMNS} FROM history_entries WHERE id = @id`),
    command: read.prepare('SELECT view FROM command_history WHERE id = @id'),
    safety: read.prepare('SELECT view FROM safety_events WHERE id = @id'),
    // Uses one index lookup per person instead of reading all rows.
    nextPerson: read.prepare(
      'SELECT person FROM history_entries WHERE person > @last ORDER BY person LIMIT 1',
    ),
  };
}
