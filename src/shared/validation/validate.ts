import type { ErrorObject, ValidateFunction } from 'ajv';
import type { Fault } from '../errors.js';
import { compileSchema } from './compile-schema.js';
import { faultMessage } from './messages.js';

/** Checks a value of unknown origin: no faults means that it is a `T`. */
export type Checker<T> = (value: unknown) => { value: T } | { faults: Fault[] };

/**
 * Compiles a schema into a checker for requests, now: compiled at its first use, the largest would hold up a cart that
 * moves for 30 ms, and for several times that on a Pi. The value is not changed, and numbers are never made from strings.
 * Call it when a module is loaded: only such schemas can be compiled ahead.
 * `T` is the schema's own type, made beside it with `FromSchema`.
 */
export function checkerFor<T>(schema: object): Checker<T> {
  return checkWith(compileSchema<T>(schema, 'strict'));
}

/**
 * Compiles a schema into a checker that completes the value, in place, with the schema's defaults: for documents that
 * people keep.
 */
export function completerFor<T>(schema: object): Checker<T> {
  return checkWith(compileSchema<T>(schema, 'completing'));
}

function checkWith<T>(validate: ValidateFunction<T>): Checker<T> {
  return (value) => (validate(value) ? { value } : { faults: faultsOf(validate.errors ?? []) });
}

/** One sentence a fault. What a part of a choice or of a name's schema says is left out: the whole has its own sentence. */
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

/** Where the fault is: a member that is missing or unknown is named itself. */
function pathOf({ instancePath, params }: ErrorObject): string {
  const member = params.additionalProperty ?? params.missingProperty;
  return member === undefined ? instancePath : `${instancePath}/${member}`;
}
