import { listFrom } from '../../../settings/pure.js';
import { all, find, servedValue, valueText } from '../../browser/dom.js';
import { cellsText, servedCellsText, setCells } from './tables.js';

export interface SettingRow {
  element: HTMLElement;
  pointer: string;
  /** The control; for a table, the element that contains its rows. */
  control: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement | HTMLTableSectionElement;
  kind: string;
  nullable: boolean;
  isNumeric: boolean;
  before: string;
  standard: string;
}

export function settingRows(form: HTMLFormElement): SettingRow[] {
  return all('[data-row]', form).flatMap((element) => {
    const control = find<SettingRow['control']>(
      '[data-cells], input:not([type="hidden"]), select, textarea',
      element,
    );
    if (!control) return [];
    const { kind = 'text', nullable, numeric } = element.dataset;
    const row = {
      element,
      pointer: control instanceof HTMLTableSectionElement ? (control.dataset.pointer ?? '') : control.name,
      control,
      kind,
      nullable: nullable !== undefined,
      isNumeric: numeric !== undefined,
    };
    // The page omits a stored value or default that equals the served value. The control's current value is not used,
    // because the operator may already have changed it.
    const served = servedText(control);
    const { stored = served, default: standard = served } = element.dataset;
    return [{ ...row, before: stored, standard }];
  });
}

export function controlText(control: SettingRow['control']): string {
  return control instanceof HTMLTableSectionElement ? cellsText(control) : valueText(control);
}

function servedText(control: SettingRow['control']): string {
  return control instanceof HTMLTableSectionElement ? servedCellsText(control) : servedValue(control);
}

export function setControlText(control: SettingRow['control'], text: string): void {
  if (control instanceof HTMLTableSectionElement) setCells(control, text);
  else if (control instanceof HTMLInputElement && control.type === 'checkbox')
    control.checked = text === 'true';
  else control.value = text;
}

/** Converts a row's value to the type that its kind requires. Tables are submitted only with the form. */
function typedValue({ control, kind, nullable, isNumeric }: SettingRow): unknown {
  const text = controlText(control);
  if (nullable && text.trim() === '') return null;
  if (kind === 'list') return listFrom(text, isNumeric);
  if (kind === 'boolean') return text === 'true';
  // For an invalid number, browsers return an empty string, which the gateway rejects.
  const numeric = kind === 'integer' || kind === 'number' || (kind === 'choice' && /^-?\d+$/.test(text));
  return numeric && text.trim() !== '' ? Number(text) : text;
}

/** Converts rows to a partial settings document: `/mqtt/host` becomes `{mqtt: {host}}`. */
export function documentOf(rows: readonly SettingRow[]): Record<string, unknown> {
  const document: Record<string, unknown> = {};
  for (const row of rows) {
    const keys = row.pointer.slice(1).split('/');
    const last = keys.pop() ?? '';
    let parent = document;
    for (const key of keys) {
      const inner = (parent[key] ?? {}) as Record<string, unknown>;
      parent[key] = inner;
      parent = inner;
    }
    parent[last] = typedValue(row);
  }
  return document;
}
