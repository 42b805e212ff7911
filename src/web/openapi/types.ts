import type { PolicyEntry } from '../guard/policy.js';

/** A JSON Schema (2020-12), as it stands in the document. */
export type Schema = object;

/** A body: its schema and what it looks like. */
export interface Media {
  schema: Schema;
  example?: unknown;
}

/** Something in the address or header of a request. A text, unless `schema` says otherwise. */
export interface Parameter {
  description: string;
  schema?: Schema;
  required?: boolean;
}

/** What a request brings along, by media type. */
export interface Body {
  required: boolean;
  content: Readonly<Record<string, Media>>;
}

/** What comes back: nothing, or a body in one of these media types. */
export interface Answer {
  description: string;
  content?: Readonly<Record<string, Media>>;
  headers?: Readonly<Record<string, { description: string; schema: Schema }>>;
}

/** One route in words and schemas. Who may use it is in the policy; what every route answers is in `api-failures.ts`. */
export interface Operation {
  summary: string;
  description?: string;
  path?: Readonly<Record<string, Parameter>>;
  query?: Readonly<Record<string, Parameter>>;
  headers?: Readonly<Record<string, Parameter>>;
  body?: Body;
  answers: Readonly<Record<number, Answer>>;
  /** The statuses of its failures that are told in the shape of the house. */
  failures?: readonly number[];
}

/** The description of some routes, by `METHOD /path` as the policy has it, and the schemas that they name by `ref`. */
export interface Api {
  /** What they are about: a chapter of the document. */
  tag: { name: string; description: string };
  routes: Readonly<Record<`${PolicyEntry['method']} /${string}`, Operation>>;
  schemas?: Readonly<Record<string, Schema>>;
}
