import { randomBytes } from 'node:crypto';
import { messageOf } from '../../shared/errors.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { Statement } from '../../shared/ports/database.js';
import type { Log } from '../../shared/ports/log.js';
import type { Store } from '../../shared/ports/store.js';
import { type PruneJob, Pruner } from './pruner.js';
import { WriteBehindQueue } from './write-behind-queue.js';
import type { CommandRow, SafetyRow } from './writes.js';

/** What is needed of a command; all its other members are kept as well. */
interface CommandEntry {
  commandId: string;
  cartID: number;
  state: string;
}

/** What is needed of a safety event: `kind` says what happened (`estop.pressed`). Other members are kept as well. */
interface SafetyEntry {
  cartID: number;
  kind: string;
}

/** One kept entry; `view` is the object that was recorded. */
export interface HistoryEntry {
  id: number;
  /** ms since 1970 UTC. */
  at: number;
  view: unknown;
}

/** A page of entries, newest first. `before` is the id of the last entry of the page before. */
interface PageRequest {
  limit?: number;
  before?: number;
}

const CAPACITY = 1000;
const MAX_PAGE = 200;
/** 30 days, and a minute more than the tables' triggers ask for. */
const KEEP_MS = 30 * 86_400_000 + 60_000;
const PRUNING: readonly PruneJob[] = [
  { operation: 'ops.pruneCommands', keepMs: KEEP_MS },
  { operation: 'ops.pruneSafety', keepMs: KEEP_MS },
];

interface Kept {
  id: number;
  at: number;
  view: string;
}

/**
 * The history of commands and of safety events: append-only, 30 days. Recording never waits and never throws: the
 * control path calls it after its own work, and the store takes the entries when it can.
 */
export class History {
  readonly #o: { store: Store; clock: Clock; log: Log };
  readonly #startId = randomBytes(6).toString('hex');
  readonly #commands: WriteBehindQueue<CommandRow>;
  readonly #safety: WriteBehindQueue<SafetyRow>;
  readonly #pruner: Pruner;
  #sequence = 0;
  #unreadable = 0;
  readonly #pages = new Map<string, Statement<Kept>>();

  constructor(o: { store: Store; clock: Clock; log: Log }) {
    this.#o = o;
    this.#pruner = new Pruner({ ...o, jobs: PRUNING });
    this.#commands = this.#outbox('ops.appendCommands');
    this.#safety = this.#outbox('ops.appendSafety');
  }

  /** Begins to remove entries older than 30 days. */
  start(): void {
    this.#pruner.start();
  }

  /** Keeps a command as it is now. */
  recordCommand(view: CommandEntry): void {
    this.#record(this.#commands, view, ({ commandId, cartID, state }) => ({
      commandId,
      cartId: cartID,
      state,
    }));
  }

  /** Keeps a safety event. */
  recordSafety(event: SafetyEntry): void {
    this.#record(this.#safety, event, ({ cartID, kind }) => ({ cartId: cartID, kind }));
  }

  /** Entries that were lost since the start, and entries that wait. */
  get counts(): { dropped: number; waiting: number } {
    return {
      dropped: this.#commands.dropped + this.#safety.dropped + this.#unreadable,
      waiting: this.#commands.length + this.#safety.length,
    };
  }

  /**
   * At most 200 entries of commands, newest first; 50 when `limit` is left out. A command has one from when it was
   * taken, and one from when it had ended.
   */
  recentCommands(page: PageRequest = {}): HistoryEntry[] {
    return this.#page('command_history', page);
  }

  /** The newest entry of each of the last commands, oldest first; at most `count`. */
  lastCommands(count: number): HistoryEntry[] {
    const rows = this.#o.store.read
      .prepare<Kept>(`
        SELECT id, at, view FROM command_history WHERE id IN (
          SELECT max(id) FROM command_history
          WHERE id > (SELECT max(id) FROM command_history) - 2 * @count
          GROUP BY command_id ORDER BY max(id) DESC LIMIT @count)
        ORDER BY id`)
      .all({ count });
    return rows.map(entryOf);
  }

  /** At most 200 safety events, newest first; 50 when `limit` is left out. */
  recentSafety(page: PageRequest = {}): HistoryEntry[] {
    return this.#page('safety_events', page);
  }

  /** Stores what waits, as far as the store takes it now, and ends. */
  async close(): Promise<void> {
    this.#pruner.stop();
    await Promise.all([this.#commands.close(), this.#safety.close()]);
  }

  #outbox<Row>(operation: string): WriteBehindQueue<Row> {
    const { store, clock, log } = this.#o;
    return new WriteBehindQueue<Row>({
      send: (rows) => store.write(operation, rows),
      onRefused: (error) => log.error('history.write_failed', { operation, reason: messageOf(error) }),
      clock,
      capacity: CAPACITY,
    });
  }

  #record<Entry, Rest>(
    outbox: WriteBehindQueue<Rest & Pick<CommandRow, 'entryKey' | 'at' | 'view'>>,
    entry: Entry,
    columns: (entry: Entry) => Rest,
  ): void {
    try {
      const entryKey = `${this.#startId}-${++this.#sequence}`;
      const at = Math.trunc(this.#o.clock.wallTime());
      outbox.push({ ...columns(entry), entryKey, at, view: JSON.stringify(entry) });
    } catch (error) {
      this.#unreadable += 1;
      this.#o.log.error('history.write_failed', { reason: messageOf(error) });
    }
  }

  #page(table: 'command_history' | 'safety_events', { limit = 50, before }: PageRequest): HistoryEntry[] {
    let statement = this.#pages.get(table);
    if (!statement) {
      const sql = `SELECT id, at, view FROM ${table} WHERE id < @before ORDER BY id DESC LIMIT @limit`;
      statement = this.#o.store.read.prepare<Kept>(sql);
      this.#pages.set(table, statement);
    }
    const rows = statement.all({
      before: before ?? Number.MAX_SAFE_INTEGER,
      limit: Math.min(MAX_PAGE, Math.max(1, Math.trunc(limit))),
    });
    return rows.map(entryOf);
  }
}

function entryOf({ id, at, view }: Kept): HistoryEntry {
  return { id, at, view: JSON.parse(view) as unknown };
}
