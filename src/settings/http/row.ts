import { upperFirst } from '../../i18n/format.js';
import { plainNumber } from '../../i18n/language.js';
import { settingText, t } from '../../i18n/page-text.js';
import type { Fault } from '../../shared/errors.js';
import { concerns, faultText } from '../../web/labels/fault-texts.js';
import { listText } from '../schema/list-text.js';
import { type FieldKind, type FormSchema, isNumericList, type SettingsField, valueAt } from './fields.js';
import { markOf } from './review.js';
import { choiceText, valueText } from './value-text.js';

export interface FormRow {
  id: string;
  /** JSON pointer, which is also the control's name. */
  name: string;
  label: string;
  unit: string;
  help: string;
  error: string;
  /** When a change takes effect; empty if it takes effect together with the rest of the section. */
  mark: string;
  /** The stored value as a string. Never contains unsaved input, unlike `value`. */
  stored: string;
  isUnsaved: boolean;
  /** The default as a string, in the same format as `value`. */
  default: string;
  /** The default as shown to operators: `300 mm/s`. */
  defaultText: string;
  differs: boolean;
  /** True if the row is shown before the operator selects Advanced. */
  isBasic: boolean;
  /** True if the row does not match the search. */
  isHidden: boolean;
  kind: FieldKind;
  nullable: boolean;
  isNumeric: boolean;
  /** Exactly one member is set, so that the template can select the control. */
  is: Partial<Record<FieldKind, true>>;
  value: string;
  checked: boolean;
  options: { value: string; label: string; selected: boolean }[];
  min: string;
  max: string;
  lines: number;
}

export interface Filling {
  values: unknown;
  faults: readonly Fault[];
  /** Unsaved input, keyed by JSON pointer; shown instead of the stored values. */
  entered: Readonly<Record<string, unknown>>;
}

/** Builds the row of one setting. @param isBasic true if the whole section is basic. */
export function rowOf(field: SettingsField, filling: Filling, isBasic: boolean): FormRow {
  const { schema, kind, pointer, nullable } = field;
  const { values, faults, entered } = filling;
  const stored = textOf(valueAt(values, field.keys) ?? (nullable ? null : schema.default), kind);
  const value = Object.hasOwn(entered, pointer)
    ? lastText(entered[pointer]).replaceAll('\r\n', '\n')
    : stored;
  const errors = faults.filter((fault) => concerns(pointer, fault));
  const standard = textOf(schema.default, kind);
  return {
    id: `set${pointer.replace(/[^A-Za-z0-9]/g, '-')}`,
    name: pointer,
    label: schema.title ? settingText(schema.title) : (field.keys[field.keys.length - 1] ?? pointer),
    unit: settingText(schema.unit ?? ''),
    help: helpOf(field),
    error: errors.map((fault) => upperFirst(faultText(pointer, fault, listOf(kind, value)))).join('. '),
    mark: field.keys.length > 1 ? markOf(schema.apply) : '',
    stored,
    isUnsaved: value !== stored,
    default: standard,
    defaultText: valueText(schema.default, schema),
    differs: value !== standard,
    isBasic: isBasic || schema.basic === true,
    isHidden: false,
    kind,
    nullable,
    isNumeric: isNumericList(schema),
    is: { [kind]: true },
    value,
    checked: value === 'true',
    options: (schema.enum ?? []).map((item) => ({
      value: String(item),
      label: choiceText(item, schema),
      selected: String(item) === value,
    })),
    min: String(schema.minimum ?? ''),
    max: String(schema.maximum ?? ''),
    lines: Math.min(10, Math.max(2, value.split('\n').length)),
  };
}

export function listOf(kind: FieldKind, value: string): string | undefined {
  return kind === 'list' ? value : undefined;
}

/** Browsers submit a checkbox and its hidden field as a list, in which the last value counts. */
function lastText(entered: unknown): string {
  return String(Array.isArray(entered) ? entered[entered.length - 1] : entered);
}

/** Converts a value to a string for its form control; `documentFromForm` performs the reverse conversion. */
function textOf(value: unknown, kind: FieldKind): string {
  if (kind === 'list') return listText(value);
  if (kind === 'json') return JSON.stringify(value ?? null, null, 2);
  return value === null || value === undefined ? '' : String(value);
}

function helpOf({ schema, kind, nullable }: SettingsField): string {
  const { description = '', minimum, maximum } = schema;
  const range =
    minimum !== undefined && maximum !== undefined
      ? t`Range: ${plainNumber(minimum)} to ${plainNumber(maximum)}.`
      : '';
  const empty = nullable ? t`May be empty.` : '';
  return [settingText(description), range, empty, formatHelp(kind, schema)].filter(Boolean).join(' ');
}

function formatHelp(kind: FieldKind, { examples = [] }: FormSchema): string {
  if (kind === 'list') return t`One entry per line.`;
  const [example] = examples;
  return kind === 'json' && example !== undefined
    ? t`Enter JSON, for example: ${JSON.stringify(example)}`
    : '';
}
