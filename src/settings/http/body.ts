import { isDeepStrictEqual } from 'node:util';
import { type FormSchema, SETTINGS_SECTIONS, type SettingsField, settingsFields, valueAt } from './fields.js';

type Document = Record<string, unknown>;

/**
 * Reads the settings form as a browser without scripts posts it: one text for each JSON pointer, a checkbox as a
 * hidden `false` that a ticked `true` follows. What cannot be read as its type is passed on as the text it is, so that
 * the settings' own validation names the field and the fault.
 * @param options.current the present document: values that equal it are left out, so that only what was changed is saved.
 * @param options.sections those that the form has.
 * @returns a partial settings document. Only fields of the schema are looked at; other keys of the body are ignored.
 */
export function documentFromForm(
  schema: FormSchema,
  body: Readonly<Record<string, unknown>>,
  { current, sections = SETTINGS_SECTIONS }: { current?: unknown; sections?: readonly string[] } = {},
): Document {
  const document: Document = {};
  for (const name of sections) {
    const section = schema.properties?.[name];
    for (const field of section ? settingsFields(section, [name]) : []) {
      if (!Object.hasOwn(body, field.pointer)) continue;
      const value = readField(field, lastText(body[field.pointer]));
      if (current !== undefined && isDeepStrictEqual(value, valueAt(current, field.keys))) continue;
      put(document, field.keys, value);
    }
  }
  return document;
}

/** Of a hidden field and its checkbox the body parser makes a list: the last one counts. */
function lastText(value: unknown): string {
  return String(Array.isArray(value) ? value[value.length - 1] : value);
}

function readField({ kind, nullable, schema }: SettingsField, text: string): unknown {
  const trimmed = text.trim();
  if (nullable && trimmed === '') return null;
  switch (kind) {
    case 'boolean':
      return trimmed === 'true' || trimmed === 'on';
    case 'integer':
    case 'number':
      return /^[+-]?\d+(\.\d+)?$/.test(trimmed) ? Number(trimmed) : text;
    case 'choice':
      return schema.enum?.find((item) => String(item) === text) ?? text;
    case 'json':
      return readJson(text);
    default:
      return text.replaceAll('\r\n', '\n');
  }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function put(document: Document, keys: readonly string[], value: unknown): void {
  const [key, ...rest] = keys;
  if (key === undefined) return;
  if (rest.length === 0) {
    document[key] = value;
    return;
  }
  const inner = Object.hasOwn(document, key) ? (document[key] as Document) : {};
  document[key] = inner;
  put(inner, rest, value);
}
