import { GatewayError } from '../../shared/errors.js';
import type { WriteDatabase } from '../../shared/ports/database.js';
import { accessMessage } from '../messages.js';
import { recordSessions } from '../revocations/revocations.js';
import { recordSecondFactor } from '../revocations/second-factor.js';

/** A verified second factor; the transaction that relies on it must consume it. */
export type Factor =
  | { kind: 'totp'; sealed: Uint8Array; step: number }
  | { kind: 'recovery'; codeHash: Uint8Array };

/** Returns false if the factor is no longer valid, or if `factor` is null but the user has one. */
export function consumeFactor(db: WriteDatabase, userId: number, factor: Factor | null): boolean {
  if (factor === null) return !db.prepare('SELECT 1 FROM totp WHERE user_id = @userId').get({ userId });
  const { kind, ...used } = factor;
  const statement =
    kind === 'totp'
      ? 'UPDATE totp SET last_step = @step WHERE user_id = @userId AND sealed = @sealed AND last_step < @step'
      : 'DELETE FROM recovery_codes WHERE user_id = @userId AND code_hash = @codeHash';
  const isUsed = db.prepare(statement).run({ userId, ...used }).changes === 1;
  if (isUsed && kind === 'recovery') recordSecondFactor(db, userId);
  return isUsed;
}

interface OwnChange {
  userId: number;
  factor: Factor | null;
}

export interface EnableTotp {
  userId: number;
  sealed: Uint8Array;
  step: number;
  codeHashes: readonly Uint8Array[];
  /** State at the start of the enrolment; `replaces` is null if the user had no second factor. */
  passwordPhc: string;
  replaces: Uint8Array | null;
  keepSession: string;
  now: number;
}

/** Throws `CONFLICT` if the password or second factor has changed since the enrolment began. */
function enable(db: WriteDatabase, { codeHashes, passwordPhc, replaces, ...row }: EnableTotp): void {
  const { userId, keepSession, sealed, step, now } = row;
  const isSame = db
    .prepare(`
      SELECT 1 FROM users LEFT JOIN totp ON totp.user_id = users.id
      WHERE users.id = @userId AND password_phc = @passwordPhc AND disabled_at IS NULL AND sealed IS @replaces`)
    .get({ userId, passwordPhc, replaces });
  if (!isSame) throw credentialsChanged();
  db.prepare('DELETE FROM totp WHERE user_id = @userId').run({ userId });
  db.prepare(
    'INSERT INTO totp (user_id, sealed, last_step, created_at) VALUES (@userId, @sealed, @step, @now)',
  ).run({ userId, sealed, step, now });
  addCodes(db, userId, codeHashes);
  recordSecondFactor(db, userId);
  endSessions(db, userId, keepSession);
}

/** Throws `CONFLICT` if the factor is no longer valid. */
function use(db: WriteDatabase, { userId, factor }: OwnChange): void {
  if (!consumeFactor(db, userId, factor)) throw credentialsChanged();
}

export interface RenewCodes extends OwnChange {
  codeHashes: readonly Uint8Array[];
  keepSession: string;
}

function renewCodes(db: WriteDatabase, { codeHashes, keepSession, ...own }: RenewCodes): void {
  use(db, own);
  db.prepare('DELETE FROM recovery_codes WHERE user_id = @userId').run({ userId: own.userId });
  addCodes(db, own.userId, codeHashes);
  recordSecondFactor(db, own.userId);
  endSessions(db, own.userId, keepSession);
}

export interface RemoveTotp {
  userId: number;
  factor?: Factor;
  keepSession?: string;
}

/** Throws `NOT_FOUND` if the user has no second factor. */
function remove(db: WriteDatabase, { userId, factor, keepSession = '' }: RemoveTotp): void {
  if (factor) use(db, { userId, factor });
  const { changes } = db.prepare('DELETE FROM totp WHERE user_id = @userId').run({ userId });
  if (changes === 0) throw new GatewayError('NOT_FOUND', accessMessage('no-factor'));
  recordSecondFactor(db, userId);
  endSessions(db, userId, keepSession);
}

function addCodes(db: WriteDatabase, userId: number, codeHashes: readonly Uint8Array[]): void {
  const insert = db.prepare('INSERT INTO recovery_codes (user_id, code_hash) VALUES (@userId, @codeHash)');
  for (const codeHash of codeHashes) insert.run({ userId, codeHash });
}

function endSessions(db: WriteDatabase, userId: number, keepSession: string): void {
  const { changes } = db
    .prepare('DELETE FROM sessions WHERE user_id = @userId AND id <> @keepSession')
    .run({ userId, keepSession });
  recordSessions(db, changes);
}

function credentialsChanged(): GatewayError {
  return new GatewayError('CONFLICT', accessMessage('login-changed'), { hint: accessMessage('start-again') });
}

export const secondFactorWrites = {
  'access.useFactor': use,
  'access.enableTotp': enable,
  'access.renewRecoveryCodes': renewCodes,
  'access.removeTotp': remove,
};
