import type { IncomingMessage } from 'node:http';
import type { Request } from 'express';
import type { Ahead } from '../../beacons/http/ahead.js';
import { Tally } from '../../shared/metric.js';

/**
 * Counts the answers of a server by method, route and status. What is no route of ours is `none`: no more rows than routes.
 * @returns `ahead`, which counts what the given one answers at once, and everything else when its answer closes: a
 * listener for each request costs as much as a quarter of a ready answer.
 */
export function countRequests(ahead: Ahead): { requests: Tally; ahead: Ahead } {
  const requests = new Tally();
  // One function for all answers, so that a request makes no closure; the answer is its `this`.
  function count(this: { req: IncomingMessage; statusCode: number }): void {
    const { method = '', route, baseUrl } = this.req as Request;
    requests.add(method, route ? `${baseUrl}${String(route.path)}` : 'none', String(this.statusCode));
  }
  return {
    requests,
    ahead(req, res) {
      const route = ahead(req, res);
      if (route === undefined) res.on('close', count);
      else requests.add('GET', route, '200');
      return route;
    },
  };
}
