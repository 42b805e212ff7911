import type { ErrorObject, ValidateFunction } from 'ajv';
import { compileSchema } from './compile-schema.js';
import type { Fault } from './errors.js';

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
  return (value) => (validate(value) ? { value } : { faults: (validate.errors ?? []).map(toFault) });
}

/** One sentence a fault, with the limit and the unit that were broken. */
function toFault(error: ErrorObject): Fault {
  const unit = unitOf(error.parentSchema);
  const { params } = error;
  switch (error.keyword) {
    case 'additionalProperties':
      return { path: `${error.instancePath}/${params.additionalProperty}`, message: 'is not a known field' };
    case 'required':
      return { path: `${error.instancePath}/${params.missingProperty}`, message: 'is missing' };
    case 'minimum':
      return { path: error.instancePath, message: `must be at least ${params.limit}${unit}` };
    case 'maximum':
      return { path: error.instancePath, message: `must be at most ${params.limit}${unit}` };
    case 'minLength':
      return { path: error.instancePath, message: `must have at least ${params.limit} characters` };
    case 'maxLength':
      return { path: error.instancePath, message: `must have at most ${params.limit} characters` };
    case 'enum':
      return { path: error.instancePath, message: `must be one of ${params.allowedValues.join(', ')}` };
    case 'type':
      return { path: error.instancePath, message: `must be of type ${[params.type].flat().join(' or ')}` };
    case 'pattern':
      return { path: error.instancePath, message: wordsOf(error.parentSchema) };
    default:
      return { path: error.instancePath, message: error.message ?? 'is not valid' };
  }
}

/** A regular expression is no sentence. */
function wordsOf(schema: unknown): string {
  const fault = (schema as { fault?: unknown } | undefined)?.fault;
  return typeof fault === 'string' ? fault : 'has characters that are not allowed here';
}

function unitOf(schema: unknown): string {
  const unit = (schema as { unit?: unknown } | undefined)?.unit;
  return typeof unit === 'string' ? ` ${unit}` : '';
}
