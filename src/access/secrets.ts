import { createHash, randomBytes, randomUUID } from 'node:crypto';

/** The two halves of a session as the cookie carries them. */
export interface SessionToken {
  /** The handle, a UUID: it may be shown and opens nothing. */
  id: string;
  secret: string;
}

const TOKEN = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([A-Za-z0-9_-]{43})$/;
const KEY = /^gk_([a-z0-9]{8})_[A-Za-z0-9_-]{43}$/;

export function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** A handle and 256 random bits. */
export function newToken(): SessionToken {
  return { id: randomUUID(), secret: randomBytes(32).toString('base64url') };
}

/** The text of a cookie. */
export function formatToken({ id, secret }: SessionToken): string {
  return `${id}.${secret}`;
}

/** Undefined for whatever is no session of ours. */
export function parseToken(text: string): SessionToken | undefined {
  const [, id, secret] = TOKEN.exec(text) ?? [];
  return id && secret ? { id, secret } : undefined;
}

/** Names a session on pages and in addresses; the handle cannot be computed from it. */
export function publicIdOf(handle: string): string {
  return sha256(handle).toString('hex').slice(0, 16);
}

/** `gk_<prefix>_<43 characters>`; the prefix tells keys apart and may be shown. */
export function newApiKey(): { key: string; prefix: string } {
  const prefix = randomBytes(5).toString('hex').slice(0, 8);
  return { key: `gk_${prefix}_${randomBytes(32).toString('base64url')}`, prefix };
}

/** Whether a text has the form of a key. */
export function isApiKey(text: string): boolean {
  return KEY.test(text);
}

/** 64 bits in groups that can be read out and typed: `1f3a-…`. */
export function newSetupCode(): string {
  return (randomBytes(8).toString('hex').match(/.{4}/g) ?? []).join('-');
}
