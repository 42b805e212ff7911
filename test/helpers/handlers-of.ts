import type { RequestHandler } from 'express';
import type { DeclaredRouter } from '../../src/http/server/declared-router.js';

/** Returns a router's handlers for an app without a route table and without access checks. */
export function handlersOf({ routes }: DeclaredRouter): RequestHandler[] {
  return [...routes.values()];
}
