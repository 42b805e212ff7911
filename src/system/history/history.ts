import { randomBytes } from 'node:crypto';
import { type Actor, actorName, actorText, parseActor, UNKNOWN_ACTOR } from '../../shared/actor.js';
import { messageOf } from '../../shared/errors.js';
import { messageJson, parseMessageJson } from '../../shared/messages/message.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { Statement } from '../../shared/ports/database.js';
import type { Log } from '../../shared/ports/log.js';
import type { Store } from '../../shared/ports/store.js';
import {
  type Change,
  type ChangeKind,
  type CommandEntry,
  type ConfirmationEntry,
  commandColumns,
  type SafetyEntry,
  safetyColumns,
} from './entries.js';
import { HISTORY_RETENTION, Pruner } from './pruner.js';
import { type EventSummary, RepeatedEvents } from './repeated-events.js';
import { HistorySearch } from './search.js';
import { HistoryStatistics } from './statistics.js';
import { WriteBehindQueue } from './write-behind-queue.js';
import type { SafetyRow, StoredCommand } from './writes.js';

export interface HistoryEntry {
  id: number;
  /** Unix time in ms. */
  at: number;
  view: unknown;
}

interface PageRequest {
  limit?: number;
  /** ID of the last entry on the previous page. */
  before?: number;
}

const CAPACITY = 1000;
const MAX_PAGE = 200;

type Stored = Pick<StoredCommand, 'entryKey' | 'at' | 'view'>;

interface EntryRow {
  id: number;
  at: number;
  view: string;
}

interface HistoryOptions {
  store: Store;
  clock: Clock;
  log: Log;
  /** Returns the text that the pages display about an event, for searches; may throw. */
  safetyWords?: (event: SafetyEntry) => string;
}

/** Keeps commands for 30 days, safety events for a year and changes for five years. Recording never waits or throws. */
export class History {
  readonly search: HistorySearch;
  readonly statistics: HistoryStatistics;
  readonly #o: HistoryOptions;
  readonly #startId = randomBytes(6).toString('hex');
  readonly #commands: WriteBehindQueue<StoredCommand>;
  readonly #safety: WriteBehindQueue<SafetyRow>;
  readonly #pruner: Pruner;
  readonly #repeated: RepeatedEvents;
  #sequence = 0;
  #unserialisable = 0;
  readonly #pages = new Map<string, Statement<EntryRow>>();

