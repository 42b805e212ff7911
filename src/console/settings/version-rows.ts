import { momentText, shownCount } from '../../i18n/format.js';
import { actorLabel } from '../../i18n/messages.js';
import { t } from '../../i18n/page-text.js';
import { NOT_CONFIRMED, PROGRAM, RESTART, type VersionEntry, type Why } from '../../settings/index.js';
import { type Actor, isSameActor } from '../../shared/actor.js';
import { type ChangeRow, changeRows, shortened } from './change-rows.js';
import type { FormSchema } from './fields.js';

/** Changes that the list of versions shows per version. */
const MAX_SHOWN = 2;

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
  /** Time of the version, such as `2026-05-04 14:02:11 UTC`. */
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
