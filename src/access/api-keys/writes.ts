import { GatewayError } from '../../shared/errors.js';
import type { WriteDatabase } from '../../shared/ports/database.js';
import { accessMessage } from '../messages.js';
import { recordKey } from '../revocations/revocations.js';

export interface AddKey {
  name: string;
  prefix: string;
  keyHash: Uint8Array;
  scopes: string;
  now: number;
  expiresAt: number | null;
}

/** Throws `CONFLICT` if the name is taken. */
function add(db: WriteDatabase, key: AddKey): number {
  const { changes, lastInsertRowid } = db
    .prepare(`
      INSERT INTO api_keys (name, prefix, key_hash, scopes, created_at, expires_at)
      VALUES (@name, @prefix, @keyHash, @scopes, @now, @expiresAt)
      ON CONFLICT (name) DO NOTHING`)
    .run({ ...key });
  if (changes === 0) {
    throw new GatewayError('CONFLICT', accessMessage('key-name-taken'), { field: 'name' });
  }
  return Number(lastInsertRowid);
}

/** Keeps the row, because other records refer to it. Throws `NOT_FOUND`. */
function revoke(db: WriteDatabase, { keyId, now }: { keyId: number; now: number }): void {
  const sql = 'SELECT key_hash AS keyHash FROM api_keys WHERE id = @keyId';
  const key = db.prepare<{ keyHash: Uint8Array }>(sql).get({ keyId });
  if (!key) throw new GatewayError('NOT_FOUND', accessMessage('no-key'));
  const revoking = 'UPDATE api_keys SET revoked_at = coalesce(revoked_at, @now) WHERE id = @keyId';
  db.prepare(revoking).run({ keyId, now });
  recordKey(db, key.keyHash);
}

function touch(db: WriteDatabase, { keyId, now }: { keyId: number; now: number }): void {
  db.prepare('UPDATE api_keys SET last_used_at = @now WHERE id = @keyId').run({ keyId, now });
}

export const keyWrites = {
  'access.addKey': add,
  'access.revokeKey': revoke,
  'access.touchKey': touch,
};
