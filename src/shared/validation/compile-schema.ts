import { Ajv, type Options, type ValidateFunction } from 'ajv';

/**
 * Keywords beside JSON Schema's own that our schemas carry: `unit` (mm, ms, …), `apply` (live | idle | restart),
 * `secret`, and `fault`: what a value must be, in words, for one that breaks the `pattern`.
 */
const ANNOTATIONS = ['unit', 'apply', 'secret', 'fault'];

/** `strict` changes nothing in a value; `completing` fills in missing members from the schema's `default`. */
type Manner = 'strict' | 'completing';

/** A compiler for schemas of our kind. Numbers are never made from strings. */
export function schemaCompiler(manner: Manner, more: Options = {}): Ajv {
  const useDefaults = manner === 'completing';
  const ajv = new Ajv({
    ...{ allErrors: true, strict: true, strictTypes: false, verbose: true, useDefaults },
    ...more,
  });
  ajv.addVocabulary(ANNOTATIONS);
  return ajv;
}

const compilers = { strict: schemaCompiler('strict'), completing: schemaCompiler('completing') };

/** The text of every schema that was compiled, for bundle.js, which compiles them ahead. */
export const compiledSchemas = { strict: new Set<string>(), completing: new Set<string>() };

/**
 * Compiles a schema. In the bundle another function stands here, which only looks up what was compiled when it was built:
 * compiling takes a third of the start.
 */
export function compileSchema<T>(schema: object, manner: Manner): ValidateFunction<T> {
  compiledSchemas[manner].add(JSON.stringify(schema));
  return compilers[manner].compile<T>(schema);
}
