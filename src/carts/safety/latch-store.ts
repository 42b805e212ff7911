import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileErrorCode, writeFileAtomic } from '../../shared/files.js';
import { safetyMessage, stopCause } from './messages.js';
import { withPressId } from './press-id.js';
import { type Latch, UNLATCHED } from './safety.js';

export interface LatchStore {
  load(): Promise<Latch>;
  save(latch: Latch): Promise<void>;
}

/**
 * If `estop.json` cannot be read, the E-stop is treated as latched. If the disk is full, `onFull` frees space
 * for one retry.
 */
export function latchFile(dir: string, onFull: () => Promise<void>): LatchStore {
  const path = join(dir, 'estop.json');
  return {
    async load() {
      try {
        return parse(await readFile(path, 'utf8'));
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return UNLATCHED;
        return { kind: 'REMOTE', by: safetyMessage('latch-unreadable'), at: new Date().toISOString() };
      }
    },
    async save(latch) {
      const write = () => writeFileAtomic(path, `${JSON.stringify(latch)}\n`);
      try {
        await write();
      } catch (error) {
        if (fileErrorCode(error) !== 'ENOSPC') throw error;
        await onFull();
        await write();
      }
    },
  };
}

function parse(text: string): Latch {
  const { kind, by, at, pressId } = JSON.parse(text) as Partial<Record<keyof Latch, string>>;
  const known = kind === 'NONE' || kind === 'MANUAL' || kind === 'REMOTE';
  if (!known || typeof by !== 'string' || typeof at !== 'string') throw new Error('not a latch');
  return withPressId({ kind, by: stopCause(by), at }, pressId);
}

export const memoryLatch = (): LatchStore => ({ load: async () => UNLATCHED, save: async () => undefined });
