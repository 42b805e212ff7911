import type { RouteAccess, RouteName } from '../guard/policy.js';

/** JSON Schema 2020-12. */
export type Schema = object;

interface Media {
  schema: Schema;
  example?: unknown;
}
export type MediaContent = Readonly<Record<string, Media>>;

/** Parameters by name. The default type is string. */
export type Parameters = Readonly<
  Record<string, { readonly description?: string; readonly [keyword: string]: unknown }>
>;

/** A request body, with its content by media type. Bodies larger than `maxBytes` are rejected with 413. */
export interface Body {
  required: boolean;
  content: MediaContent;
  maxBytes: number;
  /** True if the body may stop a cart even if it is not valid; see `readCommandBody`. */
  mayStop?: boolean;
  /** Maximum number of fields of a form; 1,000 if omitted. */
  maxFields?: number;
}

/** A response. The default description is the name of the HTTP status. */
export interface Answer {
  description?: string;
  content?: MediaContent;
  headers?: Parameters;
}

/** Declares a route. The access rule, OpenAPI description and body parser are derived from it. */
export interface Operation extends RouteAccess {
  summary: string;
  description?: string;
  /** Path parameters that differ from those in `Chapter.path`. */
  path?: Parameters;
  query?: Parameters;
  headers?: Parameters;
  body?: Body;
  ok?: Answer;
  created?: Answer;
  /** True if the response is a page unless the client prefers JSON; otherwise, JSON takes precedence. */
  pageFirst?: boolean;
  /** Description of the 303 response. */
  redirect?: string;
  /** Other success responses, and error responses with a special body, by status. */
  answers?: Readonly<Record<number, Answer>>;
  /** Additional error statuses. The default is 404 if the path has parameters. */
  fails?: readonly number[];
}

/** Several modules may belong to one chapter; one of them provides the description. */
export interface Chapter {
  name: string;
  description?: string;
  schemas?: Readonly<Record<string, Schema>>;
  /** Path parameters that are not plain strings. */
  path?: Parameters;
}

export interface Api extends Chapter {
  routes: Readonly<Record<RouteName, Operation>>;
}
