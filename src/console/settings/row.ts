import { upperFirst } from '../../i18n/format.js';
import { localNumber } from '../../i18n/language.js';
import { settingText, settingUnit, t } from '../../i18n/page-text.js';
import { listText } from '../../settings/index.js';
import { concerns, faultText } from '../labels/fault-texts.js';
import { markOf } from './change-rows.js';
import {
  cellsOf,
  type FieldKind,
  type FormSchema,
  isNumericList,
  type SettingsField,
  valueAt,
} from './fields.js';
import { type Filling, type Table, tableOf } from './table.js';
import { choiceText, valueText } from './value-text.js';

export interface FormRow {
  id: string;
  /** JSON pointer, which is also the control's name. */
  name: string;
  label: string;
  unit: string;
  help: string;
  /** Instructions that follow the help; `href` is empty if a step has no link. */
  steps: { text: string; href: string; title: string }[];
  error: string;
  /** True if the setting, or a cell of its table, has an error. */
  hasError: boolean;
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
  /** The table's rows and columns; null for all other kinds. */
  table: Table | null;
  options: { value: string; label: string; selected: boolean }[];
  min: string;
  max: string;
  lines: number;
}

/**
 * Builds the row of one setting.
 * @param isBasic true if the whole section is basic.
 */
export function settingRow(field: SettingsField, filling: Filling, isBasic: boolean): FormRow {
  const { schema, kind, pointer, nullable } = field;
  const { values, faults, entered } = filling;
  const id = `set${pointer.replace(/[^A-Za-z0-9]/g, '-')}`;
  const current = valueAt(values, field.keys) ?? (nullable ? null : schema.default);
  const stored = textOf(current, schema, kind);
  const table = kind === 'table' ? tableOf(field, id, current, filling) : null;
  const value = table ? table.text : (enteredText(entered, pointer) ?? stored);
  const own = faults.filter((fault) => concerns(pointer, fault));
  const errors = own.filter((fault) => !table?.cellAt(fault));
  const standard = textOf(schema.default, schema, kind);
  return {
    id,
    name: pointer,
    label: schema.title ? settingText(schema.title) : (field.keys[field.keys.length - 1] ?? pointer),
    unit: settingUnit(schema.unit),
    help: helpOf(field),
    steps: (schema.steps ?? []).map(({ text, page = '', title = '' }) => ({
      text: settingText(text),
      href: page,
      title: settingText(title),
    })),
    error: errors.map((fault) => upperFirst(faultText(pointer, fault, listValue(kind, value)))).join('. '),
    hasError: own.length > 0,
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
    table,
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

export function listValue(kind: FieldKind, value: string): string | undefined {
  return kind === 'list' ? value : undefined;
}

/** Browsers submit a checkbox and its hidden field as a list; the last value counts. */
function lastText(entered: unknown): string {
  return String(Array.isArray(entered) ? entered[entered.length - 1] : entered);
}

function enteredText(entered: Filling['entered'], pointer: string): string | undefined {
  return Object.hasOwn(entered, pointer) ? lastText(entered[pointer]).replaceAll('\r\n', '\n') : undefined;
}

/**
 * Converts a value to a string for its form control; `documentFromForm` performs the reverse conversion. The string
 * of a table contains its cells and only serves to compare tables.
 */
function textOf(value: unknown, schema: FormSchema, kind: FieldKind): string {
  if (kind === 'list') return listText(value);
  if (kind === 'table') return JSON.stringify(cellsOf(value, schema));
  return value === null || value === undefined ? '' : String(value);
}

function helpOf({ schema, kind, nullable }: SettingsField): string {
  const { description = '', minimum, maximum } = schema;
  const range =
    minimum !== undefined && maximum !== undefined
      ? t('Range: {0} to {1}.', localNumber(minimum), localNumber(maximum))
      : '';
  const empty = nullable ? t('May be empty.') : '';
  const format = kind === 'list' ? t('One entry per line.') : '';
  return [settingText(description), range, empty, format].filter(Boolean).join(' ');
}
