import { randomInt } from 'node:crypto';
import { sha256 } from '../secrets.js';

const COUNT = 10;
/** Crockford's base32: no letter that looks like a digit, and no U. */
const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz';
const GROUPS = 6;
const GROUP_LETTERS = 4;

/** Ten codes of 120 random bits each, in groups that can be typed: `1f3a-…`. A plain hash is enough for them. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: COUNT }, () => Array.from({ length: GROUPS }, newGroup).join('-'));
}

/** SHA-256 of a code as it was typed: case, spaces, hyphens and letters that look like a digit make no difference. */
export function recoveryHash(code: string): Buffer {
  const typed = code.toLowerCase().replace(/[\s-]/g, '').replaceAll('o', '0').replace(/[il]/g, '1');
  return sha256(typed);
}

function newGroup(): string {
  return Array.from({ length: GROUP_LETTERS }, () => LETTERS[randomInt(LETTERS.length)]).join('');
}
