import type { WriteDatabase } from '../../shared/ports/database.js';
import { recordUser } from './revocations.js';

/** Journal value: `sealed last_step created_at code_hash …`, blobs as hex; empty if there is no factor. */
const VALUE = /^([0-9a-f]+) (\d+) (\d+)((?: [0-9a-f]{64})*)$/;

interface TotpRow {
  sealed: Uint8Array;
  lastStep: number;
  createdAt: number;
}

/** Must be the last step of an operation that changes the second factor or consumes a recovery code. */
export function recordSecondFactor(db: WriteDatabase, userId: number): void {
  const user = db
    .prepare<{ id: number; createdAt: number }>(
      'SELECT id, created_at AS createdAt FROM users WHERE id = @userId',
    )
    .get({ userId });
  if (user) recordUser(db, user, 'secondFactor', stateOf(db, userId));
}

function stateOf(db: WriteDatabase, userId: number): string {
  const row = totpOf(db, userId);
  if (!row) return '';
  const codes = db
    .prepare<{ hash: string }>(
      'SELECT lower(hex(code_hash)) AS hash FROM recovery_codes WHERE user_id = @userId',
    )
    .all({ userId });
  const hashes = codes.map(({ hash }) => hash);
  return [Buffer.from(row.sealed).toString('hex'), row.lastStep, row.createdAt, ...hashes].join(' ');
}

/**
 * Sets a user's second factor in a restored database to its latest state, so that replaced or used secrets
 * and codes stay invalid.
 * @returns true if the user now has a factor; undefined if nothing changed.
 */
export function replaySecondFactor(db: WriteDatabase, userId: number, value: string): boolean | undefined {
  const [, hex = '', lastStep, createdAt, hashes = ''] = VALUE.exec(value) ?? [];
  if (value === stateOf(db, userId) || (value !== '' && hex === '')) return undefined;
  const sealed = Buffer.from(hex, 'hex');
  const older = totpOf(db, userId);
  db.prepare('DELETE FROM totp WHERE user_id = @userId').run({ userId });
  if (value === '') return false;
  // Logins increase `last_step` without a journal entry, so the higher value applies if the secret is the same.
  const isSame = older !== undefined && sealed.equals(older.sealed);
  const row = { userId, sealed, step: Math.max(Number(lastStep), isSame ? older.lastStep : 0) };
  db.prepare(
    'INSERT INTO totp (user_id, sealed, last_step, created_at) VALUES (@userId, @sealed, @step, @createdAt)',
  ).run({ ...row, createdAt: Number(createdAt) });
  const insert = db.prepare('INSERT INTO recovery_codes (user_id, code_hash) VALUES (@userId, @codeHash)');
  for (const hash of hashes.split(' ').slice(1)) insert.run({ userId, codeHash: Buffer.from(hash, 'hex') });
  return true;
}

function totpOf(db: WriteDatabase, userId: number): TotpRow | undefined {
  return db
    .prepare<TotpRow>(`
      SELECT sealed, last_step AS lastStep, created_at AS createdAt FROM totp WHERE user_id = @userId`)
    .get({ userId });
}
