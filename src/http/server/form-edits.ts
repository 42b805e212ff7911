import { isDeepStrictEqual } from 'node:util';
import { GatewayError } from '../../shared/errors.js';
import { sharedMessage } from '../../shared/messages/messages.js';
import { isJsonObject, parseJson } from '../../shared/validation/json.js';

/** Name of the hidden form field that contains the form's initial values as JSON. */
export const OPENED = 'opened';

type Values<Name extends string> = Readonly<Record<Name, unknown>>;

interface FormEdits<Name extends string> {
  opened: Readonly<Record<string, unknown>>;
  entered: Values<Name>;
  /** The values that are stored now. */
  current: Values<Name>;
}

interface MergedEdits<Name extends string> {
  /** The stored value of each field that the user did not edit, and the entered values of the others. */
  values: Record<Name, unknown>;
  edited: Name[];
  /** Edited fields that were changed to a different value after the form was opened. */
  conflicts: Name[];
}

/** Returns the content of the field `OPENED`; empty if the form does not contain the field. */
export function openedTextIn(body: unknown): string {
  const text = isJsonObject(body) ? body[OPENED] : undefined;
  return typeof text === 'string' ? text : '';
}

/** Returns undefined if the form does not contain its initial values. */
export function openedIn(body: unknown): FormEdits<string>['opened'] | undefined {
  const text = openedTextIn(body);
  if (text === '') return undefined;
  try {
    const opened = parseJson(text);
    return isJsonObject(opened) ? opened : undefined;
  } catch {
    return undefined;
  }
}

/** Compares a submitted form with the stored values, so that only the fields that the user has edited are replaced. */
export function mergeEdits<Name extends string>(
  names: readonly Name[],
  { opened, entered, current }: FormEdits<Name>,
): MergedEdits<Name> {
  const edited = names.filter((name) => !isDeepStrictEqual(entered[name], opened[name]));
  const conflicts = edited.filter(
    (name) =>
      !isDeepStrictEqual(current[name], opened[name]) && !isDeepStrictEqual(current[name], entered[name]),
  );
  const values = Object.fromEntries(
    names.map((name) => [name, edited.includes(name) ? entered[name] : current[name]]),
  );
  return { values: values as Record<Name, unknown>, edited, conflicts };
}

/** @param fields each form field with a conflict, and its stored value as the form would show it. */
export function conflictError(fields: readonly { name: string; shown: string }[]): GatewayError {
  return new GatewayError('ETAG_MISMATCH', sharedMessage('fields-changed'), {
    faults: fields.map(({ name, shown }) => ({
      path: `/${name}`,
      message:
        shown === '' ? sharedMessage('field-cleared') : sharedMessage('field-changed', { value: shown }),
    })),
    hint: sharedMessage('fields-changed-hint'),
  });
}
