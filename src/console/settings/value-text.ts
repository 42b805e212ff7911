import { localNumber } from '../../i18n/language.js';
import { settingText, settingUnit, t } from '../../i18n/page-text.js';
import type { FormSchema } from './fields.js';

/** Returns a setting's value as shown to operators: `300 mm/s`, `on`, `External broker`, `2, 3`. */
export function valueText(value: unknown, schema: FormSchema | undefined): string {
  if (value === undefined) return t('not set');
  if (isEmpty(value)) return t('empty');
  if (typeof value === 'boolean') return value ? t('on') : t('off');
  if (Array.isArray(value) && value.every((entry) => typeof entry !== 'object'))
    return value.map(entryText).join(', ');
  if (Array.isArray(value)) return value.map((entry) => Object.values(Object(entry)).join(' ')).join(', ');
  if (typeof value === 'object') return JSON.stringify(value);
  const unit = settingUnit(schema?.unit);
  return `${choiceText(value, schema)}${unit === '' || unit === '°' ? '' : ' '}${unit}`;
}

export function choiceText(value: unknown, schema: FormSchema | undefined): string {
  const key = String(value);
  const titles = schema?.valueTitles ?? {};
  return Object.hasOwn(titles, key) ? settingText(titles[key] ?? key) : entryText(value);
}

function entryText(value: unknown): string {
  return typeof value === 'number' ? localNumber(value) : String(value);
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
