import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { actorName, actorOf, conditionActor, isActor } from '../../shared/actor.js';
import { fileErrorCode, writeFileAtomic } from '../../shared/files.js';
import { messageJson, parseMessageJson, type Text } from '../../shared/messages/message.js';
import type { EmergencyStop } from '../command/model.js';
import { safetyMessage, stopCause } from './messages.js';
import { withPressId } from './press-id.js';
import { type Latch, UNLATCHED } from './refusals.js';

export interface LatchStore {
  load(): Promise<Latch>;
  save(latch: Latch): Promise<void>;
}

interface LatchFileDeps {
  /** Frees disk space. Called if the disk is full, before the write is retried once. */
  onFull: () => Promise<void>;
  /** Returns the state of the latch according to other records; used if the file is missing. May throw. */
  recorded: () => EmergencyStop;
  /** True if the data directory was restored from a backup, which contains no latched stop. */
  isRestored: boolean;
}

/**
 * Stores the latch in `estop.json`. If the file is unreadable, or is missing although a stop was latched, the stop
 * counts as latched.
 */
export function latchFile(dir: string, { onFull, recorded, isRestored }: LatchFileDeps): LatchStore {
  const path = join(dir, 'estop.json');
  const save = async (latch: Latch): Promise<void> => {
    const write = () => writeFileAtomic(path, `${fileText(latch)}\n`);
    try {
      await write();
    } catch (error) {
      if (!['ENOSPC', 'EDQUOT'].includes(fileErrorCode(error))) throw error;
      await onFull();
      await write();
    }
  };
  const latchedNow = (kind: Latch['kind'], cause: Text): Latch => ({
    kind,
    by: conditionActor('input', cause),
    at: new Date().toISOString(),
  });
  const missing = async (): Promise<Latch> => {
    const kind = stateOf(recorded);
    if (kind === 'NONE') return UNLATCHED;
    const latch = latchedNow(kind, safetyMessage(isRestored ? 'latch-restored' : 'latch-missing'));
    // The latch is saved, because at the next start the records may no longer show that the file was lost.
    await save(latch).catch(() => undefined);
    return latch;
  };
  return {
    async load() {
      try {
        return parse(await readFile(path, 'utf8'));
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return missing();
        return latchedNow('REMOTE', safetyMessage('latch-unreadable'));
      }
    },
    save,
  };
}

/** Returns `REMOTE`, which can be reset on the pages, if the records cannot be read. */
function stateOf(recorded: () => EmergencyStop): EmergencyStop {
  try {
    return recorded();
  } catch {
    return 'REMOTE';
  }
}

/** `by` is the actor's name, which earlier versions require. */
function fileText({ kind, by, at, pressId }: Latch): string {
  return messageJson({ kind, by: actorName(by), at, pressId, actor: by });
}

function parse(text: string): Latch {
  const { kind, by, at, pressId, actor } = parseMessageJson(text) as Record<string, unknown>;
  const known = kind === 'NONE' || kind === 'MANUAL' || kind === 'REMOTE';
  if (!known || typeof by !== 'string' || typeof at !== 'string')
    throw new Error('the file is not a latch record');
  // Earlier versions stored only the actor's name.
  return withPressId({ kind, by: isActor(actor) ? actor : actorOf(stopCause(by)), at }, pressId);
}

export const memoryLatch = (): LatchStore => ({ load: async () => UNLATCHED, save: async () => undefined });