  constructor(o: HistoryOptions) {
    this.#o = o;
    this.search = new HistorySearch(o.store.read);
    this.statistics = new HistoryStatistics(o.store);
    this.#pruner = new Pruner({ ...o, jobs: HISTORY_RETENTION });
    this.#commands = this.#queue('ops.appendCommands');
    this.#safety = this.#queue('ops.appendSafety');
    this.#repeated = new RepeatedEvents({
      clock: o.clock,
      write: (summary) => this.#recordSummary(summary),
    });
  }

  start(): void {
    this.#pruner.start();
  }

  /**
   * @param by the person or program that sent the command.
   * @param words the text that the pages display about the command, for searches.
   */
  recordCommand(view: CommandEntry, by: Actor, words = ''): void {
    this.#record(this.#commands, view, (stored) => ({
      ...stored,
      commandId: view.commandId,
      cartId: view.cartID,
      state: view.state,
      ...commandColumns(view, by, words),
    }));
  }

  /**
   * Repeated events are counted and recorded as summaries.
   * @param seen for an event that may be reported again, a key that is the same in every report, and the event's Unix
   * time in ms.
   */
  recordSafety(event: SafetyEntry, seen?: { key: string; at: number }): void {
    const at = seen?.at ?? Math.trunc(this.#o.clock.wallTime());
    if (this.#repeated.counts(event, at)) return;
    const { repeated = false, ...entry } = event;
    if (repeated)
      this.#o.log.warn('estop.repeated', { cartID: event.cartID, by: actorName(event.by), count: 1 });
    this.#recordEvent(entry, { at, presses: this.#repeated.pressesOf(event), key: seen?.key });
  }

  /** Resolves when the entry is stored. Rejects with the store's error. */
  async recordConfirmation(entry: ConfirmationEntry): Promise<void> {
    const at = Math.trunc(this.#o.clock.wallTime());
    const entryKey = this.#nextKey();
    const row = this.#safetyRow(entry, { at, presses: 1, key: entryKey }, messageJson(eventView(entry)));
    await this.#o.store.write('ops.appendSafety', [row]);
  }

  #recordSummary({ event, presses }: EventSummary): void {
    const { cartID, by, repeats } = event;
    this.#o.log.warn('estop.repeated', { cartID, by: actorName(by), count: repeats.count });
    this.#recordEvent(event, { at: repeats.lastAt, presses, key: undefined });
  }

  #recordEvent(event: SafetyEntry, o: { at: number; presses: number; key: string | undefined }): void {
    this.#record(this.#safety, eventView(event), ({ entryKey, view }) =>
      this.#safetyRow(event, { ...o, key: o.key ?? entryKey }, view),
    );
  }

  #safetyRow(
    event: SafetyEntry,
    { at, presses, key }: { at: number; presses: number; key: string },
    view: string,
  ): SafetyRow {
    const words = this.#o.safetyWords?.(event) ?? '';
    return {
      ...safetyColumns(event, { key, at, words, presses }),
      entryKey: key,
      at,
      cartId: event.cartID,
      view,
    };
  }

  #nextKey(): string {
    this.#sequence += 1;
    return `${this.#startId}-${this.#sequence}`;
  }

  /** Number of entries lost since startup, and number of queued entries. */
  get counts(): { dropped: number; waiting: number } {
    return {
      dropped: this.#commands.dropped + this.#safety.dropped + this.#unserialisable,
      waiting: this.#commands.length + this.#safety.length,
    };
  }

  /** Returns at most 200 entries, newest first. Each command has at most three entries. */
  recentCommands(page: PageRequest = {}): HistoryEntry[] {
    return this.#page('command_history', page);
  }

  /** Returns the latest entry for each of the last `count` commands, oldest first. */
  lastCommands(count: number): (HistoryEntry & { by: Actor })[] {
    const rows = this.#o.store.read
      .prepare<EntryRow & { actor: string | null }>(`
        SELECT command.id, command.at, command.view, entry.actor FROM command_history AS command
        LEFT JOIN history_entries AS entry ON entry.source = 'command' AND entry.source_id = command.id
        WHERE command.id IN (
          SELECT max(id) FROM command_history
          WHERE id > (SELECT max(id) FROM command_history) - 3 * @count
          GROUP BY command_id ORDER BY max(id) DESC LIMIT @count)
        ORDER BY command.id`)
      .all({ count });
    return rows.map(({ actor, ...row }) => ({
      ...entryOf(row),
      by: actor === null ? UNKNOWN_ACTOR : parseActor(actor),
    }));
  }

  /** Returns at most 200 safety events (50 by default), newest first. */
  recentSafety(page: PageRequest = {}): HistoryEntry[] {
    return this.#page('safety_events', page);
  }

  /** Returns the last latched stop or reset of the cart; undefined if there is none. */
  lastEstop(cartId: number): HistoryEntry | undefined {
    const row = this.#o.store.read
      .prepare<EntryRow>(`
        SELECT id, at, view FROM safety_events
        WHERE cart_id = @cartId AND kind IN ('estop.latched', 'estop.reset')
        ORDER BY id DESC LIMIT 1`)
      .get({ cartId });
    return row && entryOf(row);
  }

  /** Returns the last change of a kind; undefined if there is none. */
  lastChange(kind: ChangeKind): Change | undefined {
    const row = this.#o.store.read
      .prepare<{ view: string }>(`
        SELECT view FROM safety_events WHERE id = (
          SELECT source_id FROM history_entries
          WHERE outcome = 'change' AND kind = @kind ORDER BY at DESC LIMIT 1)`)
      .get({ kind });
    return row && (parseMessageJson(row.view) as { change: Change }).change;
  }

  /** Tries once to store the queued entries. */
  async close(): Promise<void> {
    this.#pruner.stop();
    this.statistics.close();
    this.#repeated.close();
    await Promise.all([this.#commands.close(), this.#safety.close()]);
  }

  #queue<Row>(operation: string): WriteBehindQueue<Row> {
    const { store, clock, log } = this.#o;
    return new WriteBehindQueue<Row>({
      send: (rows) => store.write(operation, rows),
      onRejected: (error) => log.error('history.write_failed', { operation, reason: messageOf(error) }),
      clock,
      capacity: CAPACITY,
    });
  }

  #record<Row>(queue: WriteBehindQueue<Row>, view: object, rowOf: (stored: Stored) => Row): void {
    try {
      const entryKey = this.#nextKey();
      const at = Math.trunc(this.#o.clock.wallTime());
      queue.push(rowOf({ entryKey, at, view: messageJson(view) }));
    } catch (error) {
      this.#unserialisable += 1;
      this.#o.log.error('history.write_failed', { reason: messageOf(error) });
    }
  }

  #page(table: 'command_history' | 'safety_events', { limit = 50, before }: PageRequest): HistoryEntry[] {
    let statement = this.#pages.get(table);
    if (!statement) {
      const sql = `SELECT id, at, view FROM ${table} WHERE id < @before ORDER BY id DESC LIMIT @limit`;
      statement = this.#o.store.read.prepare<EntryRow>(sql);
      this.#pages.set(table, statement);
    }
    const rows = statement.all({
      before: before ?? Number.MAX_SAFE_INTEGER,
      limit: Math.min(MAX_PAGE, Math.max(1, Math.trunc(limit))),
    });
    return rows.map(entryOf);
  }
}

/** An event as the API returns it, with the actor's name. */
function eventView({ by, repeats, ...event }: SafetyEntry): object {
  return { ...event, by: actorText(by), repeats };
}

function entryOf({ id, at, view }: EntryRow): HistoryEntry {
  return { id, at, view: parseMessageJson(view) };
}
