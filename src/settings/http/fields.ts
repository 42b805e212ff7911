import { isDeepStrictEqual } from 'node:util';
import { listFrom, numberOrText } from '../schema/list-text.js';

export interface FormSchema {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly unit?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  /** The display names of the `enum` values, keyed by value. */
  readonly valueTitles?: Readonly<Record<string, string>>;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly secret?: boolean;
  /** True for a setting that is shown before the operator selects Advanced. */
  readonly basic?: boolean;
  /** Path of the page that sets this value; the form then only links to that page. */
  readonly page?: string;
  readonly apply?: string;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, FormSchema>>;
  readonly items?: FormSchema;
}

/** A `list` contains strings or numbers and is edited with one entry per line. */
export type FieldKind = 'boolean' | 'integer' | 'number' | 'choice' | 'secret' | 'text' | 'list' | 'json';

export interface SettingsField {
  /** JSON pointer, such as `/mqtt/tls/ca`. */
  pointer: string;
  keys: readonly string[];
  schema: FormSchema;
  kind: FieldKind;
  nullable: boolean;
  groups: readonly string[];
}

/** The sections of the settings page; those that operators need first come first. */
export const SETTINGS_SECTIONS = [
  'limits',
  'protectiveField',
  'safety',
  'gpio',
  'units',
  'serial',
  'gateway',
  'kinematics',
  'mqtt',
  'presets',
  'carts',
  'beacons',
  'navigation',
  'alarms',
  'shop',
  'logging',
  'simulation',
] as const;

/** Returns one field per control, array and free-form table. Omits values that are set on other pages. */
export function settingsFields(
  schema: FormSchema,
  keys: readonly string[],
  groups: readonly string[] = [],
): SettingsField[] {
  const { properties, page } = schema;
  if (page !== undefined) return [];
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
  if (types.includes('string')) return 'text';
  return isNumericList(schema) || schema.items?.type === 'string' ? 'list' : 'json';
}

export function isNumericList({ items }: FormSchema): boolean {
  return items?.type === 'integer' || items?.type === 'number';
}

function pointerOf(keys: readonly string[]): string {
  return keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** Ignores inherited members. */
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
 * Parses a settings form submitted without JavaScript, with one string per JSON pointer. A string of the
 * wrong type is kept, so that validation can report it. Unknown keys and unchanged values are omitted.
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

/** Browsers submit a checkbox and its hidden field as a list, in which the last value counts. */
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
      return numberOrText(text);
    case 'choice':
      return schema.enum?.find((item) => String(item) === text) ?? text;
    case 'list':
      return listFrom(text, isNumericList(schema));
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
