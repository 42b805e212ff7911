import type { ReadDatabase, Statement } from '../../shared/ports/database.js';

export interface TotpRow {
  sealed: Uint8Array;
  lastStep: number;
}

export class SecondFactorReads {
  readonly #totp: Statement<TotpRow>;
  readonly #hasCode: Statement<unknown>;
  readonly #codesLeft: Statement<{ left: number }>;

  constructor(db: ReadDatabase) {
    this.#totp = db.prepare('SELECT sealed, last_step AS lastStep FROM totp WHERE user_id = @userId');
    this.#hasCode = db.prepare(
      'SELECT 1 FROM recovery_codes WHERE user_id = @userId AND code_hash = @codeHash',
    );
    this.#codesLeft = db.prepare('SELECT count(*) AS left FROM recovery_codes WHERE user_id = @userId');
  }

  totp(userId: number): TotpRow | undefined {
    return this.#totp.get({ userId });
  }

  hasRecoveryCode(userId: number, codeHash: Uint8Array): boolean {
    return this.#hasCode.get({ userId, codeHash }) !== undefined;
  }

  recoveryCodesLeft(userId: number): number {
    return this.#codesLeft.get({ userId })?.left ?? 0;
  }
}
