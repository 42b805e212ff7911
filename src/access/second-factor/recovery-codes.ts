import { randomInt } from 'node:crypto';
import { sha256 } from '../secrets.js';

const COUNT = 10;
/** Crockford's base32, which omits U and the letters that resemble digits. */
const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz';
const GROUPS = 6;
const GROUP_LETTERS = 4;

/** Ten codes of 120 random bits, such as `1f3a-…`. Codes of this length do not need a slow hash. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: COUNT }, () => Array.from({ length: GROUPS }, newGroup).join('-'));
}

/** Hashes an entered code with SHA-256. Ignores case, spaces and hyphens; reads O as 0, and I and L as 1. */
export function recoveryHash(code: string): Buffer {
  const typed = code.toLowerCase().replace(/[\s-]/g, '').replaceAll('o', '0').replace(/[il]/g, '1');
  return sha256(typed);
}

function newGroup(): string {
  return Array.from({ length: GROUP_LETTERS }, () => LETTERS[randomInt(LETTERS.length)]).join('');
}
