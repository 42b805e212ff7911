import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Counts the restores of a gateway's identity. If a gateway receives messages from its own cart with a higher
 * number, a restored gateway has replaced it.
 */
export const GENERATION_FILE = 'generation';

/** Returns 0 if the identity has never been restored, or if the file is unreadable. Never throws. */
export function readGeneration(dir: string): number {
  const path = join(dir, GENERATION_FILE);
  try {
    if (!existsSync(path)) return 0;
    const text = readFileSync(path, 'utf8').trim();
    return /^\d{1,9}$/.test(text) ? Number(text) : 0;
  } catch {
    return 0;
  }
}
