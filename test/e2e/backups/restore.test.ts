import assert from 'node:assert/strict';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import BetterSqlite from 'better-sqlite3';
import { suite } from 'uvu';
import { GatewayProcess } from '../../helpers/gateway.js';
import { NotifySocket } from '../../helpers/notify-socket.js';
import { randomFrom, rounds, testSeed } from '../../helpers/random.js';
import { ADMINISTRATOR_ENV, loggedIn } from '../store/administrator.js';

const test = suite('restore of a whole gateway');

const passphrase = 'correct horse battery staple';
const BEACON = { id: 'dock-1', lat: 52.1, long: 5.1 };

type Send = Awaited<ReturnType<typeof loggedIn>>;

/** Makes a backup of the gateway, and returns its name. */
async function backUp(send: Send): Promise<string> {
  const include = ['photos', 'incidents', 'tls'];
  return String((await ok(send('POST', '/gateway-backups', { passphrase, include }))).name);
}

async function restart(gateway: GatewayProcess): Promise<Send> {
  await gateway.kill('SIGTERM');
  await gateway.spawn(ADMINISTRATOR_ENV);
  return loggedIn(gateway);
}

async function ok(answer: Promise<{ status: number; text: string; json(): Record<string, unknown> }>) {
  const { status, text, json } = await answer;
  assert.ok(status >= 200 && status < 300, `${status} ${text}`);
  return json();
}

async function rename(send: Send, name: string): Promise<void> {
  assert.equal((await send('POST', '/updateJson', { gateway: { name } })).status, 200);
}

/** What a reader of the API sees of the gateway's data. */
async function stateOf(send: Send): Promise<object> {
  const [settings, beacons] = [await ok(send('GET', '/variables.json')), await ok(send('GET', '/beacons'))];
  return { gateway: settings.gateway ?? {}, beacons };
}

async function latchOf(send: Send): Promise<string> {
  const { safety } = (await ok(send('GET', '/carts/1'))) as { safety: { emergencyStop: string } };
  return safety.emergencyStop;
}

async function asKey(gateway: GatewayProcess, key: string): Promise<number> {
  return (await fetch(`${gateway.url}/metrics`, { headers: { authorization: `Bearer ${key}` } })).status;
}

test('a restore replaces the data, keeps stops and revocations, and can be undone', async () => {
  const gateway = await GatewayProcess.start({}, ADMINISTRATOR_ENV);
  try {
    let send = await loggedIn(gateway);
    await rename(send, 'Before');
    await ok(send('POST', '/beacon', BEACON));
    const beforeRestore = send;
    const key = (await ok(send('POST', '/keys', { name: 'tablet', scopes: ['metrics:read'] }))) as {
      keyId: number;
      key: string;
    };
    assert.equal(await asKey(gateway, key.key), 200);
    const before = await stateOf(send);
    const backup = await backUp(send);

    await rename(send, 'After');
    await ok(send('POST', '/beacon', { ...BEACON, id: 'gate-2' }));
    await ok(send('DELETE', `/keys/${key.keyId}`));
    await ok(send('POST', '/estop', { cartID: 1 }));
    const after = await stateOf(send);

    const path = `/gateway-backups/${backup}/restore`;
    const accepted = await send('POST', path, { passphrase });
    assert.equal(accepted.status, 202, accepted.text);
    assert.equal(accepted.json().restartsItself, false);
    assert.deepEqual(await stateOf(send), after);
    const database = basename(String((await ok(send('POST', '/backups'))).path));
    const second = await send('POST', `/backups/${database}/restore`);
    assert.deepEqual([second.status, second.json().code], [409, 'CONFLICT'], second.text);
    assert.equal((await ok(send('GET', '/backups'))).chosen, null);

    send = await restart(gateway);
    assert.deepEqual(await stateOf(send), before);
    assert.equal(await asKey(gateway, key.key), 401);
    assert.equal(await latchOf(send), 'REMOTE');
    assert.equal((await send('POST', '/payments', { value: 10 })).json().code, 'PAYMENTS_OFF');
    const health = (await ok(send('GET', '/health'))) as {
      store: { notices: string[]; lostWrites?: object };
    };
    assert.deepEqual([health.store.notices, health.store.lostWrites], [[], undefined]);
    const early = await send('POST', '/gateway-backups/confirm');
    assert.deepEqual([early.status, early.json().code], [409, 'CONFLICT']);
    const { restore } = (await ok(send('GET', '/gateway-backups'))) as { restore: { step: string } };
    assert.equal(restore.step, 'trial');
    const page = await send('GET', '/system', undefined, { accept: 'text/html' });
    assert.match(page.text, /data-gateway-restore="trial"/);
    assert.match(page.text, /action="\/gateway-backups\/cancel-restore"/);
    assert.match(page.text, /action="\/gateway-backups\/confirm" data-confirm hidden/);

    const drive = await send('GET', '/', undefined, { accept: 'text/html' });
    assert.match(drive.text, /The restore is waiting for your confirmation/);
    assert.match(page.text, /A return discards everything that has been saved since the restore/);
    await ok(send('POST', '/beacon', { ...BEACON, id: 'trial-3' }));

    assert.equal((await send('POST', '/gateway-backups/cancel-restore')).status, 202);
    send = await restart(gateway);
    assert.deepEqual(await stateOf(send), after);
    assert.equal(await asKey(gateway, key.key), 401);
    assert.equal(await latchOf(send), 'REMOTE');
    const { entries } = (await ok(send('GET', '/history?outcome=backup'))) as { entries: object[] };
    assert.deepEqual(
      (entries as { kind: string; person: string }[]).map(({ kind, person }) => [kind, person]),
      [
        ['restore.undone', 'anna'],
        ['backup.made', 'anna'],
      ],
    );
    assert.equal(existsSync(join(gateway.dir, 'data/restore')), false);
    assert.equal((await send('POST', '/payments', { value: 10 })).json().code, 'PAYMENTS_OFF');
    assert.equal((await beforeRestore('GET', '/users')).status, 401);
    const returned = (await ok(send('GET', '/health'))) as {
      store: { notices: string[]; lostWrites?: object };
    };
    assert.deepEqual([returned.store.notices, returned.store.lostWrites], [[], undefined]);
    const data = join(gateway.dir, 'data');
    const kept = readdirSync(data).find((name) => /^cartwright\.db\.undone-\w+$/.test(name)) ?? '';
    assert.match(JSON.stringify(rowsOf(join(data, kept))), /trial-3/);
    const undone = await send('GET', '/system', undefined, { accept: 'text/html' });
    assert.match(undone.text, /The restore was undone/);
  } finally {
    await gateway.close();
  }
});

