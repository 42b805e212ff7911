import { shownCount } from '../../i18n/format.js';
import { settingText, t } from '../../i18n/page-text.js';
import type { Preview, ValueChange } from '../../settings/index.js';
import type { FormSchema } from './fields.js';
import { valueText } from './value-text.js';

/** Changes that the band about a trial names. */
const MAX_NAMED = 3;
/** Values in a summary are shortened to this many characters. */
const MAX_VALUE_CHARS = 40;

export interface ChangeRow {
  /** For example `MQTT broker`. */
  section: string;
  label: string;
  from: string;
  to: string;
  apply: string;
  /** When the change takes effect; empty if it takes effect immediately. */
  mark: string;
  /** Names the value that the form showed if the value has since been changed elsewhere; otherwise, empty. */
  conflict: string;
}

export function markOf(apply: string | undefined): string {
  if (apply === 'idle') return t('Cart must be stationary');
  return apply === 'restart' ? t('Takes effect after a restart') : '';
}

/** @param elsewhere the changes that have been saved since the form was opened. */
export function changeRows(
  schema: FormSchema,
  changes: Preview['changes'],
  elsewhere: readonly ValueChange[] = [],
): ChangeRow[] {
  return changes.map((change) => rowOf(schema, change, conflictOf(change, elsewhere)));
}

/** Returns the change to the same value, to a value that contains it, or to a part of it. */
export function conflictOf(
  { pointer }: Pick<ValueChange, 'pointer'>,
  elsewhere: readonly ValueChange[],
): ValueChange | undefined {
  const own = `${pointer}/`;
  return elsewhere.find((other) => own.startsWith(`${other.pointer}/`) || other.pointer.startsWith(own));
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

/** Returns a text such as `Maximum speed: 300 mm/s → 400 mm/s`; names at most three changes. */
export function changesText(schema: FormSchema, changes: readonly ValueChange[]): string {
  const rows = changeRows(schema, [...changes]);
  const shown = shownCount(rows.length, MAX_NAMED);
  const left = rows.length - shown;
  const texts = rows
    .slice(0, shown)
    .map(({ label, section, from, to }) => `${label || section}: ${shortened(from)} → ${shortened(to)}`);
  return [...texts, ...(left === 0 ? [] : [t('and {0} more changes', left)])].join('; ');
}

export function shortened(value: string): string {
  return value.length > MAX_VALUE_CHARS ? `${value.slice(0, MAX_VALUE_CHARS - 1)}…` : value;
}
