import { isDeepStrictEqual } from 'node:util';

/** As much of JSON Schema, and of our own words beside it, as a form can show. */
export interface FormSchema {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly unit?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly secret?: boolean;
  readonly apply?: string;
  readonly properties?: Readonly<Record<string, FormSchema>>;
}

/** What the browser shows for a value, and how the text of it is read back. */
export type FieldKind = 'boolean' | 'integer' | 'number' | 'choice' | 'secret' | 'text' | 'json';

/** One value of the settings that has a control of its own. */
export interface SettingsField {
  /** JSON pointer: `/mqtt/tls/ca`. */
  pointer: string;
  keys: readonly string[];
  schema: FormSchema;
  kind: FieldKind;
  nullable: boolean;
  /** Titles of the groups between the section and the value. */
  groups: readonly string[];
}

/** Sections of the settings page, in the order in which an operator needs them. */
export const SETTINGS_SECTIONS = [
  'mqtt',
  'serial',
  'units',
  'limits',
  'gateway',
  'kinematics',
  'safety',
  'gpio',
  'simulation',
  'presets',
  'carts',
  'beacons',
  'logging',
] as const;

/** Every value below `schema` that gets a control: nested objects are walked, arrays and free tables are one value. */
export function settingsFields(
  schema: FormSchema,
  keys: readonly string[],
  groups: readonly string[] = [],
): SettingsField[] {
  const { properties } = schema;
  if (properties === undefined) {
    const types = [schema.type ?? []].flat();
    const nullable = types.includes('null');
    return [{ pointer: pointerOf(keys), keys, schema, kind: kindOf(schema, types), nullable, groups }];
  }
  return Object.entries(properties).flatMap(([key, child]) => {
    const inner = child.properties ? [...groups, child.title ?? key] : groups;
    return settingsFields(child, [...keys, key], inner);
  });
}

function kindOf(schema: FormSchema, types: readonly string[]): FieldKind {
  if (schema.enum) return 'choice';
  if (schema.secret) return 'secret';
  for (const kind of ['boolean', 'integer', 'number'] as const) if (types.includes(kind)) return kind;
  return types.includes('string') ? 'text' : 'json';
}

/** Keys as a JSON pointer (RFC 6901). */
function pointerOf(keys: readonly string[]): string {
  return keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** What stands at `keys` in a document; undefined when there is nothing. Looks at own members only. */
export function valueAt(document: unknown, keys: readonly string[]): unknown {
  let value = document;
  for (const key of keys) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

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
