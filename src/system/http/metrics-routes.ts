import { Router } from 'express';
import type { EventFeed } from '../../carts/http/events.js';
import { counter, gauge, type MetricFamily, type Tally } from '../../shared/metric.js';

export interface MetricsRoutesDeps {
  /** Everything but what the HTTP server itself counts, in Prometheus' text format. */
  scrape: (more: readonly MetricFamily[]) => Promise<{ contentType: string; text: string }>;
  requests: Tally;
  feed: Pick<EventFeed, 'clients'>;
}

/** `GET /metrics`, for Prometheus. */
export function metricsRoutes({ scrape, requests, feed }: MetricsRoutesDeps): Router {
  const router = Router();
  router.get('/metrics', async (_req, res) => {
    const { contentType, text } = await scrape([
      counter(
        'cartwright_http_requests_total',
        'Answered requests; those to no route of ours are `none`.',
        requests.rows('method', 'route', 'status'),
      ),
      gauge('cartwright_event_streams', 'Pages that follow what happens.', feed.clients),
    ]);
    res.writeHead(200, { 'content-type': contentType, 'cache-control': 'no-store' }).end(text);
  });
  return router;
}
