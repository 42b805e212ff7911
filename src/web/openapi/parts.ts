import type { Answer, Body, Media, Schema } from './types.js';

/** The words that the descriptions of the routes are made of. */

export const text = { type: 'string' } as const;
export const whole = { type: 'integer' } as const;
export const number = { type: 'number' } as const;
export const flag = { type: 'boolean' } as const;
/** ISO 8601. */
export const moment = { type: 'string', format: 'date-time' } as const;
/** By the wall clock. */
export const since1970 = { type: 'number', unit: 'ms since 1970 UTC' } as const;
export const uuid = { type: 'string', format: 'uuid' } as const;

/** One of these words. */
export const oneOf = (words: readonly string[]) => ({ type: 'string', enum: words }) as const;
export const listOf = (items: Schema) => ({ type: 'array', items }) as const;
export const mapOf = (additionalProperties: Schema) => ({ type: 'object', additionalProperties }) as const;
export const orNull = (schema: Schema) => ({ anyOf: [schema, { type: 'null' }] }) as const;
/** A schema of the document by its name. */
export const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` }) as const;

type OptionalKeys<T> = { [K in keyof T]-?: object extends Pick<T, K> ? K : never }[keyof T];
type Members<K extends PropertyKey> = Readonly<Record<K, Schema>>;
type Left<T> = [OptionalKeys<T>] extends [never] ? [] : [optional: Members<OptionalKeys<T>>];

interface RecordSchema {
  type: 'object';
  additionalProperties: false;
  required: string[];
  properties: Record<string, Schema>;
}

/**
 * The schema of an object of type `T`, which has these members and no others. The compiler compares them with the type:
 * a member that is forgotten, invented, or optional on one side only does not compile.
 */
export function record<T extends object>(
  required: Members<Exclude<keyof T, OptionalKeys<T>>>,
  ...[optional]: Left<T>
): RecordSchema {
  return {
    type: 'object',
    additionalProperties: false,
    required: Object.keys(required),
    properties: { ...required, ...optional },
  };
}

const media = (schema: Schema, example: unknown): Media =>
  example === undefined ? { schema } : { schema, example };

/** An answer in JSON. */
export function json(description: string, schema: Schema, example?: unknown): Answer {
  return { description, content: { 'application/json': media(schema, example) } };
}

/** A page for people. */
export function page(description: string): Answer {
  return { description, content: { 'text/html': { schema: text } } };
}

/** JSON for programs, a page for browsers. */
export function jsonOrPage(description: string, schema: Schema, example?: unknown): Answer {
  return { description, content: { ...json('', schema, example).content, ...page('').content } };
}

/** Bytes of a media type. */
export function file(description: string, type: string): Answer {
  return { description, content: { [type]: { schema: {} } } };
}

/** A browser is sent on; whoever does not follow can read where to. */
export function away(description: string): Answer {
  return {
    description,
    headers: { location: { description: 'Where to', schema: text } },
    content: { 'text/html': { schema: text }, 'text/plain': { schema: text } },
  };
}

/** A JSON body. */
export function jsonBody(schema: Schema, example?: unknown): Body {
  return { required: true, content: { 'application/json': media(schema, example) } };
}

/** A body as JSON, or as the form of a page. */
export function formBody(schema: Schema, example?: unknown): Body {
  const told = media(schema, example);
  return {
    required: true,
    content: { 'application/json': told, 'application/x-www-form-urlencoded': told },
  };
}

/** The same when it may be left out. */
export function optionalBody(schema: Schema, example?: unknown): Body {
  return { ...formBody(schema, example), required: false };
}

/** The answer of a change that has nothing to tell. */
export const done = (description: string): Answer =>
  json(description, record<{ success: true }>({ success: { const: true } }), { success: true });

/** A form of settings: one field a value, named by its JSON pointer. */
export const pointerForm: Body = {
  required: true,
  content: {
    'application/x-www-form-urlencoded': {
      schema: mapOf(text),
      example: { '/camera/rotation': '180' },
    },
    'application/json': { schema: mapOf(text) },
  },
};

/** How a session is shown, in the words of both documents. */
export const SESSION = {
  in: 'cookie',
  name: 'sessie_p3000',
  description: 'The cookie of `POST /login`; the number is the port. Over TLS its name is `__Host-sessie`.',
};
