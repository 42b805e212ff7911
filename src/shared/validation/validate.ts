import type { ErrorObject, ValidateFunction } from 'ajv';
import type { Fault } from '../errors.js';
import { compileSchema } from './compile-schema.js';
import { faultMessage } from './messages.js';

/** Validates an untrusted value. Returns the value or the errors. */
export type Checker<T> = (value: unknown) => { value: T } | { faults: Fault[] };

/**
 * Compiles a schema into a checker for requests. The checker does not change the value or coerce strings.
 * Call this when the module is loaded, because only schemas that are compiled at that time are compiled ahead
 * of time in the build. Compiling the largest schema on demand would block the event loop for 30 ms, and
 * several times as long on a Pi. `T` is the type of the schema, derived with `FromSchema`.
 */
export function checkerFor<T>(schema: object): Checker<T> {
  return checkWith(compileSchema<T>(schema, 'strict'));
}

/**
 * Compiles a schema into a checker for stored documents. The checker adds the schema's defaults to the value
 * in place.
 */
export function completerFor<T>(schema: object): Checker<T> {
  return checkWith(compileSchema<T>(schema, 'completing'));
}

function checkWith<T>(validate: ValidateFunction<T>): Checker<T> {
  return (value) => (validate(value) ? { value } : { faults: faultsOf(validate.errors ?? []) });
}

/** Omits errors inside `anyOf` and `propertyNames`, because the keyword as a whole has its own message. */
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

/** Returns the JSON pointer of the invalid value or, for a missing or unknown member, of that member. */
function pathOf({ instancePath, params }: ErrorObject): string {
  const member = params.additionalProperty ?? params.missingProperty;
  return member === undefined ? instancePath : `${instancePath}/${member}`;
}
