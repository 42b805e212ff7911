import type { SqlParams, WriteDatabase, WriteStatement } from '../../shared/ports/ports.js';
import type { Database } from '../connection.js';

/** The connection as write operations see it: every text is compiled once and kept. */
export function writeDatabase(db: Database): WriteDatabase {
  // Bounded in practice: operations have a fixed set of texts.
  const statements = new Map<string, WriteStatement<unknown>>();
  return {
    prepare<Row>(sql: string): WriteStatement<Row> {
      const known = statements.get(sql);
      if (known) return known as WriteStatement<Row>;
      const statement = compile<Row>(db, sql);
      statements.set(sql, statement);
      return statement;
    },
  };
}

/** SQLite asks for `get` on statements with rows and `run` on those without; better-sqlite3 tells one from the other. */
function compile<Row>(db: Database, sql: string): WriteStatement<Row> {
  return db.prepare<[SqlParams?], Row>(sql);
}
