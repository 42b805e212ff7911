import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import {
  AccessReads,
  type AddUser,
  accessWrites,
  type ChangeUser,
  checked,
  hashPassword,
  type NewUserInput,
  newUserSchema,
  rejectWeakPassword,
  replayAccess,
  toUser,
  usernameKey,
} from '../access/index.js';
import { loadConfig } from '../app/config.js';
import { requireFinishedRestore } from '../backups/index.js';
import { ROLES } from '../http/guard/authenticator.js';
import { SettingsService, seedFaults } from '../settings/index.js';
import { systemClock } from '../shared/clock.js';
import { GatewayError, messageOf } from '../shared/errors.js';
import { createLog, LogThreshold } from '../shared/log.js';
import type { WriteOperation } from '../shared/ports/database.js';
import { checkerFor } from '../shared/validation/validate.js';
import { type Database, readDatabase, writeDatabase } from '../store/connection.js';
import { lockDataDirectory } from '../store/directory-lock.js';
import { STORE_LIMITS } from '../store/limits.js';
import { storePaths } from '../store/paths.js';
import { type StartedDatabase, startDatabase } from '../store/recovery/open-database.js';

const USAGE = `usage: npm run user -- list
       npm run user -- add <name> [--role ${ROLES.join('|')}]
       npm run user -- role <name> --role ${ROLES.join('|')}
       npm run user -- disable|enable|password|reset-totp <name>
The password is prompted for, or read from standard input. It is never an argument, which other users could see.
`;
const checkUser = checkerFor<NewUserInput>(newUserSchema);
const NO_PASSWORD = 'not a password';

/**
 * A separate connection to the database of a running gateway is safe, because SQLite makes writers wait and the
 * gateway does not cache users. The lock of the data directory is required only if the database is missing,
 * because the database is then recovered or created here.
 */
async function openDatabase(isReading: boolean): Promise<StartedDatabase> {
  const { dataDir, settings } = loadConfig(process.env, process.cwd(), seedFaults);
  requireFinishedRestore(dataDir, isReading);
  const options = { replay: replayAccess };
  if (existsSync(storePaths(dataDir).database)) return startDatabase(dataDir, STORE_LIMITS, true, options);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const log = createLog(new LogThreshold('error'));
  const lock = lockDataDirectory(dataDir, { log });
  try {
    // In a new data directory, the settings are created too, because a database without settings would mean that the
    // settings are lost.
    await (await SettingsService.open({ dir: dataDir, clock: systemClock, log, initial: settings })).close();
    return await startDatabase(dataDir, STORE_LIMITS, false, options);
  } finally {
    lock.release();
  }
}

async function run(args: string[]): Promise<string> {
  const { positionals, values } = parseArgs({
    args,
    allowPositionals: true,
    options: { role: { type: 'string' } },
  });
  const [verb = '', name = ''] = positionals;
  const verbs = ['list', 'add', 'role', 'disable', 'enable', 'password', 'reset-totp'];
  if (!verbs.includes(verb) || (verb !== 'list' && !name)) throw new GatewayError('INVALID_INPUT', USAGE);
  const started = await openDatabase(verb === 'list');
  const { db, journal, commits } = started;
  try {
    if (verb === 'list') return list(db);
    const done = await (verb === 'add'
      ? add(started, name, values.role)
      : change(started, verb, name, values.role));
    journal.publish();
    commits.publish();
    return done;
  } finally {
    db.close();
  }
}

function list(db: Database): string {
  const lines = new AccessReads(readDatabase(db))
    .users()
    .map(({ userId, username, role, disabled, passwordRevoked, totp }) => {
      const state = [
        disabled ? 'disabled' : '',
        passwordRevoked ? 'must set a new password' : '',
        totp ? 'totp' : '',
      ];
      return [userId, username, role, ...state].join('\t').trimEnd();
    });
  return lines.join('\n') || 'no users yet';
}

async function add(started: StartedDatabase, name: string, role: string | undefined): Promise<string> {
  const username = name.trim();
  const plain = checked(checkUser, { username, password: NO_PASSWORD, ...(role ? { role } : {}) });
  const passwordPhc = await newPassword(username);
  const row: AddUser = {
    username,
    usernameKey: usernameKey(username),
    passwordPhc,
    role: plain.role ?? 'customer',
    now: Date.now(),
    first: false,
  };
  const id = write(started, accessWrites['access.addUser'], row);
  return `added ${username} (${row.role}), user ${String(id)}`;
}

async function change(
  started: StartedDatabase,
  verb: string,
  name: string,
  role: string | undefined,
): Promise<string> {
  const { db } = started;
  const account = new AccessReads(readDatabase(db)).accountByName(name);
  if (!account) throw new GatewayError('NOT_FOUND', `user ${name} does not exist`);
  const base: ChangeUser = { userId: account.id, now: Date.now() };
  if (verb === 'role') {
    const plain = checked(checkUser, { username: account.username, password: NO_PASSWORD, role: role ?? '' });
    write(started, accessWrites['access.changeUser'], {
      ...base,
      ...(plain.role ? { role: plain.role } : {}),
    });
  } else if (verb === 'password') {
    const passwordPhc = await newPassword(account.username);
    write(started, accessWrites['access.changeUser'], { ...base, passwordPhc });
  } else if (verb === 'reset-totp') write(started, accessWrites['access.removeTotp'], { userId: account.id });
  else write(started, accessWrites['access.changeUser'], { ...base, disabled: verb === 'disable' });
  const { disabled, role: now } = toUser(account);
  return `changed ${account.username}: ${verb} (was ${now}${disabled ? ', disabled' : ''})`;
}

async function newPassword(username: string): Promise<string> {
  const { password } = checked(checkUser, { username, password: await readSecret('New password: ') });
  rejectWeakPassword(password, username);
  return hashPassword(password);
}

function write<Args>(
  { db, commits }: StartedDatabase,
  operation: (db: Parameters<WriteOperation>[0], args: Args) => unknown,
  args: Args,
): unknown {
  return db
    .transaction(() => {
      const result = operation(writeDatabase(db), args);
      commits.count(1);
      return result;
    })
    .immediate();
}

/** Reads a password without echoing the input; if there is no terminal, reads the first line of stdin. */
async function readSecret(prompt: string): Promise<string> {
  const isTerminal = process.stdin.isTTY === true;
  if (isTerminal) process.stderr.write(prompt);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: isTerminal });
  const line: unknown[] = await Promise.race([once(lines, 'line'), once(lines, 'close')]);
  lines.close();
  if (isTerminal) process.stderr.write('\n');
  return String(line[0] ?? '');
}

run(process.argv.slice(2)).then(
  (text) => process.stdout.write(`${text}\n`),
  (error: unknown) => {
    process.stderr.write(`${messageOf(error)}\n`);
    process.exitCode = 1;
  },
);
