import { isJsonObject } from '../util/json.js';

type JsonObject = Record<string, unknown>;

/** What a secret looks like to those who read the settings; written back, it means "as it was". */
export const MASK = '***';

/** Tables whose entries come and go: here `null` deletes an entry. */
const TABLES = ['/presets/distance', '/presets/angle'];

/** A new document: objects merged member by member, everything else (arrays too) replaced by what the patch says. */
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

/** A copy in which `change` has been applied to the strings at these pointers; a member that is not there stays so. */
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

/** The string at a pointer, or empty. */
export function stringAt(document: unknown, pointer: string): string {
  const value = pointer
    .slice(1)
    .split('/')
    .reduce<unknown>((at, name) => (isJsonObject(at) ? at[name] : undefined), document);
  return typeof value === 'string' ? value : '';
}
