import { redactor } from './redact.js';

/** The fields of a log line for people: `name value, name value`, without secrets and without empty values. */
export function fieldsText(fields: Record<string, unknown>): string {
  return Object.entries(fields)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name} ${valueText(name, value)}`)
    .join(', ');
}

function valueText(name: string, value: unknown): string {
  const clean = redactor(name, value);
  return typeof clean === 'string' ? clean : (JSON.stringify(clean, redactor) ?? '–');
}
