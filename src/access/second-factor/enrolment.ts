import { GatewayError } from '../../shared/errors.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { Store } from '../../shared/ports/store.js';
import { checkerFor } from '../../shared/validation/validate.js';
import { accessMessage } from '../messages.js';
import type { AccessReads, Account } from '../reads.js';
import { type CodeInput, codeSchema, type OwnFactorInput, ownFactorSchema } from '../schema.js';
import type { Logins } from '../sessions/logins.js';
import type { UserPrincipal } from '../sessions/sessions.js';
import { checked, usernameKey } from '../users/check.js';
import { aboutThePassword } from '../users/users.js';
import type { TotpKey } from './key.js';
import type { SecondFactorReads } from './reads.js';
import { newRecoveryCodes, recoveryHash } from './recovery-codes.js';
import type { SecondFactor } from './second-factor.js';
import { newTotpSecret, stepOf, type TotpText, totpText } from './totp.js';
import type { EnableTotp, Factor, RemoveTotp, RenewCodes } from './writes.js';

const VALID_MS = 10 * 60_000;
const checkOwn = checkerFor<OwnFactorInput>(ownFactorSchema);
const checkCode = checkerFor<CodeInput>(codeSchema);

interface EnrolmentDeps {
  store: Store;
  reads: AccessReads;
  factorReads: SecondFactorReads;
  factor: SecondFactor;
  logins: Logins;
  key: TotpKey;
  clock: Clock;
  log: Log;
}

/** A secret that is shown and not yet confirmed. */
interface Pending {
  sessionId: string;
  secret: Buffer;
  text: TotpText;
  passwordPhc: string;
  replaces: Uint8Array | null;
  endsAt: number;
}

/**
 * Turns the second factor of a user on and off. Each change needs the password and, when there is one, the second factor;
 * it ends all other sessions of the user. An unconfirmed secret is in memory only, one per user.
 */
export class TotpEnrolment {
  readonly #deps: EnrolmentDeps;
  readonly #pending = new Map<number, Pending>();

  constructor(deps: EnrolmentDeps) {
    this.#deps = deps;
  }

  /**
   * Makes a secret, to be confirmed by this session within 10 minutes. An existing second factor stays until then.
   * Throws `INVALID_INPUT`, `INVALID_CREDENTIALS`, `TOTP_REQUIRED`, `TOTP_INVALID`, `RATE`.
   * @param host name of the gateway, for the list of the app.
   */
  async begin(who: UserPrincipal, input: unknown, from: { ip: string; host: string }): Promise<TotpText> {
    const { store, factorReads, clock, log } = this.#deps;
    const { account, factor } = await this.#prove(who, input, from.ip);
    const { userId, sessionId } = who;
    if (factor) await store.write('access.useFactor', { userId, factor });
    const secret = newTotpSecret();
    const text = totpText(secret, `${who.username}@${from.host}`);
    const replaces = factorReads.totp(userId)?.sealed ?? null;
    const endsAt = clock.now() + VALID_MS;
    this.#pending.set(userId, { sessionId, secret, text, passwordPhc: account.phc, replaces, endsAt });
    log.info('access.totp_begun', { userId, ip: from.ip });
    return text;
  }

  /** The secret that waits to be confirmed by this session. */
  pendingOf({ userId, sessionId }: UserPrincipal): TotpText | undefined {
    return this.#find(userId, sessionId)?.text;
  }

  /**
   * Turns the second factor on with a code of the new secret. Returns the recovery codes. Throws `TOTP_INVALID`, and
   * `CONFLICT` when nothing waits to be confirmed.
   */
  async confirm(who: UserPrincipal, input: unknown, ip: string): Promise<string[]> {
    const { code } = checked(checkCode, input);
    const { userId, sessionId } = who;
    const pending = this.#find(userId, sessionId);
    if (!pending) {
      throw new GatewayError('CONFLICT', accessMessage('no-factor-to-confirm'), {
        hint: accessMessage('start-again'),
      });
    }
    const { store, factor, key, clock, log } = this.#deps;
    const { secret, passwordPhc, replaces } = pending;
    const step = stepOf(secret, code.replace(/\s/g, ''), clock.wallTime());
    if (step === undefined) throw factor.wrongCode();
    const codes = newRecoveryCodes();
    const change: EnableTotp = {
      ...{ userId, sealed: await key.seal(userId, secret), step, passwordPhc, replaces },
      ...{ codeHashes: codes.map(recoveryHash), keepSession: sessionId, now: clock.wallTime() },
    };
    await store.write('access.enableTotp', change);
    this.#pending.delete(userId);
    log.info('access.totp_enabled', { userId, ip });
    return codes;
  }

  /** New recovery codes in place of the old ones. Throws as `begin`, and `NOT_FOUND`. */
  async renewCodes(who: UserPrincipal, input: unknown, ip: string): Promise<string[]> {
    const { factor } = await this.#proveBoth(who, input, ip);
    const { userId, sessionId } = who;
    const codes = newRecoveryCodes();
    const codeHashes = codes.map(recoveryHash);
    const change: RenewCodes = { userId, factor, codeHashes, keepSession: sessionId };
    await this.#deps.store.write('access.renewRecoveryCodes', change);
    this.#deps.log.info('access.recovery_codes_renewed', { userId, ip });
    return codes;
  }

  /** Throws as `begin`, and `NOT_FOUND`. */
  async remove(who: UserPrincipal, input: unknown, ip: string): Promise<void> {
    const { factor } = await this.#proveBoth(who, input, ip);
    const { userId, sessionId } = who;
    const change: RemoveTotp = { userId, factor, keepSession: sessionId };
    await this.#deps.store.write('access.removeTotp', change);
    this.#deps.log.info('access.totp_removed', { userId, ip });
  }

  /** Removes the second factor of another user, whose sessions end. Throws `NOT_FOUND`, and `FORBIDDEN` for the own one. */
  async reset(userId: number, admin: UserPrincipal): Promise<void> {
    if (userId === admin.userId) {
      throw new GatewayError('FORBIDDEN', accessMessage('own-factor'), {
        hint: accessMessage('own-factor-hint'),
      });
    }
    const change: RemoveTotp = { userId };
    await this.#deps.store.write('access.removeTotp', change);
    this.#deps.log.info('access.totp_reset', { userId, by: admin.username });
  }

  async #proveBoth(who: UserPrincipal, input: unknown, ip: string): Promise<{ factor: Factor }> {
    const { factor } = await this.#prove(who, input, ip);
    if (!factor) throw new GatewayError('NOT_FOUND', accessMessage('no-factor'));
    return { factor };
  }

  /** Checks the password and the code of the second factor, if there is one. */
  async #prove(
    who: UserPrincipal,
    input: unknown,
    ip: string,
  ): Promise<{ account: Account; factor: Factor | null }> {
    const { currentPassword, code } = checked(checkOwn, input);
    const { reads, logins, factor } = this.#deps;
    const account = reads.account(who.userId);
    await logins.check(currentPassword, account, usernameKey(who.username), ip).catch(aboutThePassword);
    if (!account) throw new GatewayError('NOT_FOUND', 'there is no such user');
    return { account, factor: factor.check(who.userId, code, ip) };
  }

  #find(userId: number, sessionId: string): Pending | undefined {
    const pending = this.#pending.get(userId);
    if (pending?.sessionId !== sessionId) return undefined;
    if (this.#deps.clock.now() < pending.endsAt) return pending;
    this.#pending.delete(userId);
    return undefined;
  }
}
