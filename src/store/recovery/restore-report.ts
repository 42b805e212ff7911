import { type Actor, actorText, readActor } from '../../shared/actor.js';
import { type Message, messageJson } from '../../shared/messages/message.js';
import { momentMessage } from '../../shared/messages/moment.js';
import type { RestoreReport } from '../../shared/ports/store.js';
import { storeMessage } from '../messages.js';
import { readReport, type StorePaths, writeDurably } from '../paths.js';

export interface RestoreRecord extends Omit<RestoreReport, 'by'> {
  /** Undefined if the gateway replaced a missing or damaged database. */
  by: Actor | undefined;
}

export function restoreReport({ name, at, by, kept }: RestoreRecord): RestoreReport {
  return { name, at, by: by ? actorText(by) : '', kept };
}

/** Replaces an earlier report, because one confirmation covers both restores. Throws file errors. */
export function recordRestored(paths: StorePaths, record: RestoreRecord): void {
  writeDurably(paths, paths.restored, `${messageJson(record)}\n`);
}

/** Returns the report that an administrator has not confirmed. An unreadable report also counts as a restore. */
export function readRestored({ restored }: StorePaths): RestoreRecord | undefined {
  const report = readReport(restored);
  if (!report) return undefined;
  const { name, at, by, kept } = report;
  return {
    name: typeof name === 'string' ? name : '',
    at: typeof at === 'number' ? at : 0,
    // Version 0.2 stored only the actor's name, which was empty if there was no actor.
    by: by ? readActor(by) : undefined,
    kept: typeof kept === 'string' ? kept : '',
  };
}

/**
 * Describes a restore, for example `Restored from cartwright-000012-….db on 2026-05-04 12:02 UTC, as requested by
 * anna.`
 */
export function restoredText({ name, at, by: person, kept }: RestoreRecord): Message {
  if (name === '') return storeMessage('restored-unknown');
  const when = momentMessage(at, 'minute');
  if (!person) return storeMessage('restored-damaged', { name, when });
  const by = actorText(person);
  if (kept === '') return storeMessage('restored', { name, when, by });
  return storeMessage('restored-kept', { name, when, by, aside: kept });
}
