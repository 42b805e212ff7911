import { Ajv, type Options, type ValidateFunction } from 'ajv';

/**
 * Custom schema keywords: `unit` (mm, ms, …), `apply` (live | idle | restart), `secret` and `fault` (the
 * error text for a value that does not match `pattern` or `anyOf`).
 */
const ANNOTATIONS = ['unit', 'apply', 'secret', 'fault'];

/** `strict` does not change the value. `completing` fills in missing members from `default`. */
type Mode = 'strict' | 'completing';

/** Returns an Ajv instance for the gateway's schemas. Strings are never coerced to numbers. */
export function schemaCompiler(mode: Mode, more: Options = {}): Ajv {
  const useDefaults = mode === 'completing';
  const ajv = new Ajv({
    ...{ allErrors: true, strict: true, strictTypes: false, verbose: true, useDefaults },
    ...more,
  });
  ajv.addVocabulary(ANNOTATIONS);
  return ajv;
}

const compilers = { strict: schemaCompiler('strict'), completing: schemaCompiler('completing') };

/** All compiled schemas as text, for bundle.js to compile ahead of time. */
export const compiledSchemas = { strict: new Set<string>(), completing: new Set<string>() };

/**
 * Compiles a schema. The bundle replaces this function with a lookup of schemas compiled at build time,
 * because compiling takes a third of the startup time.
 */
export function compileSchema<T>(schema: object, mode: Mode): ValidateFunction<T> {
  compiledSchemas[mode].add(JSON.stringify(schema));
  return compilers[mode].compile<T>(schema);
}
