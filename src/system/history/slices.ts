import type { ReadDatabase, SqlParams, Statement } from '../../shared/ports/database.js';
import { type Outcome, PROTECTIVE_CODES, UNRECORDED_PROTECTIVE_CODES } from './entries.js';

/** The position of an entry in the history, which is sorted by time and then by ID, newest first. */
export interface HistoryPosition {
  at: number;
  id: number;
}

export interface Filter {
  cart?: number | undefined;
  person?: string | undefined;
  outcome?: Outcome | undefined;
  /** If true, only stops, failed commands and cancelled commands match. */
  stops?: boolean | undefined;
  /** Earliest and latest Unix time in ms. */
  from?: number | undefined;
  to?: number | undefined;
  /** Lower-case words, all of which must occur in the entry. */
  words?: readonly string[] | undefined;
  /**
   * If true, a press that stopped several carts matches only for the first cart, or the person's first cart.
   */
  onePerPress?: boolean;
}

/** Number of index rows read per event-loop iteration; searching them takes about 1 ms on a desktop. */
const SLICE_ROWS = 500;
const LAST: HistoryPosition = { at: Number.MAX_SAFE_INTEGER, id: Number.MAX_SAFE_INTEGER };

/** The statements for one combination of filters. */
interface SliceStatements<Row> {
  /** Selects the last row of the slice that follows the position `@at`, `@id`. */
  end: Statement<HistoryPosition>;
  rows: Statement<Row>;
}

interface Slice {
  /** The slice begins immediately after this position. */
  below: HistoryPosition;
  /** The last row of the slice; undefined if the slice reaches the end of the list. */
  end: HistoryPosition | undefined;
}

/**
 * Reads the history index in slices, applying all filters except one to a slice's rows, so that the time per
 * slice does not depend on the filters.
 */
export class SlicedSelect<Row> {
  readonly #read: ReadDatabase;
  readonly #columns: string;
  readonly #tail: string;
  readonly #statements = new Map<string, SliceStatements<Row>>();

  /** @param tail the clauses that follow the `WHERE` clause, such as `ORDER BY … LIMIT @limit`. */
  constructor(read: ReadDatabase, { columns, tail }: { columns: string; tail: string }) {
    this.#read = read;
    this.#columns = columns;
    this.#tail = tail;
  }

  /** Yields the slices with the rows that match a filter, newest first. */
  *slices(
    filter: Filter,
    from: HistoryPosition | undefined,
    limit: number,
  ): Generator<Slice & { rows: Row[] }> {
    const { end, rows } = this.#prepared(filter);
    const values = paramsOf(filter);
    let below: HistoryPosition = from ?? (filter.to === undefined ? LAST : { at: filter.to, id: LAST.id });
    for (;;) {
      const last = end.get({ ...values, ...below });
      const { at, id } = last ?? { at: values.from, id: 0 };
      yield {
        below,
        end: last,
        rows: rows.all({ ...values, ...below, endAt: at, endId: id, limit }),
      };
      if (!last) return;
      below = last;
    }
  }

  #prepared(filter: Filter): SliceStatements<Row> {
    const words = filter.words ?? [];
    const isProtective = filter.outcome === 'protective';
    const [first, ...others] = (['person', 'outcome', 'cart'] as const).filter(
      (name) => filter[name] !== undefined && !(name === 'outcome' && isProtective),
    );
    const key = [first, ...others, words.length, filter.stops, isProtective, filter.onePerPress].join(' ');
    const known = this.#statements.get(key);
    if (known) return known;
    const range = `${first ? `${COLUMNS[first]} = @${first} AND ` : ''}(at, id) < (@at, @id) AND at >= @from`;
    // The plus sign prevents SQLite from using an index for a second filter.
    const conditions = [
      ...others.map((name) => ` AND +${COLUMNS[name]} = @${name}`),
      ...(filter.stops ? [STOPS] : []),
      ...(isProtective ? [PROTECTIVE] : []),
      ...(filter.onePerPress ? [firstOfPress(filter)] : []),
      ...words.map((_word, nth) => ` AND instr(words, @word${nth}) > 0`),
    ];
    const statements = {
      end: this.#read.prepare<HistoryPosition>(
        `SELECT at, id FROM history_entries WHERE ${range} ORDER BY at DESC, id DESC LIMIT 1 OFFSET ${SLICE_ROWS - 1}`,
      ),
      rows: this.#read.prepare<Row>(
        `SELECT ${this.#columns} FROM history_entries
         WHERE ${range} AND (at, id) >= (@endAt, @endId)${conditions.join('')} ${this.#tail}`,
      ),
    };
    this.#statements.set(key, statements);
    return statements;
  }
}

/** Excludes superseded commands, because they did not stop the cart. */
const STOPS = ` AND (outcome IN ('estop', 'protective')
  OR outcome IN ('failed', 'cancelled') AND reason <> 'SUPERSEDED')`;
const listed = (codes: readonly string[]): string => codes.map((code) => `'${code}'`).join(', ');
/**
 * Protective stops as the statistics count them: separate entries, and commands that ended with a protective
 * stop. If a cart has such entries, its commands that ended with one of `PROTECTIVE_CODES` are not counted
 * again.
 */
const PROTECTIVE = ` AND (outcome = 'protective' OR reason IN (${listed(UNRECORDED_PROTECTIVE_CODES)})
  OR reason IN (${listed(PROTECTIVE_CODES)}) AND NOT EXISTS (SELECT 1 FROM history_entries AS own
    WHERE own.outcome = 'protective' AND own.cart_id = history_entries.cart_id))`;
const COLUMNS = { person: 'person', outcome: 'outcome', cart: 'cart_id' } as const;

/**
 * Each gateway records the stop of its own cart under the name that it received, so the recorded persons can differ.
 */
function firstOfPress({ person }: Filter): string {
  return ` AND (press_id = '' OR NOT EXISTS (SELECT 1 FROM history_entries AS earlier
    WHERE earlier.press_id = history_entries.press_id AND earlier.press_id <> ''
      AND earlier.id < history_entries.id${person === undefined ? '' : ' AND earlier.person = @person'}))`;
}

function paramsOf({ cart, person, outcome, from, words = [] }: Filter): SqlParams & { from: number } {
  return {
    ...(cart === undefined ? {} : { cart }),
    ...(person === undefined ? {} : { person }),
    ...(outcome === undefined ? {} : { outcome }),
    ...Object.fromEntries(words.map((word, nth) => [`word${nth}`, word])),
    from: from ?? Number.MIN_SAFE_INTEGER,
  };
}
