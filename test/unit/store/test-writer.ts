import { GatewayError } from '../../../src/shared/errors.js';
import type { WriteDatabase, WriteOperations } from '../../../src/shared/ports/database.js';
import { runWriter } from '../../../src/store/writer/writer-loop.js';
import { opsWrites } from '../../../src/system/history/writes.js';

interface Row {
  id: number;
  text: string;
}

const testWrites = {
  'test.create': (db: WriteDatabase) => {
    db.prepare('CREATE TABLE IF NOT EXISTS rows (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT').run();
  },
  'test.insert': (db: WriteDatabase, { id, text }: Row) =>
    db.prepare('INSERT INTO rows (id, text) VALUES (@id, @text)').run({ id, text }).changes,
  'test.insertThenReject': (db: WriteDatabase, { id, text }: Row) => {
    db.prepare('INSERT INTO rows (id, text) VALUES (@id, @text)').run({ id, text });
    throw new GatewayError('NOT_FOUND', 'there is no such item', { field: 'id', limit: 3, unit: 'items' });
  },
  /** A pair is one row in each of two tables. After a crash, either both rows or neither must exist. */
  'test.createPairs': (db: WriteDatabase) => {
    for (const table of ['lefts', 'rights']) {
      const columns = 'id INTEGER PRIMARY KEY, text TEXT NOT NULL';
      db.prepare(`CREATE TABLE IF NOT EXISTS ${table} (${columns}) STRICT`).run();
    }
  },
  'test.insertPair': (db: WriteDatabase, { id, text }: Row) => {
    for (const table of ['lefts', 'rights']) {
      db.prepare(`INSERT INTO ${table} (id, text) VALUES (@id, @text)`).run({ id, text });
    }
  },
  'test.sql': (db: WriteDatabase, { sql }: { sql: string }) => db.prepare(sql).run(),
  'test.pragma': (db: WriteDatabase, { name }: { name: string }) => db.prepare(`PRAGMA ${name}`).get(),
  /** Blocks the thread until the test opens the gate, as a slow disk would. */
  'test.hold': (_db: WriteDatabase, gate: Int32Array) => {
    Atomics.store(gate, 1, 1);
    Atomics.wait(gate, 0, 0);
  },
  'test.rollBack': (db: WriteDatabase) => db.prepare('ROLLBACK').run(),
  'test.async': async () => 1,
  'test.insertThenReturnFunction': (db: WriteDatabase, { id, text }: Row) => {
    db.prepare('INSERT INTO rows (id, text) VALUES (@id, @text)').run({ id, text });
    return () => 1;
  },
  'test.exit': () => process.exit(3),
  'test.crashLater': () => {
    setImmediate(() => {
      throw new Error('boom');
    });
  },
} satisfies WriteOperations;

await runWriter([opsWrites, testWrites]);
