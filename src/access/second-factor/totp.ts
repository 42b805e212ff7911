import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

/** As every authenticator app has it, whatever the otpauth address says: SHA-1, 6 digits, 30 s. */
const PARAMETERS = { algorithm: 'SHA1', digits: 6, period: 30 };
/** Steps of clock difference that are tolerated, in both directions (RFC 6238 section 5.2). */
const WINDOW = 1;
/** RFC 4226 section 4, R6. */
const SECRET_BYTES = 20;

/** What an authenticator app needs, for people to scan or type. */
export interface TotpText {
  /** Base32. */
  secret: string;
  /** `otpauth://totp/…` */
  uri: string;
}

/** 160 random bits. */
export function newTotpSecret(): Buffer {
  return randomBytes(SECRET_BYTES);
}

/** @param account what the app lists the code as, beside `Cartwright`. */
export function totpText(secret: Uint8Array, account: string): TotpText {
  // A colon separates issuer and account in the address.
  const label = account.replaceAll(':', ' ');
  const totp = new TOTP({ ...PARAMETERS, issuer: 'Cartwright', label, secret: secretOf(secret) });
  return { secret: totp.secret.base32, uri: totp.toString() };
}

/** Whether a text has the form of a code. */
export function isTotpCode(text: string): boolean {
  return /^[0-9]{6}$/.test(text);
}

/** The time step that a code of six digits belongs to (RFC 6238); undefined for a code of no step within the tolerance. */
export function stepOf(secret: Uint8Array, code: string, wallMs: number): number | undefined {
  // The library throws for other texts of six characters.
  if (!isTotpCode(code)) return undefined;
  const totp = new TOTP({ ...PARAMETERS, secret: secretOf(secret) });
  const delta = totp.validate({ token: code, timestamp: wallMs, window: WINDOW });
  return delta === null ? undefined : totp.counter({ timestamp: wallMs }) + delta;
}

function secretOf(bytes: Uint8Array): Secret {
  return new Secret({ buffer: Uint8Array.from(bytes).buffer });
}
