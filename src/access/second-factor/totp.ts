import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

/** The only values that all authenticator apps support. Many apps use them regardless of the otpauth URI. */
const PARAMETERS = { algorithm: 'SHA1', digits: 6, period: 30 };
/** Tolerated clock difference in steps, in either direction (RFC 6238 section 5.2). */
const WINDOW = 1;
/** Secret length recommended by RFC 4226 section 4, R6. */
const SECRET_BYTES = 20;

export interface TotpText {
  /** The secret in Base32. */
  secret: string;
  /** `otpauth://totp/…` */
  uri: string;
}

export function newTotpSecret(): Buffer {
  return randomBytes(SECRET_BYTES);
}

/** @param account shown in the app beside `Cartwright`. */
export function totpText(secret: Uint8Array, account: string): TotpText {
  // In the URI, a colon separates the issuer from the account.
  const label = account.replaceAll(':', ' ');
  const totp = new TOTP({ ...PARAMETERS, issuer: 'Cartwright', label, secret: secretOf(secret) });
  return { secret: totp.secret.base32, uri: totp.toString() };
}

export function isTotpCode(text: string): boolean {
  return /^[0-9]{6}$/.test(text);
}

/** Returns the time step of a code (RFC 6238); undefined if no step within the tolerance matches. */
export function stepOf(secret: Uint8Array, code: string, wallMs: number): number | undefined {
  // Checked first, because the library throws if a code contains a character that is not a digit.
  if (!isTotpCode(code)) return undefined;
  const totp = new TOTP({ ...PARAMETERS, secret: secretOf(secret) });
  const delta = totp.validate({ token: code, timestamp: wallMs, window: WINDOW });
  return delta === null ? undefined : totp.counter({ timestamp: wallMs }) + delta;
}

function secretOf(bytes: Uint8Array): Secret {
  return new Secret({ buffer: Uint8Array.from(bytes).buffer });
}
