import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { SessionToken } from '../http/guard/authenticator.js';

export function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

export function newToken(): SessionToken {
  return { id: randomUUID(), secret: randomBytes(32).toString('base64url') };
}

export function formatToken({ id, secret }: SessionToken): string {
  return `${id}.${secret}`;
}

/** Returns a session's identifier for pages and URLs, which does not reveal the handle. */
export function publicIdOf(handle: string): string {
  return sha256(handle).toString('hex').slice(0, 16);
}

/** Creates a key of the form `gk_<prefix>_<43 characters>`. The prefix is not secret. */
export function newApiKey(): { key: string; prefix: string } {
  const prefix = randomBytes(5).toString('hex').slice(0, 8);
  return { key: `gk_${prefix}_${randomBytes(32).toString('base64url')}`, prefix };
}

export const SETUP_CODE = /^[\da-f]{4}(-[\da-f]{4}){3}$/;

export function newSetupCode(): string {
  return (randomBytes(8).toString('hex').match(/.{4}/g) ?? []).join('-');
}
