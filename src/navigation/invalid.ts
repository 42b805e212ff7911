import { type Fault, GatewayError } from '../shared/errors.js';
import { validationMessage } from '../shared/validation/messages.js';
import type { Checker } from '../shared/validation/validate.js';

interface ObjectSchema {
  readonly properties: Readonly<Record<string, object>>;
}

/** Returns `INVALID_INPUT` with all errors, and the field, limit and unit of the first one. */
export function invalidMarker(faults: Fault[], { properties }: ObjectSchema): GatewayError {
  const [first] = faults;
  const field = first?.path.slice(1) ?? '';
  const message = validationMessage('field', { field: field || 'the body', fault: first?.message ?? '' });
  const details = { faults, ...(field ? { field } : {}) };
  const limit = typeof first?.message === 'object' ? first.message.params.limit : undefined;
  if (typeof limit !== 'number') return new GatewayError('INVALID_INPUT', message, details);
  const { unit }: { unit?: string } = properties[field] ?? {};
  return new GatewayError('INVALID_INPUT', message, { ...details, limit, ...(unit ? { unit } : {}) });
}

/** Returns the checked value. Throws `INVALID_INPUT` with the errors that `check` finds. */
export function validated<T>(check: Checker<T>, value: unknown, schema: ObjectSchema): T {
  const checked = check(value);
  if ('faults' in checked) throw invalidMarker(checked.faults, schema);
  return checked.value;
}
