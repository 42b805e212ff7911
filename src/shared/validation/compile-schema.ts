import { Ajv, type Options, type ValidateFunction } from 'ajv';

/**
 * Custom schema keywords. `page` is the path of the page that sets a value; `fault` is the error text for a
 * value that does not match `pattern` or `anyOf`.
 */
const ANNOTATIONS = ['unit', 'apply', 'secret', 'basic', 'group', 'valueTitles', 'page', 'steps', 'fault'];

/** `strict` does not change the value; `completing` adds missing members from `default`. */
type Mode = 'strict' | 'completing';

/** Strings are never coerced to numbers. */
export function schemaCompiler(mode: Mode, more: Options = {}): Ajv {
  const useDefaults = mode === 'completing';
  const ajv = new Ajv({
    allErrors: true,
    strict: true,
    strictTypes: false,
    verbose: true,
    useDefaults,
    ...more,
  });
  ajv.addVocabulary(ANNOTATIONS);
  return ajv;
}

const compilers = { strict: schemaCompiler('strict'), completing: schemaCompiler('completing') };

/** The schemas passed to `compileSchema`, as JSON strings, which scripts/bundle.js compiles at build time. */
export const compiledSchemas = { strict: new Set<string>(), completing: new Set<string>() };

/** The bundle replaces this function with a lookup, because compiling would take a third of the startup time. */
export function compileSchema<T>(schema: object, mode: Mode): ValidateFunction<T> {
  compiledSchemas[mode].add(JSON.stringify(schema));
  return compilers[mode].compile<T>(schema);
}
