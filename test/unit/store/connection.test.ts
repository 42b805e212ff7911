import assert from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { suite } from 'uvu';
import { openPlain } from '../../../src/store/connection.js';
import { withTempStore } from './temp-store.js';

const test = suite('what SQLite makes is not collected');

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** A collection takes what a turn has let go of only in a later one. */
async function afterCollecting(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  collect();
}

test(
  'a connection and a statement that everybody has let go of stay; another object goes',
  withTempStore(async ({ open, file }) => {
    await (await open()).close();
    const left = () => {
      const db = openPlain(file, 5000);
      const statement = db.prepare('SELECT 1');
      db.close();
      return [new WeakRef(db), new WeakRef(statement), new WeakRef({ text: 'nobody needs this' })] as const;
    };
    const [db, statement, other] = left();
    await afterCollecting();
    assert.equal(other.deref(), undefined);
    assert.ok(db.deref() && statement.deref());
  }),
);

test.run();
