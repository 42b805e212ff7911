import type { ErrorObject, ValidateFunction } from 'ajv';
import type { Fault } from '../errors.js';
import { compileSchema } from './compile-schema.js';

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
    .map((error) => ({ path: pathOf(error), message: faultWords(error) }));
}

/** Where the fault is: a member that is missing or unknown is named itself. */
function pathOf({ instancePath, params }: ErrorObject): string {
  const member = params.additionalProperty ?? params.missingProperty;
  return member === undefined ? instancePath : `${instancePath}/${member}`;
}

/** The types of JSON by the names that people use. */
const TYPES: Record<string, string> = {
  integer: 'a whole number',
  number: 'a number',
  string: 'a text',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  null: 'null',
};

/** What is wrong with a value, by the keyword of JSON Schema that it breaks; the sentence begins after the field's name. */
const WORDS: Record<string, (params: Record<string, unknown>, schema: Annotated) => string> = {
  additionalProperties: () => 'is not a known field',
  anyOf: (_params, { fault }) => fault ?? 'is not one of the permitted values',
  const: ({ allowedValue }) => `must be ${String(allowedValue)}`,
  enum: ({ allowedValues }) => `must be one of ${(allowedValues as unknown[]).join(', ')}`,
  maxItems: ({ limit }) => `must have at most ${counted(limit, 'entry', 'entries')}`,
  maxLength: ({ limit }) => `must have at most ${counted(limit, 'character', 'characters')}`,
  maxProperties: ({ limit }) => `must have at most ${counted(limit, 'field', 'fields')}`,
  maximum: ({ limit }, schema) => `must be at most ${limit}${unitOf(schema)}`,
  minItems: ({ limit }) => atLeast(limit, 'entries'),
  minLength: ({ limit }) => atLeast(limit, 'characters'),
  minProperties: ({ limit }) => atLeast(limit, 'fields'),
  minimum: ({ limit }, schema) => `must be at least ${limit}${unitOf(schema)}`,
  multipleOf: ({ multipleOf }, schema) => `must be a multiple of ${multipleOf}${unitOf(schema)}`,
  // A regular expression is no sentence.
  pattern: (_params, { fault }) => fault ?? 'has characters that are not allowed here',
  propertyNames: ({ propertyName }) => `has a name that is not allowed here: ${String(propertyName)}`,
  required: () => 'is missing',
  type: ({ type }) => `must be ${[type].flat().map(typeName).join(' or ')}`,
  uniqueItems: () => 'must not have the same entry twice',
};

/** The annotations of a schema that its sentences use. */
interface Annotated {
  unit?: string;
  /** What the value must be, in words. */
  fault?: string;
}

/** The sentence for one error of the validator. */
function faultWords({ keyword, params, parentSchema }: ErrorObject): string {
  return WORDS[keyword]?.(params, (parentSchema ?? {}) as Annotated) ?? 'is not valid';
}

function atLeast(limit: unknown, many: string): string {
  return limit === 1 ? 'must not be empty' : `must have at least ${limit} ${many}`;
}

function counted(count: unknown, one: string, many: string): string {
  return `${count} ${count === 1 ? one : many}`;
}

function unitOf({ unit }: Annotated): string {
  return unit ? ` ${unit}` : '';
}

function typeName(type: unknown): string {
  return TYPES[String(type)] ?? String(type);
}
