import { isJsonObject } from '../../shared/validation/json.js';

type JsonObject = Record<string, unknown>;

/** Replaces a secret in output; in input, leaves the stored secret unchanged. */
export const MASK = '***';

/** Tables whose entries can be deleted with `null`. */
const TABLES = ['/presets/distance', '/presets/angle'];

/** Returns a new document. Objects are merged member by member; all other values are replaced. */
export function mergeDocument(base: JsonObject, patch: JsonObject): JsonObject {
  return mergeAt('', structuredClone(base), patch);
}

function mergeAt(pointer: string, base: JsonObject, patch: JsonObject): JsonObject {
  for (const [name, value] of Object.entries(patch)) {
    const old = base[name];
    if (value === null && TABLES.includes(pointer)) delete base[name];
    else if (isJsonObject(value) && isJsonObject(old)) mergeAt(`${pointer}/${name}`, old, value);
    else base[name] = structuredClone(value);
  }
  return base;
}

/** Returns a patch that changes `base` to `document`, including deletions of table entries. */
export function replacingPatch(base: JsonObject, document: JsonObject): JsonObject {
  const patch = structuredClone(document);
  for (const pointer of TABLES) {
    const [now, then] = [valueAt(base, pointer), valueAt(patch, pointer)];
    if (!isJsonObject(now) || !isJsonObject(then)) continue;
    for (const name of Object.keys(now)) if (!Object.hasOwn(then, name)) then[name] = null;
  }
  return patch;
}

/** Returns a copy, with `change` applied to the strings at these pointers, if present. */
export function mapStrings<T extends JsonObject>(
  document: T,
  pointers: readonly string[],
  change: (value: string, pointer: string) => string,
): T {
  const copy = structuredClone(document);
  for (const pointer of pointers) {
    const names = pointer.slice(1).split('/');
    const last = names.pop() ?? '';
    const holder = names.reduce<unknown>((at, name) => (isJsonObject(at) ? at[name] : undefined), copy);
    if (!isJsonObject(holder)) continue;
    const value = holder[last];
    if (typeof value === 'string') holder[last] = change(value, pointer);
  }
  return copy;
}

/** Returns the string at a pointer, or an empty string if the pointer leads to no string. */
export function stringAt(document: unknown, pointer: string): string {
  const value = valueAt(document, pointer);
  return typeof value === 'string' ? value : '';
}

function valueAt(document: unknown, pointer: string): unknown {
  const names = pointer.slice(1).split('/');
  return names.reduce<unknown>((at, name) => (isJsonObject(at) ? at[name] : undefined), document);
}
