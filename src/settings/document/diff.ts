import { isDeepStrictEqual } from 'node:util';
import { isJsonObject } from '../../shared/validation/json.js';
import { SECRETS } from '../schema/schema.js';
import type { JsonObject } from './document.js';
import { MASK } from './merge.js';

/** `from` is `undefined` if the value was added, `to` if it was removed. */
export interface ValueChange {
  /** JSON pointer, such as `/mqtt/host`. */
  pointer: string;
  keys: readonly string[];
  from: unknown;
  to: unknown;
}

/** Returns the changes in document order. Objects are compared member by member, arrays as a whole. */
export function diffDocuments(
  from: JsonObject,
  to: JsonObject,
  above: readonly string[] = [],
): ValueChange[] {
  return [...new Set([...Object.keys(from), ...Object.keys(to)])].flatMap((name) => {
    const keys = [...above, name];
    const [old, next] = [from[name], to[name]];
    if (isJsonObject(old) && isJsonObject(next)) return diffDocuments(old, next, keys);
    return isDeepStrictEqual(old, next) ? [] : [{ pointer: pointerOf(keys), keys, from: old, to: next }];
  });
}

/** Replaces each secret with `***`, or with an empty string if it is unset. */
export function maskChanges(changes: readonly ValueChange[]): ValueChange[] {
  const masked = (value: unknown) => (value ? MASK : '');
  return changes.map((change) =>
    SECRETS.includes(change.pointer)
      ? { ...change, from: masked(change.from), to: masked(change.to) }
      : change,
  );
}

/** Reverts the changes between `before` and `after`, except for values that have changed again. */
export function revertChanges(now: JsonObject, before: JsonObject, after: JsonObject): JsonObject {
  const changes = diffDocuments(before, after).filter(({ keys, to }) =>
    isDeepStrictEqual(valueAt(now, keys), to),
  );
  return applyChanges(
    now,
    changes.map(({ from, to, ...change }) => ({ ...change, from: to, to: from })),
  );
}

/** Returns the document with each changed value replaced by `to`. Skips changes whose parent object is missing. */
export function applyChanges(now: JsonObject, changes: readonly ValueChange[]): JsonObject {
  const document = structuredClone(now);
  for (const { keys, to } of changes) {
    const last = keys[keys.length - 1] ?? '';
    const holder = valueAt(document, keys.slice(0, -1));
    if (!isJsonObject(holder)) continue;
    if (to === undefined) delete holder[last];
    else holder[last] = structuredClone(to);
  }
  return document;
}

/** Returns undefined if the document does not contain the value. */
export function valueAt(document: JsonObject, keys: readonly string[]): unknown {
  return keys.reduce<unknown>((at, key) => memberOf(at, key), document);
}

function memberOf(value: unknown, key: string): unknown {
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

function pointerOf(keys: readonly string[]): string {
  return keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
