import { all, find } from '../../web/browser/dom.js';

/** A row of the settings form, with the control that holds its value. */
export interface SettingRow {
  element: HTMLElement;
  pointer: string;
  control: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
  kind: string;
  nullable: boolean;
  /** The text that is stored. */
  before: string;
}

/** Every row of the form as it stands now. */
export function settingRows(form: HTMLFormElement): SettingRow[] {
  return all('[data-row]', form).flatMap((element) => {
    const control = find<SettingRow['control']>('input:not([type="hidden"]), select, textarea', element);
    if (!control) return [];
    const { kind = 'text', nullable } = element.dataset;
    const row = {
      element,
      pointer: control.name,
      control,
      kind,
      nullable: nullable !== undefined,
      before: '',
    };
    return [{ ...row, before: element.dataset.stored ?? textOf(control) }];
  });
}

/** The text of a control; a checkbox says `true` or `false`. */
export function textOf(control: SettingRow['control']): string {
  return control instanceof HTMLInputElement && control.type === 'checkbox'
    ? String(control.checked)
    : control.value;
}

/** Puts a control back to a text. */
export function restore({ control, before }: SettingRow): void {
  if (control instanceof HTMLInputElement && control.type === 'checkbox') control.checked = before === 'true';
  else control.value = before;
}

/** The value of a row, typed as its kind. Throws a `SyntaxError` for a JSON text that is none. */
export function typedValue({ control, kind, nullable }: SettingRow): unknown {
  const text = textOf(control);
  if (nullable && text.trim() === '') return null;
  if (kind === 'json') return JSON.parse(text);
  if (kind === 'boolean') return text === 'true';
  // A browser gives an empty text for a number that is none: the gateway then names the field.
  const numeric = kind === 'integer' || kind === 'number' || (kind === 'choice' && /^-?\d+$/.test(text));
  return numeric && text.trim() !== '' ? Number(text) : text;
}

/** Rows as a partial settings document: `/mqtt/host` becomes `{mqtt: {host}}`. */
export function documentOf(rows: readonly SettingRow[]): Record<string, unknown> {
  const document: Record<string, unknown> = {};
  for (const row of rows) {
    const keys = row.pointer.slice(1).split('/');
    const last = keys.pop() ?? '';
    let place = document;
    for (const key of keys) {
      const inner = (place[key] ?? {}) as Record<string, unknown>;
      place[key] = inner;
      place = inner;
    }
    place[last] = typedValue(row);
  }
  return document;
}
