import { isDeepStrictEqual } from 'node:util';
import { invalidInput, listFrom, numberOrText, settingsMessage } from '../../settings/index.js';
import type { Fault } from '../../shared/errors.js';
import { isJsonObject } from '../../shared/validation/json.js';

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
  /** Title of the setting's group in the form. */
  readonly group?: string;
  /** Path of the page that sets this value; the form then only links to that page. */
  readonly page?: string;
  /** Instructions that follow the description, each with a link if it has a page. */
  readonly steps?: readonly { readonly text: string; readonly page?: string; readonly title?: string }[];
  readonly apply?: string;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, FormSchema>>;
  readonly items?: FormSchema;
  readonly additionalProperties?: boolean | FormSchema;
  readonly propertyNames?: FormSchema;
  readonly pattern?: string;
}

/**
 * A `list` contains strings or numbers and is edited with one entry per line. A `table` is a list of objects or a
 * map, and is edited with one row per entry.
 */
export type FieldKind = 'boolean' | 'integer' | 'number' | 'choice' | 'secret' | 'text' | 'list' | 'table';

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
  return isNumericList(schema) || schema.items?.type === 'string' ? 'list' : 'table';
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
  const faults: Fault[] = [];
  for (const name of sections) {
    const section = schema.properties?.[name];
    for (const field of section ? settingsFields(section, [name]) : []) {
      const cells = field.kind === 'table' ? submittedCells(field, body) : undefined;
      if (!cells && !Object.hasOwn(body, field.pointer)) continue;
      const stored = valueAt(current, field.keys);
      const value = cells ? readTable(field, cells, faults) : readField(field, lastText(body[field.pointer]));
      if (current !== undefined && isDeepStrictEqual(value, stored)) continue;
      put(document, field.keys, cells ? withRemovals(value, stored) : value);
    }
  }
  if (faults.length > 0) throw invalidInput(faults);
  return document;
}

/** A column of a table. Its controls are named `${pointer}/${key}`. */
export interface TableColumn {
  key: string;
  schema: FormSchema;
}

/** Returns the columns of a table: the members of a list's entries, or a map's names and values. */
export function columnsOf({ items, propertyNames = {}, additionalProperties }: FormSchema): TableColumn[] {
  if (items) return Object.entries(items.properties ?? {}).map(([key, schema]) => ({ key, schema }));
  const values = typeof additionalProperties === 'object' ? additionalProperties : {};
  return [
    { key: 'key', schema: propertyNames },
    { key: 'value', schema: values },
  ];
}

/** Returns a table's cells, row by row; `documentFromForm` performs the reverse conversion. */
export function cellsOf(value: unknown, schema: FormSchema): string[][] {
  if (isJsonObject(value)) return Object.entries(value).map(([key, entry]) => [key, String(entry)]);
  if (!Array.isArray(value)) return [];
  const columns = columnsOf(schema);
  return value.map((entry) => columns.map(({ key }) => String(valueAt(entry, [key]) ?? '')));
}

/**
 * Returns the cells of a submitted table, trimmed and without empty rows, or undefined if the form does not contain
 * the table. `${pointer}/add` contains the rows that were selected with a checkbox, each as a JSON array.
 */
export function submittedCells(
  { pointer, schema }: SettingsField,
  body: Readonly<Record<string, unknown>>,
): string[][] | undefined {
  const texts = (key: string): string[] => [body[`${pointer}/${key}`] ?? []].flat().map(String);
  const columns = columnsOf(schema).map(({ key }) => texts(key));
  const count = Math.max(...columns.map(({ length }) => length));
  if (count === 0) return undefined;
  const rows = Array.from({ length: count }, (_, row) => columns.map((column) => column[row] ?? ''));
  const added = texts('add').map((text) => {
    const cells: unknown = readJson(text);
    return columns.map((_, column) => String(Array.isArray(cells) ? (cells[column] ?? '') : ''));
  });
  return [...rows, ...added]
    .map((cells) => cells.map((cell) => cell.trim()))
    .filter((cells) => cells.some((cell) => cell !== ''));
}

/** Reports an invalid or repeated name in a map as `/presets/distance/key/2`, with the row counted from 0. */
function readTable({ pointer, schema }: SettingsField, rows: string[][], faults: Fault[]): unknown {
  const columns = columnsOf(schema);
  const entries = rows.map((cells) =>
    columns.map(({ schema: { type } }, column) => {
      const text = cells[column] ?? '';
      return type === 'integer' || type === 'number' ? numberOrText(text) : text;
    }),
  );
  if (schema.items) {
    return entries.map((values) => Object.fromEntries(columns.map(({ key }, at) => [key, values[at]])));
  }
  const allowed = new RegExp(schema.propertyNames?.pattern ?? '');
  const map = new Map<string, unknown>();
  for (const [row, [key, value]] of entries.entries()) {
    const name = String(key);
    const path = `${pointer}/key/${row}`;
    if (!allowed.test(name)) faults.push({ path, message: settingsMessage('fault.table-key') });
    else if (map.has(name)) faults.push({ path, message: settingsMessage('rules.key-twice', { key: name }) });
    map.set(name, value);
  }
  return Object.fromEntries(map);
}

/** Returns the changed entries of a map. In a patch, `null` removes an entry. */
function withRemovals(value: unknown, stored: unknown): unknown {
  if (!isJsonObject(value) || !isJsonObject(stored)) return value;
  const removed = Object.keys(stored).filter((key) => !Object.hasOwn(value, key));
  const changed = Object.entries(value).filter(([key, entry]) => !isDeepStrictEqual(entry, stored[key]));
  return Object.fromEntries([...removed.map((key): [string, unknown] => [key, null]), ...changed]);
}

/**
 * Returns a submitted form without the fields whose value equals the value in `shown`, so that a page that is
 * rendered again shows their stored values. An invalid field is kept.
 */
export function changedEntries(
  schema: FormSchema,
  body: Readonly<Record<string, unknown>>,
  shown: unknown,
): Document {
  const entries = { ...body };
  for (const field of settingsFields(schema, [])) {
    const faults: Fault[] = [];
    const cells = field.kind === 'table' ? submittedCells(field, body) : undefined;
    if (!cells && !Object.hasOwn(body, field.pointer)) continue;
    const value = cells ? readTable(field, cells, faults) : readField(field, lastText(body[field.pointer]));
    if (faults.length > 0 || !isDeepStrictEqual(value, valueAt(shown, field.keys))) continue;
    for (const key of Object.keys(entries))
      if (key === field.pointer || (cells && key.startsWith(`${field.pointer}/`))) delete entries[key];
  }
  return entries;
}

/** Browsers submit a checkbox and its hidden field as a list; the last value counts. */
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
    case 'table':
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
