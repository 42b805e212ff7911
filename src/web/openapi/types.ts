import type { RouteAccess, RouteName } from '../guard/policy.js';

/** A JSON Schema (2020-12). */
export type Schema = object;

interface Media {
  schema: Schema;
  example?: unknown;
}
export type Content = Readonly<Record<string, Media>>;

/** Parameters by name, each with a schema and a description. Default type: string. */
export type Parameters = Readonly<
  Record<string, { readonly description?: string; readonly [keyword: string]: unknown }>
>;

/** A request body by media type. Bodies larger than `maxBytes` are rejected with 413. */
export interface Body {
  required: boolean;
  content: Content;
  maxBytes: number;
}

/** A response. The default description is the name of the status. */
export interface Answer {
  description?: string;
  content?: Content;
  headers?: Parameters;
}

/**
 * The declaration of a route, from which its access rule, OpenAPI description and body parser are derived.
 */
export interface Operation extends RouteAccess {
  summary: string;
  description?: string;
  /** Path parameters of this route that differ from `Chapter.path`. */
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
  /** Other responses by status: additional success responses, and error responses with a special body. */
  answers?: Readonly<Record<number, Answer>>;
  /**
   * Error statuses in addition to those that are derived from the access rule, method and body. Default: 404
   * if the path has parameters.
   */
  fails?: readonly number[];
}

/**
 * A chapter of the OpenAPI document. A chapter may span several modules; one of them provides the
 * description.
 */
export interface Chapter {
  name: string;
  description?: string;
  /** Named schemas that the chapter's routes use. */
  schemas?: Readonly<Record<string, Schema>>;
  /** Path parameters that are not plain strings. */
  path?: Parameters;
}

export interface Api extends Chapter {
  routes: Readonly<Record<RouteName, Operation>>;
}
