import { isApiKey, type Principal } from '../../http/guard/authenticator.js';
import { type Actor, actorName } from '../../shared/actor.js';
import { GatewayError, messageOf } from '../../shared/errors.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { Store } from '../../shared/ports/store.js';
import { isJsonObject } from '../../shared/validation/json.js';
import { checkerFor } from '../../shared/validation/validate.js';
import { accessMessage } from '../messages.js';
import type { AccessReads } from '../reads.js';
import { type ApiKey, type NewKeyInput, newKeySchema } from '../schema.js';
import { newApiKey, sha256 } from '../secrets.js';
import { checked, withTrimmed } from '../users/credential-checks.js';
import type { AddKey } from './writes.js';

/** Minimum interval between updates of `lastUsedAt`. */
const TOUCH_INTERVAL_MS = 60_000;
const DAY_MS = 86_400_000;
const checkNewKey = checkerFor<NewKeyInput>(newKeySchema);

export type KeyPrincipal = Extract<Principal, { kind: 'key' }>;

/** API keys for programs: 256 random bits, stored as a SHA-256 hash. */
export class ApiKeys {
  readonly #deps: { store: Store; reads: AccessReads; clock: Clock; log: Log };
  readonly #touching = new Set<number>();

  constructor(deps: { store: Store; reads: AccessReads; clock: Clock; log: Log }) {
    this.#deps = deps;
  }

  list(): ApiKey[] {
    return this.#deps.reads.keys();
  }

  /** Returns the key, which cannot be retrieved later. Throws `INVALID_INPUT` or `CONFLICT`. */
  async add(
    input: unknown,
    by: Actor,
  ): Promise<{ keyId: number; name: string; prefix: string; key: string }> {
    requireScope(input);
    const { name, scopes, expiresInDays } = checked(checkNewKey, withTrimmed('name', input));
    const { key, prefix } = newApiKey();
    const now = this.#deps.clock.wallTime();
    const expiresAt = expiresInDays === undefined ? null : now + expiresInDays * DAY_MS;
    const row: AddKey = {
      name,
      prefix,
      keyHash: sha256(key),
      scopes: JSON.stringify(scopes),
      now,
      expiresAt,
    };
    const keyId = await this.#deps.store.write<number>('access.addKey', row);
    this.#deps.log.info('access.key_added', { keyId, name, scopes, by: actorName(by) });
    return { keyId, name, prefix, key };
  }

  /** Throws `NOT_FOUND`. */
  async revoke(keyId: number, by: Actor): Promise<void> {
    await this.#deps.store.write('access.revokeKey', { keyId, now: this.#deps.clock.wallTime() });
    this.#deps.log.info('access.key_revoked', { keyId, by: actorName(by) });
  }

  find(text: string): KeyPrincipal | undefined {
    const key = isApiKey(text) ? this.#deps.reads.key(sha256(text)) : undefined;
    const now = this.#deps.clock.wallTime();
    if (!key || (key.expiresAt !== null && key.expiresAt <= now)) return undefined;
    if (now - (key.lastUsedAt ?? 0) > TOUCH_INTERVAL_MS) this.#touch(key.keyId, now);
    return { kind: 'key', keyId: key.keyId, name: key.name, scopes: key.scopes };
  }

  recordRejection(ip: string): void {
    this.#deps.log.warn('access.key_rejected', { ip });
  }

  isGood(keyId: number): boolean {
    return this.#deps.reads.isGoodKey(keyId, this.#deps.clock.wallTime());
  }

  #touch(keyId: number, now: number): void {
    if (this.#touching.has(keyId)) return;
    this.#touching.add(keyId);
    const { store, log } = this.#deps;
    store
      .write('access.touchKey', { keyId, now })
      .catch((error: unknown) => log.debug('access.touch_failed', { reason: messageOf(error) }))
      .finally(() => this.#touching.delete(keyId));
  }
}

/**
 * Throws `INVALID_INPUT` if no scope is selected. This mistake is the most common one in the form, so it has its own
 * message.
 */
function requireScope(input: unknown): void {
  if (!isJsonObject(input) || !Array.isArray(input.scopes) || input.scopes.length > 0) return;
  throw new GatewayError('INVALID_INPUT', accessMessage('scope-needed'), {
    field: 'scopes',
    limit: 1,
    unit: 'scopes',
  });
}