test('a backup made during a settings trial does not contain the unconfirmed change', async () => {
  const gateway = await GatewayProcess.start({}, ADMINISTRATOR_ENV);
  try {
    let send = await loggedIn(gateway);
    const speed = async (): Promise<unknown> => {
      const { limits } = (await ok(send('GET', '/variables.json'))) as { limits: object };
      return (limits as { maxSpeedMmps: number }).maxSpeedMmps;
    };
    const before = await speed();
    const limits = { maxSpeedMmps: Number(before) + 100 };
    assert.equal((await send('POST', '/updateJson?trial=1', { limits })).status, 200);
    assert.equal(await speed(), limits.maxSpeedMmps);
    const backup = await backUp(send);
    await ok(send('POST', `/gateway-backups/${backup}/restore`, { passphrase }));
    send = await restart(gateway);
    assert.equal(await speed(), before);
  } finally {
    await gateway.close();
  }
});

test('a stop is latched if its latch file is missing after a restore or after the restore is undone', async () => {
  const gateway = await GatewayProcess.start({}, ADMINISTRATOR_ENV);
  const latch = join(gateway.dir, 'data/estop.json');
  try {
    let send = await loggedIn(gateway);
    await ok(send('POST', `/gateway-backups/${await backUp(send)}/restore`, { passphrase }));
    assert.equal(await latchOf(send), 'NONE');
    send = await restart(gateway);
    assert.equal(await latchOf(send), 'REMOTE');
    await ok(send('POST', '/gateway-backups/cancel-restore'));
    await gateway.kill('SIGTERM');
    rmSync(latch);
    await gateway.spawn(ADMINISTRATOR_ENV);
    assert.equal(await latchOf(await loggedIn(gateway)), 'REMOTE');
  } finally {
    await gateway.close();
  }
});

test('the gateway exits automatically for a restore if a supervisor restarts it', async () => {
  const systemd = await NotifySocket.open();
  const env = { ...ADMINISTRATOR_ENV, NOTIFY_SOCKET: systemd.path };
  const gateway = await GatewayProcess.start({}, env);
  try {
    const send = await loggedIn(gateway);
    const backup = await backUp(send);
    await rename(send, 'After');
    const accepted = await send('POST', `/gateway-backups/${backup}/restore`, { passphrase });
    assert.equal(accepted.json().restartsItself, true, accepted.text);
    await gateway.logged('gateway.stopped');
    await gateway.spawn(env);
    await gateway.logged('restore.trial_started');
    const { entries } = (await ok((await loggedIn(gateway))('GET', '/history?outcome=backup'))) as {
      entries: { kind: string; person: string }[];
    };
    assert.deepEqual(
      entries.map(({ kind, person }) => [kind, person]),
      [['restore.started', 'anna']],
    );
  } finally {
    await gateway.close();
    await systemd.close();
  }
});

/** All rows of all tables, except those that every start of a gateway changes. */
function rowsOf(database: string): object {
  const db = new BetterSqlite(database, { readonly: true });
  try {
    const tables = db
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")
      .pluck()
      .all() as string[];
    const compared = tables
      .filter((name) => !['commit_number', 'session_clock', 'sessions'].includes(name))
      .toSorted();
    return Object.fromEntries(compared.map((name) => [name, db.prepare(`SELECT * FROM "${name}"`).all()]));
  } finally {
    db.close();
  }
}

