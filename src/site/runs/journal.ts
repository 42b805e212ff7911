import { messageJson, parseMessageJson } from '../../shared/messages/message.js';
import type { ReadDatabase, WriteDatabase, WriteOperations } from '../../shared/ports/database.js';
import type { Store } from '../../shared/ports/store.js';
import type { RunView } from './run-view.js';

/** Runs that are kept after they have ended. */
export const KEPT_RUNS = 200;

interface SaveRunRequest {
  runId: string;
  /** Unix time in ms. */
  startedAt: number;
  /** JSON of the run's view. */
  view: string;
}

// The order is that of the first storage, because the wall clock may be wrong.
const PUT = `
  INSERT INTO site_runs (run_id, started_at, view) VALUES (@runId, @startedAt, @view)
  ON CONFLICT (run_id) DO UPDATE SET view = excluded.view`;
const PRUNE = `
  DELETE FROM site_runs WHERE run_id NOT IN (
    SELECT run_id FROM site_runs ORDER BY rowid DESC LIMIT ${KEPT_RUNS}
  )`;
const READ = `SELECT view FROM site_runs ORDER BY rowid DESC LIMIT ${KEPT_RUNS}`;

export const runWrites = {
  'site.run': (db: WriteDatabase, request: SaveRunRequest): void => {
    db.prepare(PUT).run({ ...request });
    db.prepare(PRUNE).run();
  },
} satisfies WriteOperations;

/** The last state of each run. One row for each run, so that the journal does not grow with its transitions. */
export class RunJournal {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** The newest run first. */
  load(): RunView[] {
    const db: ReadDatabase = this.#store.read;
    return db
      .prepare<{ view: string }>(READ)
      .all()
      .map(({ view }) => parseMessageJson(view) as RunView);
  }

  /** Resolves when the state is durable. */
  async save(view: RunView): Promise<void> {
    const startedAt = Date.parse(view.startedAt);
    await this.#store.write('site.run', { runId: view.runId, startedAt, view: messageJson(view) });
  }
}
