import type { IncomingMessage, Server } from 'node:http';
import type { Request } from 'express';
import { Tally } from '../util/metric.js';

/** Counts the answers of a server by method, route and status. What is no route of ours is `none`: no more rows than routes. */
export function countRequests(server: Server): Tally {
  const tally = new Tally();
  // One function for all answers, so that a request makes no closure; the answer is its `this`.
  function count(this: { req: IncomingMessage; statusCode: number }): void {
    const { method = '', route, baseUrl } = this.req as Request;
    tally.add(method, route ? `${baseUrl}${String(route.path)}` : 'none', String(this.statusCode));
  }
  server.on('request', (_req, res) => res.on('close', count));
  return tally;
}
