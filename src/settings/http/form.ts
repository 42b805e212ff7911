import { upperFirst } from '../../i18n/format.js';
import { settingText, t } from '../../i18n/page-text.js';
import type { Fault } from '../../shared/errors.js';
import { concerns, faultText } from '../../web/labels/fault-texts.js';
import {
  type FieldKind,
  type FormSchema,
  SETTINGS_SECTIONS,
  type SettingsField,
  settingsFields,
  valueAt,
} from './fields.js';
import { markOf } from './review.js';

export interface FormRow {
  id: string;
  /** JSON pointer and name of the control. */
  name: string;
  label: string;
  unit: string;
  help: string;
  error: string;
  /** Text that describes when a change takes effect; empty if it takes effect immediately. */
  mark: string;
  /** The stored value as text; `value` can contain unsaved input instead. */
  stored: string;
  kind: FieldKind;
  nullable: boolean;
  /** Exactly one member is set. */
  is: Partial<Record<FieldKind, true>>;
  value: string;
  checked: boolean;
  options: { value: string; selected: boolean }[];
  min: string;
  max: string;
  step: string;
  lines: number;
}

interface FormSection {
  id: string;
  title: string;
  applyText: string;
  groups: { title: string; rows: FormRow[] }[];
  /** True if the section has a "Test connection" button. */
  testable: boolean;
}

export interface SettingsForm {
  sections: FormSection[];
  /** All errors. `id` is the ID of the row with the error, or empty. */
  faults: { id: string; label: string; message: string }[];
  hasFaults: boolean;
}

interface SettingsFormOptions {
  faults?: readonly Fault[];
  /** Unsaved input by JSON pointer; shown instead of the stored values. */
  entered?: Readonly<Record<string, unknown>>;
  sections?: readonly string[];
}

const applyTexts = (): Record<string, string> => ({
  live: t`Takes effect immediately`,
  idle: t`Can be changed only while the cart is stationary`,
  restart: t`Takes effect after a gateway restart`,
});

/**
 * Builds the data for the settings page.
 * @param schema the schema whose properties are the sections.
 * @param values the current document, with secrets masked.
 */
export function settingsForm(
  schema: FormSchema,
  values: unknown,
  { faults = [], entered = {}, sections = SETTINGS_SECTIONS }: SettingsFormOptions = {},
): SettingsForm {
  const built = sections.flatMap((name) => {
    const section = schema.properties?.[name];
    return section ? [sectionOf(name, section, { values, faults, entered })] : [];
  });
  const rows = built.flatMap(({ groups }) => groups.flatMap((group) => group.rows));
  return {
    sections: built,
    faults: faults.map((fault) => summaryOf(fault, rows)),
    hasFaults: faults.length > 0,
  };
}

interface Filling {
  values: unknown;
  faults: readonly Fault[];
  entered: Readonly<Record<string, unknown>>;
}

function sectionOf(name: string, schema: FormSchema, filling: Filling): FormSection {
  const groups = new Map<string, FormRow[]>();
  for (const field of settingsFields(schema, [name])) {
    const title = field.groups.map((group) => settingText(group)).join(', ');
    groups.set(title, [...(groups.get(title) ?? []), rowOf(field, filling, schema.apply)]);
  }
  return {
    id: name,
    title: schema.title ? settingText(schema.title) : name,
    applyText: applyTexts()[schema.apply ?? ''] ?? '',
    groups: [...groups].map(([title, rows]) => ({ title, rows })),
    testable: name === 'mqtt',
  };
}

function rowOf(field: SettingsField, { values, faults, entered }: Filling, sectionApply = ''): FormRow {
  const { schema, kind, pointer, nullable } = field;
  const stored = valueAt(values, field.keys) ?? (nullable ? null : schema.default);
  const storedText = textOf(stored, kind);
  const value = Object.hasOwn(entered, pointer) ? lastText(entered[pointer]) : storedText;
  const errors = faults.filter((fault) => concerns(pointer, fault));
  return {
    id: `set${pointer.replace(/[^A-Za-z0-9]/g, '-')}`,
    name: pointer,
    label: schema.title ? settingText(schema.title) : (field.keys[field.keys.length - 1] ?? pointer),
    unit: settingText(schema.unit ?? ''),
    help: helpOf(schema, nullable),
    error: errors.map((fault) => upperFirst(faultText(pointer, fault))).join('. '),
    mark: markOf(schema.apply ?? sectionApply),
    stored: storedText,
    kind,
    nullable,
    is: { [kind]: true },
    value,
    checked: value === 'true',
    options: (schema.enum ?? []).map((item) => ({ value: String(item), selected: String(item) === value })),
    min: String(schema.minimum ?? ''),
    max: String(schema.maximum ?? ''),
    step: kind === 'integer' ? '1' : 'any',
    lines: Math.min(10, Math.max(2, value.split('\n').length)),
  };
}

/** A hidden field and its checkbox form a list, in which the last value counts. */
function lastText(entered: unknown): string {
  return String(Array.isArray(entered) ? entered[entered.length - 1] : entered);
}

/** Converts a value to the text in its control; the inverse of `documentFromForm`. */
function textOf(value: unknown, kind: FieldKind): string {
  if (kind === 'json') return JSON.stringify(value ?? null, null, 2);
  return value === null || value === undefined ? '' : String(value);
}

function helpOf({ description = '', minimum, maximum }: FormSchema, nullable: boolean): string {
  const range = minimum !== undefined && maximum !== undefined ? t`Range: ${minimum} to ${maximum}.` : '';
  return [settingText(description), range, nullable ? t`May be empty.` : ''].filter(Boolean).join(' ');
}

function summaryOf(fault: Fault, rows: readonly FormRow[]): SettingsForm['faults'][number] {
  const row = rows.find(({ name }) => concerns(name, fault));
  const label = row?.label ?? fault.path;
  return { id: row?.id ?? '', label, message: faultText(row?.name ?? fault.path, fault) };
}
