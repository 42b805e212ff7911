import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import Database from 'better-sqlite3';
import { test } from 'uvu';
import { loadConfig } from '../../../src/app/config.js';
import { type Gateway, openGateway } from '../../../src/app/gateway.js';
import type { CartView } from '../../../src/carts/command/model.js';
import { userActor } from '../../../src/shared/actor.js';
import { textOf } from '../../../src/shared/messages/message.js';
import { packageRoot } from '../../../src/shared/package-root.js';
import { makeBackup } from '../../../src/store/backup/backup-rotation.js';
import { openPlain } from '../../../src/store/connection.js';
import { STORE_LIMITS } from '../../../src/store/limits.js';
import { storePaths } from '../../../src/store/paths.js';
import { RecordingLog } from '../../helpers/recording-log.js';
import { until } from '../../helpers/until.js';

type Use = (gateway: Gateway) => Promise<unknown>;
type Safety = CartView['safety'];

const FROM_0_1 = join(packageRoot(), 'test/fixtures/data-directory-0.1');

/** A data directory that several gateways use, one after the other. */
class Directory {
  readonly #root: string;
  readonly path: string;

  private constructor(root: string) {
    this.#root = root;
    this.path = join(root, 'data');
  }

  static use(run: (directory: Directory) => Promise<void>) {
    return async (): Promise<void> => {
      const directory = new Directory(await mkdtemp(join(tmpdir(), 'lost-latch-')));
      await run(directory).finally(() => rm(directory.#root, { recursive: true }));
    };
  }

  /** Starts a gateway, uses it, and ends it in an orderly way. */
  async start(use: Use = async () => undefined): Promise<Safety> {
    const file = join(this.#root, 'config.json');
    const settings = { mqtt: { port: 0 } };
    await writeFile(file, JSON.stringify({ dataDir: this.path, auth: 'trusted-lan', settings }));
    const env = { CARTWRIGHT_CONFIG: file, HOST: '127.0.0.1', PORT: '0', HTTPS_PORT: '0' };
    const gateway = await openGateway(loadConfig(env, this.#root), { log: new RecordingLog() });
    try {
      await use(gateway);
      return await safetyOf(gateway);
    } finally {
      await gateway.close();
    }
  }

  lose(...names: string[]): Promise<unknown> {
    return Promise.all(names.map((name) => rm(join(this.path, name), { force: true })));
  }
}

async function safetyOf({ url }: Gateway): Promise<Safety> {
  const response = await fetch(`${url}/carts/1`, { headers: { accept: 'application/json' } });
  return ((await response.json()) as CartView).safety;
}

const post = async ({ url }: Gateway, path: string): Promise<void> => {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    body: '{"cartID":1}',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
  });
  assert.equal(response.status, 200, await response.text());
};
const press: Use = (gateway) => post(gateway, '/estop');
/** Resets the latched stop as soon as the E-stop input has been healthy for long enough. */
const reset: Use = async (gateway) => {
  await until(async () => (await safetyOf(gateway)).resetStep?.code === 'HOLD_RESET');
  await post(gateway, '/estop/reset');
};
const pressAndReset: Use = async (gateway) => {
  await press(gateway);
  await reset(gateway);
};

function assertLatched(safety: Safety): void {
  assert.equal(safety.emergencyStop, 'REMOTE');
  assert.equal(safety.mayMove, false);
  assert.equal(
    textOf(safety.stoppedBy ?? ''),
    'the gateway at startup (the record of the latched stop was missing)',
  );
}

// Fault case 69
test(
  'a stop whose latch file is lost stays latched until the stop is reset',
  Directory.use(async (directory) => {
    await directory.start(press);
    await directory.lose('estop.json');
    assertLatched(await directory.start());
    // The latch is saved again, so a second start does not depend on the history.
    assert.match(await readFile(join(directory.path, 'estop.json'), 'utf8'), /"kind":"REMOTE"/);
    const { emergencyStop } = await directory.start(reset);
    assert.equal(emergencyStop, 'NONE');
  }),
);

const sitePlanOf = async ({ url }: Gateway): Promise<Record<string, unknown>> => {
  const response = await fetch(`${url}/zones`, { headers: { accept: 'application/json' } });
  return (await response.json()) as Record<string, unknown>;
};

// Fault case 81
test(
  'zones that were lost with the database must be confirmed, and a new gateway has nothing to confirm',
  Directory.use(async (directory) => {
    let plan: Record<string, unknown> = {};
    const read: Use = async (gateway) => {
      plan = await sitePlanOf(gateway);
    };
    await directory.start(read);
    assert.deepEqual([plan.needsReview, plan.reviewReason], [false, null]);
    await directory.lose('cartwright.db', 'cartwright.db-wal', 'cartwright.db-shm');
    await directory.start(read);
    assert.equal(plan.needsReview, false, 'there were no zones');
    await writeFile(join(directory.path, 'site-plan.json'), JSON.stringify({ sha256: 'ab'.repeat(32) }));
    await directory.start(async (gateway) => {
      await read(gateway);
      const cart = await fetch(`${gateway.url}/carts/1`, { headers: { accept: 'application/json' } });
      assert.match(await cart.text(), /zones are not enforced: the zones and places differ/);
    });
    assert.equal(plan.reviewReason, 'DATA_LOST');
  }),
);

test(
  'no stop is latched when the latch file is lost and the last history entry is a reset',
  Directory.use(async (directory) => {
    await directory.start(pressAndReset);
    await directory.lose('estop.json');
    assert.equal((await directory.start()).emergencyStop, 'NONE');
  }),
);

test(
  'a stop triggered at the cart is still treated as such when its latch file is lost',
  Directory.use(async (directory) => {
    await directory.start(press);
    const db = new Database(join(directory.path, 'cartwright.db'));
    db.exec(`INSERT INTO safety_events (entry_key, at, cart_id, kind, view)
      SELECT 'later', at, 1, kind, json_set(view, '$.latch', 'MANUAL') FROM safety_events`);
    db.close();
    await directory.lose('estop.json');
    const { emergencyStop, resetStep } = await directory.start();
    assert.deepEqual([emergencyStop, resetStep?.onCart], ['MANUAL', true]);
  }),
);

test(
  'stops and resets of other carts do not affect the latch',
  Directory.use(async (directory) => {
    await directory.start(press);
    const db = new Database(join(directory.path, 'cartwright.db'));
    db.exec(`INSERT INTO safety_events (entry_key, at, cart_id, kind, view)
      SELECT 'later', at, 2, 'estop.reset', json_set(view, '$.kind', 'estop.reset') FROM safety_events`);
    db.close();
    await directory.lose('estop.json');
    assertLatched(await directory.start());
  }),
);

for (const { name, damage } of [
  {
    name: 'also lost',
    damage: (directory: Directory) =>
      directory.lose('cartwright.db', 'cartwright.db-wal', 'cartwright.db-shm'),
  },
  {
    name: 'damaged',
    damage: ({ path }: Directory) => writeFile(join(path, 'cartwright.db'), 'not a database'.repeat(1000)),
  },
]) {
  test(
    `a stop is latched when the latch file is lost and the database is ${name}`,
    Directory.use(async (directory) => {
      await directory.start(pressAndReset);
      await directory.lose('estop.json');
      await damage(directory);
      assertLatched(await directory.start());
      assertLatched(await directory.start());
    }),
  );
}

test(
  'a stop is latched when the latch file is lost and the database is restored from a backup',
  Directory.use(async (directory) => {
    await directory.start();
    const paths = storePaths(directory.path);
    const db = openPlain(paths.database, STORE_LIMITS.busyTimeoutMs);
    const { path } = await makeBackup(db, paths, STORE_LIMITS, Date.now());
    db.close();
    await directory.start(press);
    await directory.lose('estop.json');
    const choice = { name: basename(path), by: userActor('anna'), at: Date.now() };
    await writeFile(paths.choice, JSON.stringify(choice));
    assertLatched(await directory.start());
  }),
);

test(
  'a data directory in which no stop was ever latched starts unlatched, whether it is new or in use',
  Directory.use(async (directory) => {
    assert.equal((await directory.start()).emergencyStop, 'NONE');
    assert.equal((await directory.start()).emergencyStop, 'NONE');
  }),
);

for (const { name, sql, expected } of [
  { name: 'unlatched if it was never latched', sql: 'DELETE FROM safety_events', expected: 'NONE' },
  { name: 'latched if its last entry is a stop', sql: '', expected: 'REMOTE' },
]) {
  test(
    `a data directory of version 0.1 without a latch file starts ${name}`,
    Directory.use(async (directory) => {
      await mkdir(directory.path, { mode: 0o700 });
      await cp(FROM_0_1, directory.path, { recursive: true });
      await directory.lose('estop.json');
      const db = new Database(join(directory.path, 'cartwright.db'));
      db.exec(`DROP TRIGGER safety_events_no_delete; ${sql}`);
      db.close();
      assert.equal((await directory.start()).emergencyStop, expected);
    }),
  );
}

test.run();
