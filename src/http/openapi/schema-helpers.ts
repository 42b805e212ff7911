import type { UploadProgress } from '../../shared/ports/backups.js';
import type { RouteAccess } from '../guard/policy.js';
import { PART_KIB } from '../server/upload-parts.js';
import type { Answer, Api, Body, Chapter, MediaContent, Operation, Schema } from './types.js';

export type { Answer, Schema } from './types.js';

/** Helpers for route declarations. Import as `t`. */

export const text = { type: 'string' } as const;
export const whole = { type: 'integer' } as const;
export const number = { type: 'number' } as const;
export const flag = { type: 'boolean' } as const;
export const object = { type: 'object' } as const;
/** ISO 8601. */
export const moment = { type: 'string', format: 'date-time' } as const;
export const since1970 = { type: 'number', unit: 'Unix time in ms' } as const;
export const uuid = { type: 'string', format: 'uuid' } as const;
export const yes = { const: true } as const;
export const mm = { ...number, unit: 'mm' } as const;
export const ms = { ...number, unit: 'ms' } as const;
export const deg = { ...number, unit: 'deg' } as const;
export const mmps = { ...number, unit: 'mm/s' } as const;
export const bytes = { ...whole, unit: 'bytes' } as const;

export const oneOf = (values: readonly string[]) => ({ type: 'string', enum: values }) as const;
export const between = (minimum: number, maximum?: number) =>
  ({ ...whole, minimum, ...(maximum === undefined ? {} : { maximum }) }) as const;
