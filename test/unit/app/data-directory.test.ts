import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { suite } from 'uvu';
import { loadConfig } from '../../../src/app/config.js';
import { type Gateway, openGateway } from '../../../src/app/gateway.js';
import { actorName, parseActor } from '../../../src/shared/actor.js';
import { systemClock } from '../../../src/shared/clock.js';
import { packageRoot } from '../../../src/shared/package-root.js';
import type { Clock } from '../../../src/shared/ports/clock.js';
import type { FirstRunView } from '../../../src/system/first-run/first-run.js';
import { RecordingLog } from '../../helpers/recording-log.js';
import { totpCode } from '../../helpers/totp-code.js';

interface Login {
  username: string;
  password: string;
}

type Row = Record<string, string | number | null>;

/** Data recorded by version 0.1, with blobs as hexadecimal strings and files as SHA-256 hashes. */
interface Recorded {
  recordedAtMs: number;
  safety: { emergencyStop: string; stoppedBy: string; stoppedAt: string };
  api: Record<string, unknown>;
  downloads: Record<string, string>;
  files: Record<string, string>;
  tables: Record<string, Row[]>;
  accounts: (Login & { role: string })[];
  secondFactor: Login & { secret: string; usedRecoveryCode: string; recoveryCodes: string[] };
  disabled: Login;
  sessionTokens: Record<'anna' | 'ben' | 'carol' | 'ended', string>;
  keys: { valid: string; revoked: string };
}

/**
 * Columns that may change on startup: the session clock advances, and open payments are checked with the
 * provider.
 */
const CHANGING: Readonly<Record<string, readonly string[]>> = {
  session_clock: ['session_ms', 'wall_ms'],
  payments: ['attempts', 'next_check_at', 'updated_at'],
};
/** Settings sections added by versions after 0.1. */
const NEW_SECTIONS: readonly string[] = ['protectiveField', 'navigation', 'site', 'alarms', 'shop'];
/** The setting added to a section that version 0.1 has. */
const NEW_SETTINGS: readonly (readonly [section: string, name: string])[] = [
  ['kinematics', 'footprint'],
  ['limits', 'holdAboveMm'],
];
/** On the first start that adds sections or tables, the gateway makes a backup and then rewrites the settings. */
const SETTINGS_FILES: readonly string[] = ['variables.json', 'variables.json.bak'];
const FIXTURES = join(packageRoot(), 'test/fixtures');

const test = suite('data directory written by version 0.1');
const recorded = JSON.parse(readFileSync(join(FIXTURES, 'data-directory-0.1.json'), 'utf8')) as Recorded;
const shiftMs = recorded.recordedAtMs - Date.now();
const clock: Clock = { ...systemClock, wallTime: () => systemClock.wallTime() + shiftMs };
const dir = mkdtempSync(join(tmpdir(), 'cartwright-directory-'));
const dataDir = join(dir, 'data');
let gateway: Gateway;

test.before(async () => {
  copyFixture();
  const env = { CARTWRIGHT_CONFIG: join(dir, 'config.json'), HOST: '127.0.0.1', PORT: '0' };
  writeFileSync(env.CARTWRIGHT_CONFIG, JSON.stringify({ dataDir, auth: 'required' }));
  gateway = await openGateway(loadConfig(env, dir), { clock, log: new RecordingLog() });
});

test.after(async () => {
  await gateway.close();
  rmSync(dir, { recursive: true });
});

/** Copies the fixture with version 0.1's file modes, which git does not store. */
function copyFixture(): void {
  cpSync(join(FIXTURES, 'data-directory-0.1'), dataDir, { recursive: true });
  chmodSync(dataDir, 0o700);
  for (const entry of readdirSync(dataDir, { recursive: true, withFileTypes: true })) {
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o700 : 0o600);
  }
}

function send(path: string, headers: Record<string, string> = {}, body?: object): Promise<Response> {
  const json = { accept: 'application/json', 'content-type': 'application/json' };
  const init = body ? { method: 'POST', body: JSON.stringify(body) } : {};
  return fetch(`${gateway.url}${path}`, { ...init, headers: { ...json, ...headers } });
}

/** The cookie's name contains the port. */
function cookieOf(token: string): string {
  return `sessie_p${new URL(gateway.url).port}=${token}`;
}

