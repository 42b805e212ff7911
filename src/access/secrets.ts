import { createHash, randomBytes, randomUUID } from 'node:crypto';

export interface SessionToken {
  /** A UUID, not a credential. */
  id: string;
  secret: string;
}

const TOKEN = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([A-Za-z0-9_-]{43})$/;
const KEY = /^gk_([a-z0-9]{8})_[A-Za-z0-9_-]{43}$/;

export function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

export function newToken(): SessionToken {
  return { id: randomUUID(), secret: randomBytes(32).toString('base64url') };
}

export function formatToken({ id, secret }: SessionToken): string {
  return `${id}.${secret}`;
}

export function parseToken(text: string): SessionToken | undefined {
  const [, id, secret] = TOKEN.exec(text) ?? [];
  return id && secret ? { id, secret } : undefined;
}

/** Returns a session's identifier for pages and URLs, from which the handle cannot be derived. */
export function publicIdOf(handle: string): string {
  return sha256(handle).toString('hex').slice(0, 16);
}

/** Creates a key of the form `gk_<prefix>_<43 characters>`. The prefix is not secret. */
export function newApiKey(): { key: string; prefix: string } {
  const prefix = randomBytes(5).toString('hex').slice(0, 8);
  return { key: `gk_${prefix}_${randomBytes(32).toString('base64url')}`, prefix };
}

export function isApiKey(text: string): boolean {
  return KEY.test(text);
}

export function newSetupCode(): string {
  return (randomBytes(8).toString('hex').match(/.{4}/g) ?? []).join('-');
}
