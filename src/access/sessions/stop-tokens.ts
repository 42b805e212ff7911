import { randomBytes } from 'node:crypto';
import type { Principal } from '../../http/guard/authenticator.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { AccessReads } from '../reads.js';
import { sha256 } from '../secrets.js';

/** A stop token remains valid for this time in ms after its stream has closed. */
export const STOP_GRACE_MS = 600_000;
/** Maximum number of stop tokens per user or key; equal to the maximum number of sessions per user. */
const MAX_PER_HOLDER = 50;
const MAX_TOKENS = 1000;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

type Holder = Extract<Principal, { kind: 'user' | 'key' }>;

interface Entry {
  holder: string;
  principal: Holder;
  phc: string | undefined;
  /** When the event stream closed, as monotonic time in ms; undefined while it is open. */
  streamClosedMs: number | undefined;
}

export interface StopToken {
  text: string;
  close(): void;
}

interface StopTokensDeps {
  reads: AccessReads;
  clock: Clock;
  log: Log;
}

/**
 * Tokens that permit only stops, one per event stream or drive socket. A token outlives its session: it is
 * valid until 10 minutes after the stream closes. A token becomes invalid as soon as the session or key is
 * revoked, the user is disabled, or the password changes. Tokens are kept only in memory, as SHA-256 hashes.
 */
export class StopTokens {
  readonly #deps: StopTokensDeps;
  readonly #entries = new Map<string, Entry>();

  constructor(deps: StopTokensDeps) {
    this.#deps = deps;
  }

  issue(principal: Principal): StopToken | undefined {
    if (principal.kind !== 'user' && principal.kind !== 'key') return undefined;
    // A session that is only in memory receives no token, because a token is valid only while its session is in the
    // database.
    if (principal.kind === 'user' && principal.stopsOnly) return undefined;
    if (principal.kind === 'key' && !principal.scopes.includes('cart:control')) return undefined;
    const holder = principal.kind === 'user' ? `user ${principal.userId}` : `key ${principal.keyId}`;
    this.#evict(holder);
    const phc = principal.kind === 'user' ? this.#deps.reads.account(principal.userId)?.phc : undefined;
    const entry: Entry = { holder, principal, phc, streamClosedMs: undefined };
    const text = randomBytes(32).toString('base64url');
    this.#entries.set(hashOf(text), entry);
    return {
      text,
      close: () => {
        entry.streamClosedMs ??= this.#deps.clock.now();
      },
    };
  }

  /** Returns the token's holder without a database lookup. For scheduling only, not for access control. */
  holderOf(text: string): string | undefined {
    return this.#entry(text)?.holder;
  }

  find(text: string): Holder | undefined {
    const entry = this.#entry(text);
    if (!entry) return undefined;
    if (this.#isValid(entry)) return entry.principal;
    this.#entries.delete(hashOf(text));
    return undefined;
  }

  /** Returns a lower bound of the token's remaining validity in ms; 0 if the token is invalid. */
  leftMs(text: string): number {
    const entry = this.find(text) && this.#entry(text);
    return entry ? this.#leftMs(entry) : 0;
  }

  recordUse({ kind, ...holder }: Holder): void {
    const name = 'username' in holder ? holder.username : holder.name;
    this.#deps.log.info('access.stop_token_used', { kind, name });
  }

  #entry(text: string): Entry | undefined {
    const entry = TOKEN.test(text) ? this.#entries.get(hashOf(text)) : undefined;
    return entry && this.#leftMs(entry) > 0 ? entry : undefined;
  }

  #leftMs({ streamClosedMs }: Entry): number {
    if (streamClosedMs === undefined) return STOP_GRACE_MS;
    return Math.max(0, streamClosedMs + STOP_GRACE_MS - this.#deps.clock.now());
  }

  /** The row of an expired session is retained for an hour; a revoked session has no row. */
  #isValid({ principal, phc }: Entry): boolean {
    const { reads } = this.#deps;
    // At time 0, no key has expired, so the check rejects only revoked keys.
    if (principal.kind === 'key') return reads.isGoodKey(principal.keyId, 0);
    return reads.session(principal.sessionId) !== undefined && reads.account(principal.userId)?.phc === phc;
  }

  #evict(holder: string): void {
    for (const [hash, entry] of this.#entries) if (this.#leftMs(entry) === 0) this.#entries.delete(hash);
    this.#evictOne(MAX_PER_HOLDER, (entry) => entry.holder === holder);
    this.#evictOne(MAX_TOKENS, () => true);
  }

  /** Drops the oldest token with a closed stream; if all streams are open, drops the oldest token. */
  #evictOne(max: number, counts: (entry: Entry) => boolean): void {
    const counted = [...this.#entries].filter(([, entry]) => counts(entry));
    if (counted.length < max) return;
    const [victim] =
      counted.find(([, { streamClosedMs }]) => streamClosedMs !== undefined) ?? counted[0] ?? [];
    if (victim !== undefined) this.#entries.delete(victim);
  }
}

function hashOf(text: string): string {
  return sha256(text).toString('base64url');
}
