import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'uvu';
import { safetyMessage } from '../../../../src/carts/safety/messages.js';
import {
  type Actor,
  conditionActor,
  gatewayActor,
  keyActor,
  LAN_ACTOR,
  parseActor,
  UNKNOWN_ACTOR,
  userActor,
} from '../../../../src/shared/actor.js';
import { messageJson, parseText } from '../../../../src/shared/messages/message.js';
import { listBackups } from '../../../../src/store/backup/backup-rotation.js';
import type { Database } from '../../../../src/store/connection.js';
import { STORE_LIMITS } from '../../../../src/store/limits.js';
import { MIGRATIONS } from '../../../../src/store/migrations/index.js';
import type { Migration } from '../../../../src/store/migrations/migration.js';
import { storePaths } from '../../../../src/store/paths.js';
import { startDatabase } from '../../../../src/store/recovery/open-database.js';
import { hasErrorCode, withTempStore } from '../temp-store.js';

const one: Migration = {
  name: 'one',
  up: (db) => db.exec('CREATE TABLE a (id INTEGER PRIMARY KEY) STRICT; INSERT INTO a VALUES (1), (2)'),
};
const two: Migration = {
  name: 'two',
  up: (db) =>
    db.exec('CREATE TABLE b (a INTEGER NOT NULL REFERENCES a (id)) STRICT; INSERT INTO b VALUES (1)'),
};
const failing: Migration = {
  name: 'failing',
  up(db) {
    db.exec('CREATE TABLE c (id INTEGER PRIMARY KEY) STRICT; DROP TABLE b');
    throw new Error('failed on purpose');
  },
};
const orphaning: Migration = { name: 'orphaning', up: (db) => db.exec('DELETE FROM a') };

const start = async (dir: string, migrations: readonly Migration[]): Promise<Database> =>
  (await startDatabase(dir, STORE_LIMITS, false, { migrations })).db;
const tables = (db: Database): unknown[] =>
  db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").pluck().all();

test(
  'applies each migration once, in order, after a verified backup of an existing database',
  withTempStore(async ({ dir }) => {
    const first = await start(dir, [one]);
    first.close();
    assert.deepEqual(listBackups(storePaths(dir)), [], 'a new database was backed up');
    const second = await start(dir, [one, two]);
    assert.deepEqual([tables(second), second.pragma('user_version', { simple: true })], [['a', 'b'], 2]);
    second.close();
    const third = await start(dir, [one, two]);
    third.close();
    assert.equal(listBackups(storePaths(dir)).length, 1);
  }),
);

for (const [migration, reason] of [
  [failing, /migration 3 \(failing\) failed and was rolled back: failed on purpose/],
  [orphaning, /migration 3 \(orphaning\) failed and .*table "b" would have invalid references/],
] as const) {
  test(
    `a failed migration (${migration.name}) leaves the old schema and version unchanged`,
    withTempStore(async ({ dir, sql }) => {
      await assert.rejects(start(dir, [one, two, migration]), hasErrorCode('STORE_FAILED', reason));
      assert.deepEqual(sql('PRAGMA user_version'), [{ user_version: 2 }]);
      assert.deepEqual(sql('SELECT count(*) AS n FROM a, b'), [{ n: 2 }]);
      const db = await start(dir, [one, two]);
      assert.deepEqual(tables(db), ['a', 'b']);
      db.close();
    }),
  );
}

function addPayment(db: Database): string {
  const id = randomUUID();
  db.prepare(`
    INSERT INTO payments (transaction_id, order_id, amount_minor, currency, provider, return_url, created_at, updated_at)
    VALUES (@id, 'o', 1, 'EUR', 'sandbox', '', 0, 0)`).run({ id });
  return id;
}

/** Number of migrations in version 0.2. */
const VERSION_0_2 = 18;

test(
  'the actors migration reads the names and causes that earlier versions stored in the history',
  withTempStore(async ({ dir }) => {
    const button = safetyMessage('button');
    const anna = userActor('anna');
    const stored: [by: unknown, person: string, actor: Actor][] = [
      ['anna', 'anna', anna],
      ['the operator', 'the operator', LAN_ACTOR],
      [keyActor('tablet').name, 'key tablet', keyActor('tablet')],
      ['gateway gw-2', 'gateway gw-2', gatewayActor('gw-2')],
      ['anna (gateway gw-2)', 'anna (gateway gw-2)', { ...anna, via: 'gw-2' }],
      ['key tablet (gateway gw-2)', 'key tablet (gateway gw-2)', { ...keyActor('tablet'), via: 'gw-2' }],
      [button, '', conditionActor('input', button)],
      ['a motor is hot', '', { kind: 'input', id: '', name: 'a motor is hot' }],
      ['', '', UNKNOWN_ACTOR],
      [undefined, '', UNKNOWN_ACTOR],
    ];
    const before = await start(dir, MIGRATIONS.slice(0, VERSION_0_2));
    const event = before.prepare(`INSERT INTO safety_events (id, entry_key, at, cart_id, kind, view)
      VALUES (@id, @id, 0, 1, 'estop.latched', @view)`);
    const entry = before.prepare(`INSERT INTO history_entries
        (entry_key, source, source_id, at, cart_id, person, kind, outcome, reason, distance_mm, words)
      VALUES (@id, 'safety', @id, 0, 1, @person, 'estop.latched', 'estop', '', 0, '')`);
    for (const [id, [by, person]] of stored.entries()) {
      event.run({ id, view: messageJson({ by }) });
      entry.run({ id, person });
    }
    before.close();
    const after = await start(dir, MIGRATIONS.slice(0, VERSION_0_2 + 1));
    const actors = after.prepare('SELECT actor FROM history_entries ORDER BY source_id').pluck().all();
    assert.deepEqual(
      actors.map((json) => parseActor(String(json))),
      stored.map(([, , actor]) => actor),
    );
    after.close();
  }),
);

