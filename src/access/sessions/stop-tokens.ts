import { randomBytes } from 'node:crypto';
import type { Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { AccessReads } from '../reads.js';
import type { Principal } from '../schema.js';
import { sha256 } from '../secrets.js';

/** A page whose stream has ended can stop for this much longer. */
export const STOP_GRACE_MS = 600_000;
/** As many as a user may have sessions. */
const MAX_PER_HOLDER = 50;
const MAX_TOKENS = 1000;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

type Holder = Extract<Principal, { kind: 'user' | 'key' }>;

interface Entry {
  holder: string;
  principal: Holder;
  /** The hash of the password when the token was issued. */
  phc: string | undefined;
  /** By the monotonic clock; undefined while the stream is open. */
  streamClosedMs: number | undefined;
}

/** The token of one stream. Its text is in memory only while the stream is being opened. */
export interface StopToken {
  text: string;
  /** To be called when the stream has ended. */
  close(): void;
}

interface StopTokensDeps {
  reads: AccessReads;
  clock: Clock;
  log: Log;
}

/**
 * Tokens that can stop carts and nothing else, one for each event stream and drive socket. A token outlives the expiry of its
 * session: while the stream is open, and for 10 minutes after. It ends at once when the session or key is revoked, the user
 * is disabled, or the password changes. Kept as SHA-256, and only in memory.
 */
export class StopTokens {
  readonly #deps: StopTokensDeps;
  /** By hash, oldest first. */
  readonly #entries = new Map<string, Entry>();

  constructor(deps: StopTokensDeps) {
    this.#deps = deps;
  }

  /** Undefined for a caller without a login, who has none to lose. */
  issue(principal: Principal): StopToken | undefined {
    if (principal.kind !== 'user' && principal.kind !== 'key') return undefined;
    const holder = principal.kind === 'user' ? `user ${principal.userId}` : `key ${principal.keyId}`;
    this.#makeRoom(holder);
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

  /** Whose token it is, from memory alone: the order of work follows from it, and no right. */
  holderOf(text: string): string | undefined {
    return this.#entry(text)?.holder;
  }

  /** Whose token it is, if it may stop carts now. */
  find(text: string): Holder | undefined {
    const entry = this.#entry(text);
    if (!entry) return undefined;
    if (this.#isGood(entry)) return entry.principal;
    this.#entries.delete(hashOf(text));
    return undefined;
  }

  /** For how long the token is good at least, ms; 0 when it is not. */
  leftMs(text: string): number {
    const entry = this.find(text) && this.#entry(text);
    return entry ? this.#leftMs(entry) : 0;
  }

  /** Records that a token was used in place of a session. */
  used({ kind, ...who }: Holder): void {
    const name = 'username' in who ? who.username : who.name;
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

  /** An expired session has a row for an hour; one that was ended has none. */
  #isGood({ principal, phc }: Entry): boolean {
    const { reads } = this.#deps;
    // No key has expired at the beginning of time: only a revoked one is missing.
    if (principal.kind === 'key') return reads.isGoodKey(principal.keyId, 0);
    return reads.session(principal.sessionId) !== undefined && reads.account(principal.userId)?.phc === phc;
  }

  #makeRoom(holder: string): void {
    for (const [hash, entry] of this.#entries) if (this.#leftMs(entry) === 0) this.#entries.delete(hash);
    this.#giveUpOne(MAX_PER_HOLDER, (entry) => entry.holder === holder);
    this.#giveUpOne(MAX_TOKENS, () => true);
  }

  /** The oldest one gives way, and before it the oldest whose stream has ended. */
  #giveUpOne(max: number, counts: (entry: Entry) => boolean): void {
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
