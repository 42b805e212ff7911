import type { Actor } from '../../shared/actor.js';
import type { Text } from '../../shared/messages/message.js';
import type { Group } from '../contents.js';

/** A file or folder of the data directory that a restore replaces. */
export interface Replacement {
  /** Relative to the data directory. */
  path: string;
  /** True if the data directory contained the path before the restore. */
  existed: boolean;
  /** The folder that contains the new content; empty if the restored gateway has no such path. */
  from: 'staged' | 'prepared' | '';
}

/**
 * - `staged`: the verified files of the backup are in the data directory; nothing has been replaced.
 * - `switching`: some of the files may have been replaced.
 * - `trial`: all files have been replaced, and the gateway has not been ready for `TRIAL_MS`.
 * - `waiting`: the restored gateway works and waits for an administrator's confirmation.
 * - `confirmed`: the previous files are being deleted.
 * - `returning`: some of the previous files may have been put back.
 * - `returned`: the previous files are in use again.
 */
export type RestoreStep =
  | 'staged'
  | 'switching'
  | 'trial'
  | 'waiting'
  | 'confirmed'
  | 'returning'
  | 'returned';

/**
 * Why the previous state is used again: the restore failed or was interrupted repeatedly, the restored gateway did not
 * become ready, or an administrator requested the return.
 */
export type ReturnReason = 'failed' | 'interrupted' | 'not-ready' | 'requested';

export interface RestoreJournal {
  step: RestoreStep;
  /** Name of the backup. */
  name: string;
  by: Actor;
  /** Unix time in ms of the request. */
  at: number;
  /** The optional groups that the backup contains. */
  groups: readonly Group[];
  /** Known from `switching` on. */
  replacements: readonly Replacement[];
  /** The last revocation that the restored gateway started with. */
  lastRevocation: number;
  /** Number of starts of the current step since the gateway was last ready for `TRIAL_MS`. */
  starts: number;
  /** True if the history contains the current step. */
  isRecorded: boolean;
  reason?: ReturnReason;
  /** Description of the failure, or empty. */
  detail?: Text;
  returnedBy?: Actor;
}

type RestoreRequest = Pick<RestoreJournal, 'name' | 'by' | 'at' | 'groups'>;

/** How long the restored gateway must be ready without interruption before it can be confirmed. */
export const TRIAL_MS = 60_000;
/** After this many unsuccessful starts in a row, the gateway returns to the previous state. */
const MAX_STARTS = 2;

export function stagedJournal({ name, by, at, groups }: RestoreRequest): RestoreJournal {
  return {
    step: 'staged',
    name,
    by,
    at,
    groups,
    replacements: [],
    lastRevocation: 0,
    starts: 0,
    isRecorded: false,
  };
}

/** Counts a start of the gateway. The result must be durable before the start continues. */
export function countStart(journal: RestoreJournal): RestoreJournal {
  const { step, starts } = journal;
  if (step !== 'staged' && step !== 'trial') return journal;
  if (starts < MAX_STARTS) return { ...journal, starts: starts + 1 };
  if (step === 'staged') return returned({ ...journal, reason: 'interrupted' });
  return returning(journal, 'not-ready');
}

/** What must be done before the gateway opens its files. */
export type RestoreTask = 'prepare' | 'switch' | 'return' | 'clean' | 'none';

export function taskOf({ step }: RestoreJournal): RestoreTask {
  switch (step) {
    case 'staged':
      return 'prepare';
    case 'switching':
      return 'switch';
    case 'returning':
      return 'return';
    case 'confirmed':
    case 'returned':
      return 'clean';
    default:
      return 'none';
  }
}

export function switching(
  journal: RestoreJournal,
  plan: Pick<RestoreJournal, 'replacements' | 'lastRevocation'>,
): RestoreJournal {
  const { replacements, lastRevocation } = plan;
  return { ...journal, step: 'switching', replacements, lastRevocation };
}

/** The start that replaces the files is the first start of the trial. */
export function onTrial(journal: RestoreJournal): RestoreJournal {
  return { ...journal, step: 'trial', starts: 1, isRecorded: false };
}

export function waiting(journal: RestoreJournal): RestoreJournal {
  return { ...journal, step: 'waiting', starts: 0 };
}

export function confirmed(journal: RestoreJournal): RestoreJournal {
  return { ...journal, step: 'confirmed' };
}

export function returning(journal: RestoreJournal, reason: ReturnReason, detail: Text = ''): RestoreJournal {
  return { ...journal, step: 'returning', reason, detail };
}

export function returned(journal: RestoreJournal): RestoreJournal {
  return { ...journal, step: 'returned', isRecorded: false };
}

/** Returns the journal of a failed restore. Before `switching`, nothing has been replaced. */
export function failed(journal: RestoreJournal, detail: Text): RestoreJournal {
  const next = returning(journal, 'failed', detail);
  return journal.step === 'staged' ? returned(next) : next;
}

/** Returns true from the request until the restore is confirmed or undone. */
export function isOpen({ step }: RestoreJournal): boolean {
  return step !== 'confirmed' && step !== 'returned';
}
