import type { Message } from '../../shared/messages/message.js';
import { momentMessage } from '../../shared/messages/moment.js';
import type { RestoreReport } from '../../shared/ports/store.js';
import { storeMessage } from '../messages.js';
import { readReport, type StorePaths, writeDurably } from '../paths.js';

/** Replaces an earlier report, because one confirmation covers both restores. Throws file errors. */
export function recordRestored(paths: StorePaths, report: RestoreReport): void {
  writeDurably(paths, paths.restored, `${JSON.stringify(report)}\n`);
}

/** Returns the report that an administrator has not confirmed. An unreadable report is a restore too. */
export function readRestored({ restored }: StorePaths): RestoreReport | undefined {
  const report: Partial<RestoreReport> | undefined = readReport(restored);
  if (!report) return undefined;
  const { name, at, by, kept } = report;
  return {
    name: typeof name === 'string' ? name : '',
    at: typeof at === 'number' ? at : 0,
    by: typeof by === 'string' ? by : '',
    kept: typeof kept === 'string' ? kept : '',
  };
}

/** For example `Restored from cartwright-000012-….db on 2026-05-04 12:02 UTC, as requested by anna.` */
export function restoredText({ name, at, by, kept }: RestoreReport): Message {
  if (name === '') return storeMessage('restored-unknown');
  const when = momentMessage(at, 'minute');
  if (by === '') return storeMessage('restored-damaged', { name, when });
  if (kept === '') return storeMessage('restored', { name, when, by });
  return storeMessage('restored-kept', { name, when, by, aside: kept });
}
