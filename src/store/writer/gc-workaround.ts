import type { Database } from 'better-sqlite3';

/** What better-sqlite3 has a connection do inside; it makes an object of its own for each of these. */
interface Native {
  prepare(...args: unknown[]): object;
  backup(...args: unknown[]): object;
}

const kept: object[] = [];

/**
 * Keeps `db` and all that it makes for as long as the thread lives, closed or not. Compiled with the headers of Node 24.19
 * or later, better-sqlite3 12 aborts the process when an object of it is collected while no JavaScript runs
 * (`RemoveEnvironmentCleanupHook`, `(env) != nullptr`); version 13 does not run on Node 20. What is kept is little as long
 * as each text is prepared once: what is closed holds a few hundred bytes.
 */
export function keepUncollected<Connection extends Database>(db: Connection): Connection {
  const native = nativeOf(db);
  const { prepare, backup } = native;
  native.prepare = (...args) => keep(prepare.apply(native, args));
  native.backup = (...args) => keep(backup.apply(native, args));
  return keep(db);
}

function keep<Thing extends object>(thing: Thing): Thing {
  kept.push(thing);
  return thing;
}

/** Pragmas, transactions and backups go past the public methods. */
function nativeOf(db: Database): Native {
  const values = Object.getOwnPropertySymbols(db).map((symbol) => Reflect.get(db, symbol));
  const native = values.find((value) => typeof value?.prepare === 'function');
  if (!native) throw new Error('better-sqlite3 keeps its connection elsewhere: look at this again');
  return native;
}
