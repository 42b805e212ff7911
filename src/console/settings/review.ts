import { randomBytes } from 'node:crypto';
import { momentText, shownCount } from '../../i18n/format.js';
import { localNumber } from '../../i18n/language.js';
import { actorLabel } from '../../i18n/messages.js';
import { settingText, t } from '../../i18n/page-text.js';
import {
  NOT_CONFIRMED,
  PROGRAM,
  type Preview,
  RESTART,
  type Since,
  settingsMessage,
  type ValueChange,
  type VersionEntry,
  type Why,
} from '../../settings/index.js';
import { type Actor, isSameActor } from '../../shared/actor.js';
import { GatewayError } from '../../shared/errors.js';
import type { Text } from '../../shared/messages/message.js';
import type { FormSchema } from './fields.js';
import { valueText } from './value-text.js';

interface ChangeRow {
  /** For example `MQTT broker`. */
  section: string;
  label: string;
  from: string;
  to: string;
  apply: string;
  /** When the change takes effect; empty if it takes effect immediately. */
  mark: string;
  /** Names the value that the form showed if the value was changed elsewhere since; otherwise, empty. */
  conflict: string;
}

export interface Review {
  proposal: string;
  title: Text;
  rows: ChangeRow[];
  /** Time within which a risky change must be confirmed, in seconds; 0 if no confirmation is required. */
  trialS: number;
  /** True if the change only tightens limits, which requires no confirmation. */
  isStricter: boolean;
  /** Set if the default speed is above the maximum speed; otherwise, empty. */
  speedNote: string;
  needsIdle: boolean;
  needsRestart: boolean;
  /** Set if the settings have changed since the form was opened. */
  stale: { tone: 'stop' | ''; message: string } | null;
  fromForm: boolean;
}

export function markOf(apply: string | undefined): string {
  if (apply === 'idle') return t('Cart must be stationary');
  return apply === 'restart' ? t('Takes effect after a restart') : '';
}

/** @param elsewhere the changes that were saved since the form was opened. */
export function changeRows(
  schema: FormSchema,
  changes: Preview['changes'],
  elsewhere: readonly ValueChange[] = [],
): ChangeRow[] {
  return changes.map((change) => rowOf(schema, change, conflictOf(change, elsewhere)));
}

/** Returns the change of the same value, of a value that contains it or of a part of it. */
export function conflictOf(
  { pointer }: Pick<ValueChange, 'pointer'>,
  elsewhere: readonly ValueChange[],
): ValueChange | undefined {
  const own = `${pointer}/`;
  return elsewhere.find((other) => own.startsWith(`${other.pointer}/`) || other.pointer.startsWith(own));
}

/** Describes how the settings have changed since the form was opened; null if they have not. */
export function staleText(rows: readonly ChangeRow[], since: Since | undefined): Review['stale'] {
  if (!since) {
    return { tone: 'stop', message: t('Check every line: saving may overwrite the newer settings.') };
  }
  if (rows.some(({ conflict }) => conflict !== '')) {
    const message = t(
      'Check the marked lines: saving replaces the newer values. All other settings keep their new values.',
    );
    return { tone: 'stop', message };
  }
  if (since.changes.length === 0) return null;
  return { tone: '', message: t('The settings that you have not changed keep their new values.') };
}

function rowOf(root: FormSchema, { keys, from, to }: ValueChange, other?: ValueChange): ChangeRow {
  const titles: string[] = [];
  let schema: FormSchema | undefined = root;
  let apply = '';
  for (const key of keys) {
    schema = schema?.properties?.[key];
    titles.push(schema?.title ? settingText(schema.title) : key);
    apply = schema?.apply ?? apply;
  }
  const [section = '', ...label] = titles;
  return {
    section,
    label: label.join(', '),
    from: valueText(from, schema),
    to: valueText(to, schema),
    apply,
    mark: markOf(apply),
    conflict: other ? t('Also changed elsewhere, previously {0}', valueText(other.from, schema)) : '',
  };
}

/** Returns the name of a person, or why the gateway itself changed the settings. */
function authorText(by: Actor): string {
  if (isSameActor(by, NOT_CONFIRMED)) return t('not confirmed in time');
  if (isSameActor(by, RESTART)) return t('gateway restarted');
  return isSameActor(by, PROGRAM) ? t('a program') : actorLabel(by);
}

