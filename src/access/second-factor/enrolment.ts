import type { UserPrincipal } from '../../http/guard/authenticator.js';
import { GatewayError } from '../../shared/errors.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { Store } from '../../shared/ports/store.js';
import { checkerFor } from '../../shared/validation/validate.js';
import { accessMessage } from '../messages.js';
import type { AccessReads, Account } from '../reads.js';
import { type CodeInput, codeSchema, type OwnFactorInput, ownFactorSchema } from '../schema.js';
import type { Logins } from '../sessions/logins.js';
import { checked, usernameKey } from '../users/credential-checks.js';
import { asCurrentPasswordError } from '../users/users.js';
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

interface Pending {
  sessionId: string;
  secret: Buffer;
  text: TotpText;
  passwordPhc: string;
  replaces: Uint8Array | null;
  endsAt: number;
}

/**
 * Enables and disables a user's second factor. Each change requires the password and, if the user already has
 * a second factor, a code. A change ends the user's other sessions. Unconfirmed secrets are stored in memory,
 * one per user.
 */
export class TotpEnrolment {
  readonly #deps: EnrolmentDeps;
  readonly #pending = new Map<number, Pending>();

  constructor(deps: EnrolmentDeps) {
    this.#deps = deps;
  }

  /**
   * Creates a secret that the same session must confirm within 10 minutes; an existing factor stays valid
   * until then. Throws `INVALID_INPUT`, `INVALID_CREDENTIALS`, `TOTP_REQUIRED`, `TOTP_INVALID` or `RATE`.
   * @param from.host shown in the authenticator app.
   */
  async begin(caller: UserPrincipal, input: unknown, from: { ip: string; host: string }): Promise<TotpText> {
    const { store, factorReads, clock, log } = this.#deps;
    const { account, factor } = await this.#prove(caller, input, from.ip);
    const { userId, sessionId } = caller;
    if (factor) await store.write('access.useFactor', { userId, factor });
    const secret = newTotpSecret();
    const text = totpText(secret, `${caller.username}@${from.host}`);
    const replaces = factorReads.totp(userId)?.sealed ?? null;
    const endsAt = clock.now() + VALID_MS;
    this.#pending.set(userId, { sessionId, secret, text, passwordPhc: account.phc, replaces, endsAt });
    log.info('access.totp_enrolment_started', { userId, username: caller.username, ip: from.ip });
    return text;
  }

  pendingOf({ userId, sessionId }: UserPrincipal): TotpText | undefined {
    return this.#find(userId, sessionId)?.text;
  }

  /** Returns the recovery codes. Throws `TOTP_INVALID`, or `CONFLICT` if no secret is pending. */
  async confirm(caller: UserPrincipal, input: unknown, ip: string): Promise<string[]> {
    const { code } = checked(checkCode, input);
    const { userId, sessionId } = caller;
    const pending = this.#find(userId, sessionId);
    if (!pending) {
      throw new GatewayError('CONFLICT', accessMessage('no-factor-to-confirm'), {
        hint: accessMessage('start-again'),
      });
    }
    const { store, factor, key, clock, log } = this.#deps;
    const { secret, passwordPhc, replaces } = pending;
    const step = stepOf(secret, code.replace(/\s/g, ''), clock.wallTime());
    if (step === undefined) throw factor.incorrectCode();
    const codes = newRecoveryCodes();
    const change: EnableTotp = {
      userId,
      sealed: await key.seal(userId, secret),
      step,
      passwordPhc,
      replaces,
      codeHashes: codes.map(recoveryHash),
      keepSession: sessionId,
      now: clock.wallTime(),
    };
    await store.write('access.enableTotp', change);
    this.#pending.delete(userId);
    log.info('access.totp_enabled', { userId, username: caller.username, ip });
    return codes;
  }

  /** Throws the same errors as `begin`, and `NOT_FOUND` if the user has no second factor. */
  async renewCodes(caller: UserPrincipal, input: unknown, ip: string): Promise<string[]> {
    const { factor } = await this.#proveBoth(caller, input, ip);
    const { userId, sessionId } = caller;
    const codes = newRecoveryCodes();
    const codeHashes = codes.map(recoveryHash);
    const change: RenewCodes = { userId, factor, codeHashes, keepSession: sessionId };
    await this.#deps.store.write('access.renewRecoveryCodes', change);
    this.#deps.log.info('access.recovery_codes_renewed', { userId, username: caller.username, ip });
    return codes;
  }

  /** Throws the same errors as `begin`, and `NOT_FOUND` if the user has no second factor. */
  async remove(caller: UserPrincipal, input: unknown, ip: string): Promise<void> {
    const { factor } = await this.#proveBoth(caller, input, ip);
    const { userId, sessionId } = caller;
    const change: RemoveTotp = { userId, factor, keepSession: sessionId };
    await this.#deps.store.write('access.removeTotp', change);
    this.#deps.log.info('access.totp_removed', { userId, username: caller.username, ip });
  }

  /** Also ends the user's sessions. Throws `NOT_FOUND`, or `FORBIDDEN` for the caller's own factor. */
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

  async #proveBoth(caller: UserPrincipal, input: unknown, ip: string): Promise<{ factor: Factor }> {
    const { factor } = await this.#prove(caller, input, ip);
    if (!factor) throw new GatewayError('NOT_FOUND', accessMessage('no-factor'));
    return { factor };
  }

  async #prove(
    caller: UserPrincipal,
    input: unknown,
    ip: string,
  ): Promise<{ account: Account; factor: Factor | null }> {
    const { currentPassword, code } = checked(checkOwn, input);
    const { reads, logins, factor } = this.#deps;
    const account = reads.account(caller.userId);
    await logins
      .check(currentPassword, account, usernameKey(caller.username), ip)
      .catch(asCurrentPasswordError);
    if (!account) throw new GatewayError('NOT_FOUND', accessMessage('no-user'));
    return { account, factor: factor.check(caller.userId, code, ip) };
  }

  #find(userId: number, sessionId: string): Pending | undefined {
    const pending = this.#pending.get(userId);
    if (pending?.sessionId !== sessionId) return undefined;
    if (this.#deps.clock.now() < pending.endsAt) return pending;
    this.#pending.delete(userId);
    return undefined;
  }
}
