import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../shared/errors.js';
import { writeFileAtomic } from '../shared/files.js';
import type { Log } from '../shared/ports/log.js';

/**
 * Number of sessions to keep. A crash loop starts one about every 10 s, and a broker publishes a last will within
 * minutes.
 */
const KEEP = 50;

/**
 * Adds the session to `sessions.json` and returns this gateway's earlier sessions, oldest first. Never rejects. Without
 * the file, a delayed message from an earlier session can look like a message from another gateway.
 */
export async function rememberSession(
  dataDir: string,
  sessionId: string,
  log: Log,
): Promise<ReadonlySet<string>> {
  const path = join(dataDir, 'sessions.json');
  const earlier = parse(await readFile(path, 'utf8').catch(() => '[]'));
  try {
    await writeFileAtomic(path, `${JSON.stringify([...earlier, sessionId].slice(-KEEP))}\n`);
  } catch (error) {
    log.warn('sessions.write_failed', { reason: messageOf(error) });
  }
  return new Set(earlier);
}

function parse(text: string): string[] {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.filter((entry): entry is string => typeof entry === 'string') : [];
  } catch {
    return [];
  }
}