test(
  'the payment-actors migration reads the names that earlier versions stored in events',
  withTempStore(async ({ dir }) => {
    const stored: [name: string | null, actor: Actor | null][] = [
      ['anna', userActor('anna')],
      ['Key West', userActor('Key West')],
      ['key till 1', keyActor('till 1')],
      ['trusted network', { ...LAN_ACTOR, name: 'trusted network' }],
      [null, null],
    ];
    const count = MIGRATIONS.findIndex(({ name }) => name === 'payment-actors');
    const before = await start(dir, MIGRATIONS.slice(0, count));
    const id = addPayment(before);
    const event = before.prepare(`
      INSERT INTO payment_events (transaction_id, source, to_status, actor, at)
      VALUES (@id, 'manual', 'completed', @name, 0)`);
    for (const [name] of stored) event.run({ id, name });
    before.close();
    const after = await start(dir, MIGRATIONS.slice(0, count + 1));
    const actors = after.prepare('SELECT actor FROM payment_events ORDER BY id').pluck().all();
    assert.deepEqual(
      actors.map((json) => (json === null ? null : parseActor(String(json)))),
      stored.map(([, actor]) => actor),
    );
    assert.throws(() => after.exec('UPDATE payment_events SET actor = NULL'), /append-only/);
    after.close();
  }),
);

for (const [detail, facts] of [
  ['requested', [{ code: 'requested' }]],
  ['asked for', [{ code: 'requested' }]],
  ['paid, declined 12 times', [{ code: 'paid' }, { code: 'declined', values: [12] }]],
  ['complete/unpaid, payment intent processing', [{ code: 'complete' }, { code: 'transfer-pending' }]],
  [
    'refunded: EUR 5.05, disputed: EUR 0.00',
    [
      { code: 'refunded', values: [505, 'EUR'] },
      { code: 'disputed', values: [0, 'EUR'] },
    ],
  ],
  [
    'underpaid: EUR 20.00 ordered, EUR 10.10 paid after refunds',
    [
      { code: 'underpaid', values: [2000, 'EUR'] },
      { code: 'left', values: [1010, 'EUR'] },
    ],
  ],
  [
    'mismatch: the order has lines in a currency other than EUR after refunds',
    [{ code: 'other-currency', values: ['EUR'] }],
  ],
  [
    'PROVIDER_REFUSED: Stripe rejected the card: no, thanks',
    [{ code: 'error', values: ['PROVIDER_REFUSED', 'Stripe rejected the card: no, thanks'] }],
  ],
  ['charge.dispute.updated', [{ code: 'dispute-changed' }]],
  ['invoice.paid', []],
  [null, []],
] as const) {
  test(
    `the payment-facts migration reads ${JSON.stringify(detail)}`,
    withTempStore(async ({ dir }) => {
      const count = MIGRATIONS.findIndex(({ name }) => name === 'payment-facts');
      const before = await start(dir, MIGRATIONS.slice(0, count));
      const id = addPayment(before);
      before
        .prepare(`
          INSERT INTO payment_events (transaction_id, source, to_status, detail, at)
          VALUES (@id, 'provider', 'pending', @detail, 0)`)
        .run({ id, detail });
      before.close();
      const after = await start(dir, MIGRATIONS.slice(0, count + 1));
      const stored = after.prepare('SELECT facts FROM payment_events').pluck().get();
      assert.deepEqual(JSON.parse(String(stored)), facts);
      assert.throws(() => after.exec("UPDATE payment_events SET facts = '[]'"), /append-only/);
      after.close();
    }),
  );
}

