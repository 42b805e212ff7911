import type { RequestHandler } from 'express';
import { APIS } from '../../src/app/api/apis.js';
import { policyOf } from '../../src/http/guard/policy.js';
import type { DeclaredRouter } from '../../src/http/server/declared-router.js';
import { RouteTable } from '../../src/http/server/route-table.js';

const table = new RouteTable(policyOf(APIS));

/** Returns a router's handlers for an app without access control. Requests are compared with the declared routes. */
export function handlersOf({ routes }: DeclaredRouter): RequestHandler[] {
  const match: RequestHandler = (req, _res, next) => {
    table.match(req);
    next();
  };
  return [match, ...routes.values()];
}
