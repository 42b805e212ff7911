import type { RouteAccess, RouteName } from '../guard/policy.js';

/** A JSON Schema (2020-12), as the document contains it. */
export type Schema = object;

interface Media {
  schema: Schema;
  example?: unknown;
}
export type Content = Readonly<Record<string, Media>>;

/** Parameters by name: their schemas, with a description. Without a type, a parameter is text. */
export type Parameters = Readonly<
  Record<string, { readonly description?: string; readonly [keyword: string]: unknown }>
>;

/** A request body by media type. Larger ones than `maxBytes` are 413. */
export interface Body {
  required: boolean;
  content: Content;
  maxBytes: number;
}

/** A response. The description defaults to the name of its status. */
export interface Answer {
  description?: string;
  content?: Content;
  headers?: Parameters;
}

/** The declaration of a route, from which its policy, its description and the reader of its body are derived. */
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
  /** Where the response with status 303 sends browsers. */
  redirect?: string;
  /** The other responses by status: further successes, and failures with a body of their own. */
  answers?: Readonly<Record<number, Answer>>;
  /**
   * The statuses of failures in the common shape, beyond those that follow from access, method and body. Default: 404 for
   * a path with parameters.
   */
  fails?: readonly number[];
}

/** A chapter of the document; without a description when another one opens it. */
export interface Chapter {
  name: string;
  description?: string;
  /** What its routes refer to by name. */
  schemas?: Readonly<Record<string, Schema>>;
  /** The parameters of its paths that are not plain text. */
  path?: Parameters;
}

export interface Api extends Chapter {
  routes: Readonly<Record<RouteName, Operation>>;
}