for (const [message, reason] of [
  ['Stripe does not accept this amount: amount too small', 'amount-too-small'],
  ['Stripe rejected the API key', 'key-rejected'],
  ['Stripe rejected the card: card_declined (HTTP 402)', 'card-declined'],
  ['the payment provider did not respond within 20 s', 'no-response'],
  ['this payment was created with sandbox, which is not the configured provider', 'other-provider'],
  ['Stripe rejected the request: parameter_missing (HTTP 400)', null],
] as const) {
  test(
    `the payment-error-reasons migration reads "${message}"`,
    withTempStore(async ({ dir }) => {
      const count = MIGRATIONS.findIndex(({ name }) => name === 'payment-error-reasons');
      const before = await start(dir, MIGRATIONS.slice(0, count));
      const id = addPayment(before);
      before.prepare('UPDATE payments SET last_error = @message').run({ message });
      const facts = JSON.stringify([{ code: 'error', values: ['PROVIDER_REFUSED', message] }]);
      before
        .prepare(`
          INSERT INTO payment_events (transaction_id, source, to_status, facts, at)
          VALUES (@id, 'local', 'failed', @facts, 0)`)
        .run({ id, facts });
      before.close();
      const after = await start(dir, MIGRATIONS.slice(0, count + 1));
      assert.equal(after.prepare('SELECT error_reason FROM payments').pluck().get(), reason);
      const stored = after.prepare('SELECT facts FROM payment_events').pluck().get();
      assert.deepEqual(JSON.parse(String(stored)), [
        { code: 'error', values: ['PROVIDER_REFUSED', reason ?? ''] },
      ]);
      assert.throws(() => after.exec("UPDATE payment_events SET facts = '[]'"), /append-only/);
      after.close();
    }),
  );
}

test(
  'the alarm-reasons migration keeps the reasons that earlier versions stored',
  withTempStore(async ({ dir }) => {
    const count = MIGRATIONS.findIndex(({ name }) => name === 'alarm-reasons');
    const before = await start(dir, MIGRATIONS.slice(0, count));
    const reasons = ['', 'rejected with "550 no\nsuch user"'];
    before.prepare('INSERT INTO alarms (id, at, alarm) VALUES (@id, 0, @alarm)').run({
      id: '0'.repeat(36),
      alarm: '{}',
    });
    const delivery = before.prepare(`
      INSERT INTO alarm_deliveries (alarm_id, channel, target, state, attempts, reason)
      VALUES (@id, 'mail', @target, 'waiting', 1, @reason)`);
    for (const reason of reasons) delivery.run({ id: '0'.repeat(36), target: reason, reason });
    before.close();
    const after = await start(dir, MIGRATIONS.slice(0, count + 1));
    const stored = after.prepare('SELECT reason FROM alarm_deliveries ORDER BY target').pluck().all();
    assert.deepEqual(
      stored.map((json) => parseText(String(json))),
      reasons,
    );
    after.close();
  }),
);

test(
  "the settlement migration assigns the game's price and currency to existing order lines",
  withTempStore(async ({ dir }) => {
    const before = await start(dir, MIGRATIONS.slice(0, 4));
    before.exec(`
      INSERT INTO users (id, username, username_key, password_phc, role, created_at, updated_at)
      VALUES (1, 'bo', 'bo', '', 'customer', 0, 0);
      INSERT INTO games (id, title, price_minor, currency, created_at) VALUES (1, 'x', 2950, 'EUR', 0);
      INSERT INTO orders (order_id, user_id, game_id, created_at) VALUES ('o', 1, 1, 0)`);
    before.close();
    const after = await start(dir, MIGRATIONS.slice(0, 5));
    assert.deepEqual(after.prepare('SELECT price_minor, currency, by_customer FROM orders').all(), [
      { price_minor: 2950, currency: 'EUR', by_customer: 0 },
    ]);
    after.close();
  }),
);

for (const [stored, code, message] of [
  ['PROVIDER_AMOUNT: too small: 0.01', 'PROVIDER_AMOUNT', 'too small: 0.01'],
  ['INTERNAL: connect: refused\nagain', 'INTERNAL', 'connect: refused\nagain'],
  ['no such host: a', null, 'no such host: a'],
  [null, null, null],
] as const) {
  test(
    `the payment-errors migration splits ${JSON.stringify(stored)}`,
    withTempStore(async ({ dir }) => {
      const count = MIGRATIONS.findIndex(({ name }) => name === 'payment-errors');
      const before = await start(dir, MIGRATIONS.slice(0, count));
      before
        .prepare(`
          INSERT INTO payments (transaction_id, order_id, amount_minor, currency, provider, return_url,
            created_at, updated_at, last_error)
          VALUES (@id, 'o', 1, 'EUR', 'sandbox', '', 0, 0, @stored)`)
        .run({ id: randomUUID(), stored });
      before.close();
      const after = await start(dir, MIGRATIONS.slice(0, count + 1));
      assert.deepEqual(after.prepare('SELECT error_code, last_error FROM payments').all(), [
        { error_code: code, last_error: message },
      ]);
      after.close();
    }),
  );
}

test.run();
