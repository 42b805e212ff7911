import { settingText, t } from '../../i18n/page-text.js';
import { foundText, isFound, searchText, wordsOf } from '../../settings/index.js';
import type { Fault } from '../../shared/errors.js';
import { concerns, faultText } from '../labels/fault-texts.js';
import { type FormSchema, SETTINGS_SECTIONS, settingsFields } from './fields.js';
import { type FormRow, listValue, settingRow } from './row.js';
import type { Filling } from './table.js';

interface FormGroup {
  title: string;
  isBasic: boolean;
  rows: FormRow[];
}

interface FormSection {
  id: string;
  title: string;
  applyText: string;
  groups: FormGroup[];
  /** Pages that set other values of the section. */
  links: { href: string; title: string }[];
  isBasic: boolean;
  /** True for the section that the page shows first. */
  isCurrent: boolean;
  hasFaults: boolean;
  testable: boolean;
}

export interface FormView {
  /** ID of the section to show, unless another section has errors. Default: the first section. */
  section?: string;
  /** The search query; empty if there is none. */
  find?: string;
  isAdvanced?: boolean;
}

export interface SettingsForm {
  /** ETag of the settings that the form shows. */
  etag: string;
  sections: FormSection[];
  /** All errors. `id` is the ID of the error's row; empty if the error belongs to no row. */
  faults: { id: string; label: string; message: string }[];
  hasFaults: boolean;
  isAdvanced: boolean;
  /** The search query, trimmed; empty if there is none. */
  find: string;
  isNothingFound: boolean;
  /** The number of settings found; empty if there is no search query. */
  found: string;
  /** The page's script fills in this template to mark changed settings. */
  blank: { label: string; defaultText: string };
}

interface SettingsFormOptions extends Partial<Omit<Filling, 'values'>> {
  etag?: string;
  sections?: readonly string[];
  view?: FormView;
}

const applyTexts = (): Record<string, string> => ({
  live: t('Takes effect immediately'),
  idle: t('Can be changed only while the cart is stationary'),
  restart: t('Takes effect after a gateway restart'),
});

/**
 * Builds the data for the settings page.
 * @param schema the schema whose properties are the sections.
 * @param values the current document, with secrets masked.
 */
export function settingsForm(
  schema: FormSchema,
  values: unknown,
  {
    etag = '',
    faults = [],
    entered = {},
    offers = {},
    sections = SETTINGS_SECTIONS,
    view = {},
  }: SettingsFormOptions = {},
): SettingsForm {
  const built = sections.flatMap((name) => {
    const section = schema.properties?.[name];
    return section ? [sectionOf(name, section, { values, faults, entered, offers })] : [];
  });
  const { find = '', isAdvanced = false } = view;
  const shown = built.find(({ hasFaults }) => hasFaults) ?? built.find(({ id }) => id === view.section);
  const current = shown ?? built[0];
  if (current) current.isCurrent = true;
  const query = wordsOf(find);
  for (const section of built) hideOthers(section, query);
  const rows = built.flatMap(({ groups }) => groups.flatMap((group) => group.rows));
  const shownRows = rows.filter(({ isHidden }) => !isHidden);
  return {
    etag,
    sections: built,
    faults: faults.map((fault) => summaryOf(fault, rows)),
    hasFaults: faults.length > 0,
    isAdvanced,
    find: find.trim(),
    isNothingFound: shownRows.length === 0,
    found: query.length === 0 ? '' : foundText(shownRows),
    blank: { label: '', defaultText: '' },
  };
}

function sectionOf(name: string, schema: FormSchema, filling: Filling): FormSection {
  const groups = new Map<string, FormRow[]>();
  const fields = settingsFields(schema, [name]);
  for (const field of fields) {
    const { group: own } = field.schema;
    const titles = own === undefined ? field.groups : [...field.groups, own];
    const title = titles.map((group) => settingText(group)).join(', ');
    groups.set(title, [...(groups.get(title) ?? []), settingRow(field, filling, schema.basic === true)]);
  }
  const isMixed = schema.apply === 'live' && fields.some((field) => field.schema.apply === 'restart');
  const list = [...groups].map(([title, rows]) => ({
    title,
    isBasic: rows.some((row) => row.isBasic),
    rows,
  }));
  return {
    id: name,
    title: schema.title ? settingText(schema.title) : name,
    applyText: isMixed
      ? t('Takes effect immediately unless marked otherwise')
      : (applyTexts()[schema.apply ?? ''] ?? ''),
    groups: list,
    links: [
      ...Object.values(schema.properties ?? {}).flatMap(({ page, title = '' }) =>
        page === undefined ? [] : [{ href: page, title: settingText(title) }],
      ),
      ...(name === 'alarms' ? [{ href: '/system#alarms', title: t('Send test alarms') }] : []),
    ],
    isBasic: list.some(({ isBasic }) => isBasic),
    isCurrent: false,
    hasFaults: list.some(({ rows }) => rows.some(({ hasError }) => hasError)),
    testable: name === 'mqtt',
  };
}

function hideOthers({ title: section, groups }: FormSection, query: readonly string[]): void {
  for (const { title: group, rows } of groups)
    for (const row of rows) {
      const { label, help, name: pointer } = row;
      const options = row.options.map((option) => option.label);
      row.isHidden = !isFound(query, searchText({ section, group, label, help, pointer, options }));
    }
}

function summaryOf(fault: Fault, rows: readonly FormRow[]): SettingsForm['faults'][number] {
  const row = rows.find(({ name }) => concerns(name, fault));
  if (!row) return { id: '', label: fault.path, message: faultText(fault.path, fault) };
  const { id, name, label, kind, value, table } = row;
  const cell = table?.cellAt(fault);
  if (cell)
    return {
      id: cell.id,
      label,
      message: t('row {0}, {1}: {2}', cell.row, cell.column, faultText(fault.path, fault)),
    };
  return { id, label, message: faultText(name, fault, listValue(kind, value)) };
}