async function get(path: string): Promise<Response> {
  const response = await send(path, { cookie: cookieOf(recorded.sessionTokens.anna) });
  assert.equal(response.status, 200, path);
  return response;
}

async function getJson(path: string): Promise<unknown> {
  return (await get(path)).json();
}

async function getBytes(path: string): Promise<Uint8Array> {
  return new Uint8Array(await (await get(path)).arrayBuffer());
}

async function codeOf(response: Response): Promise<unknown> {
  return ((await response.json()) as { code?: unknown }).code;
}

async function logIn(login: Login & { code?: string }): Promise<{ status: number; cookie: string }> {
  const { username, password, code } = login;
  const body = code === undefined ? { username, password } : { username, password, code };
  const { status, headers } = await send('/login', {}, body);
  return { status, cookie: headers.get('set-cookie')?.split(';')[0] ?? '' };
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Returns the rows in the recorded form: version 0.1's columns, except those that may change on startup. */
function rowsOf(table: string, rows: readonly object[]): string[] {
  const [first = {}] = recorded.tables[table] ?? [];
  const columns = Object.keys(first).filter((name) => !CHANGING[table]?.includes(name));
  return rows.map((row) => {
    const values = new Map(Object.entries(row));
    return JSON.stringify(
      columns.map((name) => {
        const value: unknown = values.get(name);
        // Version 0.1 stored only the actor's name.
        const isActor = name === 'actor' && typeof value === 'string' && value.startsWith('{');
        if (isActor) return actorName(parseActor(value));
        return Buffer.isBuffer(value) ? value.toString('hex') : value;
      }),
    );
  });
}

function withoutNew(settings: object): object {
  const old = Object.entries(settings).filter(([name]) => !NEW_SECTIONS.includes(name));
  const without = (section: string, value: object): object => {
    const isNew = (name: string) => NEW_SETTINGS.some((added) => added[0] === section && added[1] === name);
    return Object.fromEntries(Object.entries(value).filter(([name]) => !isNew(name)));
  };
  const isChanged = (name: string) => NEW_SETTINGS.some(([section]) => section === name);
  return Object.fromEntries(
    old.map(([name, value]) => [name, isChanged(name) ? without(name, value as object) : value]),
  );
}

function withoutRefunds(payment: object): object {
  const added = { processing: false, refunded: 0, disputed: 0, lostInDisputes: 0 };
  const { processing, refunded, disputed, lostInDisputes, ...rest } = payment as typeof added;
  assert.deepEqual({ processing, refunded, disputed, lostInDisputes }, added);
  return rest;
}

/** Returns a response without the data that this version added at its first start. */
function recordedPart(path: string, body: unknown): unknown {
  if (path === '/variables.json') return withoutNew(body as object);
  if (path === '/backups') {
    const { backups, uploads, ...rest } = body as { backups: object[]; uploads: object[] };
    assert.deepEqual(uploads, []);
    return { ...rest, backups: backups.slice(1) };
  }
  if (path === '/commissioning') {
    const { steps, brakeTests, ...rest } = body as { steps: string[]; brakeTests: object[] };
    assert.deepEqual([steps.slice(-2), brakeTests], [['footprint', 'brake'], []]);
    return { ...rest, steps: steps.slice(0, -2) };
  }
  if (path.startsWith('/payments?')) return (body as object[]).map(withoutRefunds);
  if (path !== '/brokerSettings/history') return body;
  const [added, ...versions] = body as { changes: { pointer: string }[] }[];
  assert.deepEqual(
    added?.changes.map(({ pointer }) => pointer),
    [...NEW_SETTINGS.map((names) => `/${names.join('/')}`), ...NEW_SECTIONS.map((name) => `/${name}`)],
  );
  return versions;
}

test('an upgrade preserves every row of every table', () => {
  const db = new Database(join(dataDir, 'cartwright.db'), { readonly: true });
  try {
    for (const [table, rows] of Object.entries(recorded.tables)) {
      const present = db.prepare<[], object>(`SELECT * FROM "${table}"`).all();
      assert.deepEqual(rowsOf(table, present).sort(), rowsOf(table, rows).sort(), table);
    }
  } finally {
    db.close();
  }
});

test('an upgrade preserves every file byte for byte', () => {
  const unchanged = Object.entries(recorded.files).filter(([path]) => !SETTINGS_FILES.includes(path));
  const present = unchanged.map(([path]) => [path, sha256(readFileSync(join(dataDir, path)))]);
  assert.deepEqual(Object.fromEntries(present), Object.fromEntries(unchanged));
});

test('an upgrade preserves every setting, and keeps a copy of the previous settings file', () => {
  const read = (folder: string, name: string): string => readFileSync(join(folder, name), 'utf8');
  const before = read(join(FIXTURES, 'data-directory-0.1'), 'variables.json');
  assert.deepEqual(withoutNew(JSON.parse(read(dataDir, 'variables.json'))), JSON.parse(before));
  assert.equal(read(dataDir, 'variables.json.bak'), before);
});

test('a stop latched under version 0.1 remains latched', async () => {
  const { safety } = (await getJson('/carts/1')) as { safety: Recorded['safety'] & { mayMove: boolean } };
  const { mayMove, emergencyStop, stoppedBy, stoppedAt } = safety;
  assert.deepEqual({ emergencyStop, stoppedBy, stoppedAt }, recorded.safety);
  assert.equal(mayMove, false);
  const command = { cartID: 1, distanceID: 10, angleID: 0 };
  const refused = await send('/', { cookie: cookieOf(recorded.sessionTokens.anna) }, command);
  assert.deepEqual([refused.status, await codeOf(refused)], [409, 'ESTOP_ACTIVE']);
});

for (const [path, body] of Object.entries(recorded.api)) {
  test(`returns the recorded body for GET ${path}`, async () => {
    assert.deepEqual(recordedPart(path, await getJson(path)), body);
  });
}

test('serves the stored floor plan, photos, recordings and backups', async () => {
  const served: Record<string, string> = {};
  for (const path of Object.keys(recorded.downloads)) served[path] = sha256(await getBytes(path));
  assert.deepEqual(served, recorded.downloads);
});

test('accepts valid sessions and keys, but not an ended session or a revoked key', async () => {
  const { anna, ben, carol, ended } = recorded.sessionTokens;
  const { valid, revoked } = recorded.keys;
  const statusOf = async (path: string, headers: Record<string, string>) =>
    (await send(path, headers)).status;
  const cookies = [anna, ben, carol, ended].map((token) => statusOf('/account', { cookie: cookieOf(token) }));
  assert.deepEqual(await Promise.all(cookies), [200, 200, 200, 401]);
  const keys = [valid, revoked].map((key) => statusOf('/camera/photos', { 'x-api-key': key }));
  assert.deepEqual(await Promise.all(keys), [200, 401]);
});

test('users of every role can log in with their passwords', async () => {
  for (const { role, ...login } of recorded.accounts) {
    const { status, cookie } = await logIn(login);
    assert.equal(status, 201, login.username);
    const account = (await (await send('/account', { cookie })).json()) as { role: string };
    assert.equal(account.role, role);
  }
});

test('rejects a disabled user and a replaced password', async () => {
  assert.equal((await logIn(recorded.disabled)).status, 401);
  assert.equal((await logIn({ ...recorded.disabled, username: 'dirk' })).status, 401);
});

test('requires the second factor, and accepts TOTP codes and unused recovery codes', async () => {
  const { username, password, secret, usedRecoveryCode, recoveryCodes } = recorded.secondFactor;
  const statusWith = async (code?: string) =>
    (await logIn({ username, password, ...(code === undefined ? {} : { code }) })).status;
  assert.equal(await statusWith(), 401);
  assert.equal(await statusWith(usedRecoveryCode), 401);
  assert.equal(await statusWith(recoveryCodes[0]), 201);
  assert.equal(await statusWith(totpCode(secret, clock.wallTime())), 201);
});

test('the first-run checklist is complete and shows the times recorded by version 0.1', async () => {
  const { done, isComplete } = (await getJson('/first-run')) as FirstRunView;
  const { safety_events: events, users } = recorded.tables;
  assert.equal(isComplete, true);
  assert.equal(done.estop, events?.find(({ kind }) => kind === 'estop.reset')?.at);
  assert.equal(done.user, users?.[1]?.created_at);
  assert.doesNotMatch(await (await get('/')).text(), /data-checklist/);
});

test.run();
