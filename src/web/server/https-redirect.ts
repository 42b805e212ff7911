import type { RequestHandler } from 'express';
import { wantsHtml } from '../errors.js';
import type { PolicyEntry } from '../guard/policy.js';
import { PolicyTable, policyOf } from '../guard/policy.js';
import type { Api, Operation } from '../openapi/types.js';
import { routeMatchOf } from './route-table.js';
import { compare } from './shadow.js';

interface HttpsRedirectDeps {
  apis: readonly Api[];
  /** Returns the HTTPS port for a host name or address; undefined if pages are not redirected. */
  portFor: (host: string) => number | undefined;
  /** True for a trusted proxy's address. */
  isProxy: (address: string) => boolean;
}

/** This page stays available over HTTP, because it explains how to install the CA. */
const NEVER = 'GET /system/tls';

/**
 * Redirects browsers to HTTPS if they open a page over HTTP, but never form submissions, scripts, downloads
 * or API requests. Browsers that accept the redirect send `Upgrade-Insecure-Requests` (W3C recommendation of
 * that name, 3.3), so programs are never redirected. The redirect is temporary, so browsers do not store it.
 */
export function httpsRedirect({ apis, portFor, isProxy }: HttpsRedirectDeps): RequestHandler {
  const pages = new PolicyTable(apis.flatMap(pageRoutes));
  return (req, res, next) => {
    const isNavigation = req.method === 'GET' && req.headers['upgrade-insecure-requests'] === '1';
    if (!isNavigation || req.secure || !wantsHtml(req)) return next();
    const { route } = routeMatchOf(req);
    const now = route?.isPage === true && `${route.method} ${route.path}` !== NEVER;
    compare(undefined, 'page', { now, before: pages.find('GET', req.path).length > 0, of: req.url });
    if (pages.find('GET', req.path).length === 0) return next();
    if (isProxy(req.socket.remoteAddress ?? '')) return next();
    const host = /^(\[[^\]]+\]|[^:]+)(?::\d+)?$/.exec(req.headers.host ?? '')?.[1];
    const port = host && portFor(host.replace(/^\[|\]$/g, ''));
    if (!port) return next();
    res.setHeader('vary', 'upgrade-insecure-requests');
    res.setHeader('cache-control', 'no-store');
    res.redirect(307, `https://${host}:${port}${req.originalUrl}`);
  };
}

/** True if a route responds with a page, so that browsers can be redirected to HTTPS. */
export function isRedirectable(route: string, { ok }: Pick<Operation, 'ok'>): boolean {
  return route.startsWith('GET ') && route !== NEVER && 'text/html' in (ok?.content ?? {});
}

function pageRoutes({ routes, ...api }: Api): PolicyEntry[] {
  const pages = Object.entries(routes).filter(([route, operation]) => isRedirectable(route, operation));
  return policyOf([{ ...api, routes: Object.fromEntries(pages) }]);
}
