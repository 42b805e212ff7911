import assert from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { suite } from 'uvu';
import { openPlain } from '../../../src/store/connection.js';
import { withTempStore } from './temp-store.js';

const test = suite('garbage collection of SQLite objects');

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/**
 * Collects garbage after one iteration of the event loop, because objects released in an iteration can be
 * collected only in a later one.
 */
async function afterCollecting(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  collect();
}

test(
  'retains unreferenced connections and statements while other objects are garbage-collected',
  withTempStore(async ({ open, file }) => {
    await (await open()).close();
    const release = () => {
      const db = openPlain(file, 5000);
      const statement = db.prepare('SELECT 1');
      db.close();
      return [new WeakRef(db), new WeakRef(statement), new WeakRef({ text: 'unreferenced' })] as const;
    };
    const [db, statement, other] = release();
    await afterCollecting();
    assert.equal(other.deref(), undefined);
    assert.ok(db.deref() && statement.deref());
  }),
);

test.run();
