import type { ErrorObject, ValidateFunction } from 'ajv';
import { type Fault, GatewayError } from '../errors.js';
import type { Text } from '../messages/message.js';
import { compileSchema } from './compile-schema.js';
import { faultMessage, validationMessage } from './messages.js';

export type Checker<T> = (value: unknown) => { value: T } | { faults: Fault[] };

/**
 * Compiles a request schema; the checker does not change the value or coerce strings. Call this when a module is
 * loaded, because the build precompiles only the schemas that are compiled then. Compiling the largest schema on
 * demand would block the event loop for 30 ms, or longer on a Raspberry Pi.
 */
export function checkerFor<T>(schema: object): Checker<T> {
  return checkWith(compileSchema<T>(schema, 'strict'));
}

/** The checker for stored documents adds the schema's defaults to the document. */
export function completerFor<T>(schema: object): Checker<T> {
  return checkWith(compileSchema<T>(schema, 'completing'));
}

function checkWith<T>(validate: ValidateFunction<T>): Checker<T> {
  return (value) => (validate(value) ? { value } : { faults: faultsOf(validate.errors ?? []) });
}

/** Omits errors inside `anyOf` and `propertyNames`, because these keywords have their own messages. */
function faultsOf(errors: readonly ErrorObject[]): Fault[] {
  const wholes = errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'propertyNames');
  return errors
    .filter(({ schemaPath, instancePath }) =>
      wholes.every(
        (whole) => whole.instancePath !== instancePath || !schemaPath.startsWith(`${whole.schemaPath}/`),
      ),
    )
    .map((error) => ({ path: pathOf(error), message: faultMessage(error) }));
}

/** Returns the JSON pointer of the invalid, missing or unknown value. */
function pathOf({ instancePath, params }: ErrorObject): string {
  const member = params.additionalProperty ?? params.missingProperty;
  return member === undefined ? instancePath : `${instancePath}/${member}`;
}

/**
 * Returns `INVALID_INPUT` with all faults and the field of the first one.
 * @param subjectOf returns the subject of the message for a field; by default, the field itself.
 */
export function invalidInput(
  faults: Fault[],
  subjectOf = (field: string): Text => field || 'the body',
): GatewayError {
  const [first] = faults;
  const field = first?.path.slice(1) ?? '';
  const fault = first?.message ?? validationMessage('invalid');
  const message = validationMessage('field', { field: subjectOf(field), fault });
  return new GatewayError('INVALID_INPUT', message, { faults, ...(field ? { field } : {}) });
}