const reasonTexts = (): Record<Why, string> => ({
  start: t('loaded at startup'),
  save: t('saved'),
  import: t('imported'),
  restore: t('earlier version restored'),
  rollback: t('rolled back'),
  'hand-edit': t('file edited'),
});

interface VersionRow {
  version: number;
  at: string;
  /** In the form `2026-05-04 14:02:11 UTC`. */
  when: string;
  by: string;
  why: string;
  rows: ChangeRow[];
  /** The version's first changes, with shortened values. */
  shown: Pick<ChangeRow, 'label' | 'from' | 'to'>[];
  /** `and 3 more changes`; empty if `shown` contains all changes. */
  more: string;
  isNow: boolean;
}

/** The list of versions shows at most this many changes per version and characters per value. */
const MAX_SHOWN = 2;
/** Changes that the band about a trial names. */
const MAX_NAMED = 3;
const MAX_VALUE_CHARS = 40;

function shortened(value: string): string {
  return value.length > MAX_VALUE_CHARS ? `${value.slice(0, MAX_VALUE_CHARS - 1)}…` : value;
}

export function versionRows(schema: FormSchema, versions: readonly VersionEntry[]): VersionRow[] {
  return versions.map(({ version, atMs, by, why, changes }, index) => {
    const rows = changeRows(schema, [...changes]);
    const shown = shownCount(rows.length, MAX_SHOWN);
    const left = rows.length - shown;
    return {
      version,
      at: new Date(atMs).toISOString(),
      when: momentText(atMs),
      by: authorText(by),
      why: reasonTexts()[why],
      rows,
      shown: rows.slice(0, shown).map(({ label, section, from, to }) => ({
        label: label || section,
        from: shortened(from),
        to: shortened(to),
      })),
      more: left === 0 ? '' : t('and {0} more changes', left),
      isNow: index === 0,
    };
  });
}

/** For example `Maximum speed: 300 mm/s → 400 mm/s`; names at most three changes. */
export function changesText(schema: FormSchema, changes: readonly ValueChange[]): string {
  const rows = changeRows(schema, [...changes]);
  const shown = shownCount(rows.length, MAX_NAMED);
  const left = rows.length - shown;
  const texts = rows
    .slice(0, shown)
    .map(({ label, section, from, to }) => `${label || section}: ${shortened(from)} → ${shortened(to)}`);
  return [...texts, ...(left === 0 ? [] : [t('and {0} more changes', left)])].join('; ');
}

/**
 * Returns a note if the change sets the default speed above the maximum speed, to which commands without a speed are
 * then limited; otherwise, empty.
 */
export function speedNote({ change: { changed, settings } }: Preview): string {
  const { defaultSpeedMmps, maxSpeedMmps } = settings.limits;
  if (!changed.includes('limits') || defaultSpeedMmps <= maxSpeedMmps) return '';
  return t(
    'The default speed ({0} mm/s) is above the maximum speed. Commands without a speed use {1} mm/s.',
    localNumber(defaultSpeedMmps),
    localNumber(maxSpeedMmps),
  );
}

const MAX_PROPOSALS = 20;

export interface Proposal {
  patch: Record<string, unknown>;
  why: Why;
  /** ETag of the settings at the time of the preview. */
  etag: string;
  entered?: Record<string, unknown>;
}

/** Stores previewed changes on the server, so that the browser receives no secrets and cannot alter them. */
export class Proposals {
  #byId = new Map<string, Proposal>();

  add(proposal: Proposal): string {
    const id = randomBytes(12).toString('hex');
    this.#byId.set(id, proposal);
    const [oldest] = this.#byId.keys();
    if (this.#byId.size > MAX_PROPOSALS && oldest) this.#byId.delete(oldest);
    return id;
  }

  /** Returns and removes a proposal. Throws `CONFLICT` if the proposal does not exist. */
  take(id: unknown): Proposal {
    const proposal = this.#byId.get(String(id));
    this.#byId.delete(String(id));
    if (proposal) return proposal;
    throw new GatewayError('CONFLICT', settingsMessage('proposal-gone'), {
      hint: settingsMessage('proposal-gone-hint'),
    });
  }
}