export const listOf = (items: Schema) => ({ type: 'array', items }) as const;
export const mapOf = (additionalProperties: Schema) => ({ type: 'object', additionalProperties }) as const;
export const orNull = (schema: Schema) => ({ anyOf: [schema, { type: 'null' }] }) as const;
export const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` }) as const;
export const refs = (name: string) => listOf(ref(name));

export const each = <K extends string, const S extends Schema>(schema: S, ...names: readonly K[]) =>
  Object.fromEntries(names.map((name) => [name, schema])) as Record<K, S>;

type OptionalKeys<T> = { [K in keyof T]-?: object extends Pick<T, K> ? K : never }[keyof T];
type Members<K extends PropertyKey> = Readonly<Record<K, Schema>>;
type Left<T> = [OptionalKeys<T>] extends [never] ? [] : [optional: Members<OptionalKeys<T>>];

interface RecordSchema {
  type: 'object';
  additionalProperties: false;
  required: string[];
  properties: Record<string, Schema>;
}

/** Allows no additional members. Members that do not match type `T` cause a compile error. */
export function record<T extends object>(
  required: Members<Exclude<keyof T, OptionalKeys<T>>>,
  ...[optional]: Left<T>
): RecordSchema {
  return exact(required, optional);
}

/** Like `record`, but not checked against a type. */
export function exact(required: Record<string, Schema>, optional: Record<string, Schema> = {}): RecordSchema {
  return {
    type: 'object',
    additionalProperties: false,
    required: Object.keys(required),
    properties: { ...required, ...optional },
  };
}

/** Members are optional unless listed in `required`. Additional members are allowed. */
export const open = (required: readonly string[], properties: Record<string, Schema>) =>
  ({ type: 'object', ...(required.length > 0 ? { required } : {}), properties }) as const;

export const contentOf = (types: readonly string[], schema: Schema, example?: unknown): MediaContent =>
  Object.fromEntries(types.map((type) => [type, example === undefined ? { schema } : { schema, example }]));

const JSON_TYPE = 'application/json';
const HTML: MediaContent = { 'text/html': { schema: text } };

export const json = (schema: Schema, example?: unknown) =>
  ({ content: contentOf([JSON_TYPE], schema, example) }) satisfies Answer;

export const jsonOf = (name: string, example?: unknown) => json(ref(name), example);
export const jsonListOf = (name: string, example?: unknown) => json(refs(name), example);

export const page: Answer = { content: HTML };

/** Describes a response that is JSON for programs and HTML for browsers. */
export const jsonOrPage = (schema: Schema, example?: unknown) =>
  ({ content: { ...json(schema, example).content, ...HTML } }) satisfies Answer;

export const file = (...types: readonly string[]): Answer => ({ content: contentOf(types, {}) });

const PART_HEADERS = { 'content-range': { description: 'First and last byte, and the size of the file' } };

/** A file with this content that supports conditional and range requests. */
export const downloadOf = (content: MediaContent) => ({
  ok: { content },
  answers: { 206: { content, headers: PART_HEADERS }, 304: {} },
  fails: [404, 412, 416],
});

export const download = (type: string) => downloadOf(contentOf([type], {}));

/** Describes a redirect. Redirects to the login page are not declared. */
export const redirectTo = (description: string): Answer => ({
  description,
  headers: { location: { description: 'Redirect target' } },
  content: { ...HTML, 'text/plain': { schema: text } },
});

export const BACK = 'Browsers are redirected back to the page';

export const success = (more: Record<string, Schema> = {}): RecordSchema => exact({ success: yes, ...more });
export const done = json(success(), { success: true });
export const doneOrBack = { ok: done, redirect: BACK };

type Rest = Omit<Operation, keyof RouteAccess | 'summary'>;
/** Makes an unknown member in a route declaration a compile error. */
type NoOthers<R> = { [K in Exclude<keyof R, keyof Rest>]: never };

/** Returns a function that declares a route with this access rule. */
export function access(access: RouteAccess) {
  return <const R extends Rest = Rest>(summary: string, rest?: R & NoOthers<R>) =>
    ({ ...rest, ...access, summary }) as RouteAccess & { summary: string } & R;
}

export const api = <const C extends Chapter, const R extends Api['routes']>(chapter: C, routes: R) => ({
  ...chapter,
  routes,
});

export const anyone = access({ need: 'public' });
export const user = access({ need: 'session' });
export const operator = access({ need: 'operator' });
export const admin = access({ need: 'admin' });

const KIB = 1024;
const FORM_TYPE = 'application/x-www-form-urlencoded';

export function body(types: readonly string[], schema: Schema, example?: unknown, kib = 16): Body {
  return { required: true, content: contentOf(types, schema, example), maxBytes: kib * KIB };
}

export const jsonBody = (schema: Schema, example?: unknown, kib?: number): Body =>
  body([JSON_TYPE], schema, example, kib);

/** A body that is either JSON or a form that a page submits. */
export const formBody = (schema: Schema, example?: unknown, kib?: number): Body =>
  body([JSON_TYPE, FORM_TYPE], schema, example, kib);

export const pageForm = (schema: Schema, example?: unknown, kib?: number): Body =>
  body([FORM_TYPE], schema, example, kib);

export const optionalBody = (schema: Schema, example?: unknown): Body => ({
  ...formBody(schema, example),
  required: false,
});

/** For a route whose body `receivePart` stores. `stored` is the response to the last part. */
export const fileInParts = (stored: Schema, ...types: readonly string[]) => ({
  headers: { 'Content-Range': { description: 'Part of the file, such as `bytes 0-4194303/9437184`' } },
  body: body(['application/octet-stream', ...types], {}, undefined, PART_KIB),
  created: json(stored),
  answers: {
    202: { ...json(record<UploadProgress>({ received: bytes, bytes })), description: 'Part stored' },
  },
});

/** For a form that contains only a button. */
export const empty = optionalBody(object, {});

/** The body of a settings form. Each field's name is the JSON pointer of its value. */
export const pointerForm = (kib?: number): Body => formBody(mapOf(text), { '/camera/rotation': '180' }, kib);

export const SESSION = {
  in: 'cookie',
  name: 'sessie_p3000',
  description:
    'The cookie set by `POST /login`. The number in its name is the port. Over TLS, the cookie is named `__Host-sessie`.',
};
