import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

/** scrypt parameters: memory is 128 * 2^ln * r bytes, time is proportional to 2^ln * r * p. */
export interface HashCost {
  ln: number;
  r: number;
  p: number;
}

/** Parameters recommended by OWASP; a hash takes 16 MiB and about 0.17 s on two desktop cores. */
export const HASH_COST: Readonly<HashCost> = { ln: 14, r: 8, p: 5 };

const SALT_BYTES = 16;
const HASH_BYTES = 32;
const MAX_MEMORY = 64 * 1024 * 1024;
const PHC = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$/;

/** Hashes a password off the main thread. Returns `$scrypt$ln=14,r=8,p=5$<salt>$<hash>`. */
export async function hashPassword(password: string, cost: HashCost = HASH_COST): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, salt, cost);
  return phcOf(cost, salt, hash);
}

/** Creates a hash that no password matches; checking it takes as long as checking any other hash. */
export function dummyHash(cost: HashCost = HASH_COST): string {
  return phcOf(cost, randomBytes(SALT_BYTES), randomBytes(HASH_BYTES));
}

/** Rejects if `phc` does not have the format that `hashPassword` returns. */
export async function verifyPassword(password: string, phc: string): Promise<boolean> {
  const [, ln, r, p, salt = '', hash = ''] = PHC.exec(phc) ?? [];
  if (!hash) throw new Error('a stored password hash has an invalid format');
  const cost = { ln: Number(ln), r: Number(r), p: Number(p) };
  const actual = await derive(password, Buffer.from(salt, 'base64'), cost);
  return timingSafeEqual(actual, Buffer.from(hash, 'base64'));
}

export function isOutdated(phc: string, { ln, r, p }: HashCost = HASH_COST): boolean {
  return !phc.startsWith(`$scrypt$ln=${ln},r=${r},p=${p}$`);
}

function derive(password: string, salt: Uint8Array, { ln, r, p }: HashCost): Promise<Buffer> {
  const options = { N: 2 ** ln, r, p, maxmem: MAX_MEMORY };
  return new Promise((resolve, reject) => {
    // NFKC, because different systems produce different code points for the same keystrokes.
    scrypt(password.normalize('NFKC'), salt, HASH_BYTES, options, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}

function phcOf({ ln, r, p }: HashCost, salt: Buffer, hash: Buffer): string {
  return `$scrypt$ln=${ln},r=${r},p=${p}$${base64(salt)}$${base64(hash)}`;
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