/** `first-run.json` is not compared: the backup itself completes a step. */
function filesOf(dir: string): string[] {
  const names = ['variables.json', 'settings-history', 'plan', 'totp-key', 'photos', 'tls'];
  return names.flatMap((name) => {
    const path = join(dir, name);
    if (!existsSync(path)) return [];
    if (statSync(path).isFile()) return [name];
    return readdirSync(path).map((file) => join(name, file));
  });
}

test('restores every row and every file of a backup into a new data directory', async () => {
  const old = await GatewayProcess.start({}, ADMINISTRATOR_ENV);
  const fresh = await GatewayProcess.start({}, ADMINISTRATOR_ENV);
  try {
    const send = await loggedIn(old);
    await rename(send, 'Before');
    for (let n = 0; n < 20; n += 1) await ok(send('POST', '/beacon', { ...BEACON, id: `beacon-${n}` }));
    const bob = { username: 'bob', password: 'a long password of bob' };
    await ok(send('POST', '/users', { ...bob, role: 'operator' }));
    const backupPath = String((await ok(send('POST', '/backups'))).path);
    const backup = await backUp(send);
    const rows = rowsOf(backupPath);
    await old.kill('SIGTERM');

    const [oldData, freshData] = [join(old.dir, 'data'), join(fresh.dir, 'data')];
    const archive = readFileSync(join(oldData, 'gateway-backups', backup));
    const onFresh = await loggedIn(fresh);
    const file = { 'content-type': 'application/octet-stream' };
    await ok(onFresh('PUT', `/gateway-backups/${backup}`, archive, file));
    await ok(onFresh('POST', `/gateway-backups/${backup}/restore`, { passphrase }));
    const restored = await restart(fresh);
    const onBob = await loggedIn(fresh, bob);
    const page = await onBob('GET', '/system', undefined, { accept: 'text/html' });
    assert.match(page.text, /data-gateway-restore="trial"/, 'operators see the notice');
    assert.doesNotMatch(page.text, /action="\/gateway-backups/);
    const { path } = await ok(restored('POST', '/backups'));
    // The start of the trial adds its own records after those of the backup.
    const found = rowsOf(String(path)) as Record<string, object[]>;
    const added: string[] = [];
    for (const [table, expected] of Object.entries(rows as Record<string, object[]>)) {
      const all = found[table] ?? [];
      assert.deepEqual(all.slice(0, expected.length), expected, table);
      if (all.length > expected.length) added.push(table);
    }
    assert.deepEqual(added, ['history_entries', 'revocations', 'safety_events']);
    const files = filesOf(oldData);
    assert.ok(files.length > 2, files.join());
    assert.deepEqual(filesOf(freshData), files);
    for (const file of files)
      assert.deepEqual(readFileSync(join(freshData, file)), readFileSync(join(oldData, file)), file);
  } finally {
    await Promise.all([old.close(), fresh.close()]);
  }
});

// Fault case 77
test('a restore interrupted by kill -9 at a random moment leaves either the old or the new state', async () => {
  const random = randomFrom(testSeed());
  const gateway = await GatewayProcess.start({}, ADMINISTRATOR_ENV);
  const data = join(gateway.dir, 'data');
  const staged = join(gateway.dir, 'staged');
  const ends: string[] = [];
  try {
    let send = await loggedIn(gateway);
    await rename(send, 'Before');
    await ok(send('POST', '/beacon', BEACON));
    const before = await stateOf(send);
    const backup = await backUp(send);
    await rename(send, 'After');
    await ok(send('POST', '/beacon', { ...BEACON, id: 'gate-2' }));
    const after = await stateOf(send);
    await ok(send('POST', `/gateway-backups/${backup}/restore`, { passphrase }));
    await gateway.kill('SIGTERM');
    cpSync(data, staged, { recursive: true });
    for (let round = 0; round < rounds(3, 100); round += 1) {
      rmSync(data, { recursive: true });
      cpSync(staged, data, { recursive: true });
      for (let kills = 1 + Math.floor(random() * 3); kills > 0; kills -= 1) {
        const starting = gateway.spawn(ADMINISTRATOR_ENV).catch(() => undefined);
        const timer = setTimeout(() => void gateway.kill('SIGKILL'), random() * 1500);
        await starting;
        clearTimeout(timer);
        await gateway.kill('SIGKILL');
      }
      await gateway.spawn(ADMINISTRATOR_ENV);
      send = await loggedIn(gateway);
      const state = await stateOf(send);
      const isUndone = isDeepStrictEqual(state, after);
      if (!isUndone) assert.deepEqual(state, before, `round ${round}`);
      ends.push(isUndone ? 'old' : 'new');
      await gateway.kill('SIGTERM');
    }
    process.stdout.write(` ends: ${ends.join(' ')}\n`);
  } finally {
    await gateway.close();
  }
});

test.run();
