import type { RouteAccess, RouteName } from '../guard/policy.js';

/** A JSON Schema (2020-12). */
export type Schema = object;

interface Media {
  schema: Schema;
  example?: unknown;
}
export type Content = Readonly<Record<string, Media>>;

/** Parameters by name: schema and description. Default type: string. */
export type Parameters = Readonly<
  Record<string, { readonly description?: string; readonly [keyword: string]: unknown }>
>;

/** A request body by media type. Bodies larger than `maxBytes` get 413. */
export interface Body {
  required: boolean;
  content: Content;
  maxBytes: number;
}

/** A response. Default description: the name of the status. */
export interface Answer {
  description?: string;
  content?: Content;
  headers?: Parameters;
}

/** The declaration of a route. Its access rule, OpenAPI description and body parser are derived from it. */
export interface Operation extends RouteAccess {
  summary: string;
  description?: string;
  /** Parameters of this path that differ from `Chapter.path`. */
  path?: Parameters;
  query?: Parameters;
  headers?: Parameters;
  body?: Body;
  /** The response with status 200. */
  ok?: Answer;
  /** The response with status 201. */
  created?: Answer;
  /** Description of the 303 response. */
  redirect?: string;
  /** Other responses by status: further successes, and failures with a special body. */
  answers?: Readonly<Record<number, Answer>>;
  /** Error statuses in addition to those derived from access, method and body. Default: 404 if the path has parameters. */
  fails?: readonly number[];
}

/** A chapter of the OpenAPI document. Chapters may span modules; one of them has the description. */
export interface Chapter {
  name: string;
  description?: string;
  /** Named schemas of its routes. */
  schemas?: Readonly<Record<string, Schema>>;
  /** Path parameters that are not plain strings. */
  path?: Parameters;
}

export interface Api extends Chapter {
  routes: Readonly<Record<RouteName, Operation>>;
}
