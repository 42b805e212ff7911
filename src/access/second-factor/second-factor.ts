import { ipPrefixOf } from '../../shared/addresses.js';
import { GatewayError } from '../../shared/errors.js';
import { momentMessage } from '../../shared/messages/moment.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import { AttemptLimit } from '../attempt-limit.js';
import { accessMessage } from '../messages.js';
import type { TotpKey } from './key.js';
import type { SecondFactorReads, TotpRow } from './reads.js';
import { recoveryHash } from './recovery-codes.js';
import { isTotpCode, stepOf } from './totp.js';
import type { Factor } from './writes.js';

const QUARTER_MS = 15 * 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

interface SecondFactorDeps {
  reads: SecondFactorReads;
  key: TotpKey;
  clock: Clock;
  log: Log;
}

export interface SecondFactorState {
  totp: boolean;
  recoveryCodesLeft: number;
}

/**
 * Checks the code that follows the password: six digits or a recovery code. Attempts with incorrect codes are
 * limited per user and address. Attempts with six-digit codes are also limited per user, because such codes
 * can be guessed from many addresses. Attempts with recovery codes have no limit per user, so that an
 * attacker cannot lock the user out.
 */
export class SecondFactor {
  readonly #deps: SecondFactorDeps;
  readonly #byPair: AttemptLimit;
  readonly #byUser: AttemptLimit;

  constructor(deps: SecondFactorDeps) {
    this.#deps = deps;
    const { clock } = deps;
    const limit = { maxAttempts: 5, blockMs: QUARTER_MS, clock };
    this.#byPair = new AttemptLimit({ ...limit, windowMs: QUARTER_MS, maxBlockMs: HOUR_MS });
    // The window is a day, because with a window of 15 minutes, a patient client could try 480 codes a day without
    // being blocked.
    this.#byUser = new AttemptLimit({ ...limit, windowMs: DAY_MS, maxBlockMs: DAY_MS });
  }

  isOn(userId: number): boolean {
    return this.#deps.reads.totp(userId) !== undefined;
  }

  stateOf(userId: number): SecondFactorState {
    const { reads } = this.#deps;
    return { totp: this.isOn(userId), recoveryCodesLeft: reads.recoveryCodesLeft(userId) };
  }

  /**
   * Returns the verified second factor, or null if the user has none. The transaction that relies on the
   * factor must consume it. Throws `TOTP_REQUIRED` if the code is missing, `TOTP_INVALID` if it is incorrect
   * or already used, or `RATE`.
   */
  check(userId: number, code: string | undefined, ip: string): Factor | null {
    const row = this.#deps.reads.totp(userId);
    if (!row) return null;
    const typed = code?.replace(/\s/g, '');
    if (!typed) throw new TotpRequired();
    const pair = `${ipPrefixOf(ip)} ${userId}`;
    this.#byPair.take(pair);
    const factor = isTotpCode(typed)
      ? this.#totpFactor(userId, row, typed)
      : this.#recoveryFactor(userId, typed);
    if (!factor) {
      this.#deps.log.warn('access.code_rejected', { userId, ip });
      throw this.incorrectCode();
    }
    this.#byPair.forget(pair);
    return factor;
  }

  #totpFactor(userId: number, { sealed, lastStep }: TotpRow, code: string): Factor | undefined {
    const { key, clock, log } = this.#deps;
    this.#takeGuess(userId);
    const secret = key.open(userId, sealed);
    if (!secret) log.error('access.totp_decrypt_failed', { userId });
    const step = secret && stepOf(secret, code, clock.wallTime());
    if (step === undefined || step <= lastStep) return undefined;
    this.#byUser.refund(`${userId}`);
    return { kind: 'totp', sealed, step };
  }

  #recoveryFactor(userId: number, code: string): Factor | undefined {
    const codeHash = recoveryHash(code);
    return this.#deps.reads.hasRecoveryCode(userId, codeHash) ? { kind: 'recovery', codeHash } : undefined;
  }

  #takeGuess(userId: number): void {
    try {
      this.#byUser.take(`${userId}`);
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      throw new GatewayError(error.code, accessMessage('too-many-codes'), {
        ...error.info,
        hint: accessMessage('too-many-codes-hint'),
      });
    }
  }

  /**
   * Returns the error for an incorrect code. Its hint contains the gateway's time, which may be wrong, because a
   * Raspberry Pi has no clock battery.
   */
  incorrectCode(): GatewayError {
    const time = momentMessage(this.#deps.clock.wallTime(), 'second');
    return new GatewayError('TOTP_INVALID', accessMessage('code-wrong'), {
      field: 'code',
      hint: accessMessage('clock-hint', { time }),
    });
  }
}

export class TotpRequired extends GatewayError {
  /** Token for a browser's second login step; empty if the client can repeat the request with a code. */
  readonly login: string;

  constructor(login = '') {
    super('TOTP_REQUIRED', accessMessage('code-needed'), {
      field: 'code',
      hint: accessMessage('code-needed-hint'),
    });
    this.login = login;
  }
}
