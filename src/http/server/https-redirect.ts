import type { RequestHandler } from 'express';
import { wantsHtml } from '../errors.js';
import type { PolicyEntry } from '../guard/policy.js';
import { routeMatchOf } from './route-table.js';

interface HttpsRedirectDeps {
  /** Returns the HTTPS port for a host name or address; undefined if pages are not redirected. */
  portFor: (host: string) => number | undefined;
  /** True for a trusted proxy's address. */
  isProxy: (address: string) => boolean;
}

/** This page stays available over HTTP, because it explains how to install the CA. */
const NEVER = '/system/tls';

/**
 * Redirects browsers to HTTPS if they open a page over HTTP, but never form submissions, scripts, downloads
 * or API requests. Only browsers that accept the redirect send `Upgrade-Insecure-Requests` (W3C
 * Upgrade Insecure Requests, 3.3), so programs are never redirected. The redirect is temporary, so browsers do not store it.
 */
export function httpsRedirect({ portFor, isProxy }: HttpsRedirectDeps): RequestHandler {
  return (req, res, next) => {
    const isNavigation = req.method === 'GET' && req.headers['upgrade-insecure-requests'] === '1';
    if (!isNavigation || req.secure || !wantsHtml(req)) return next();
    const { route } = routeMatchOf(req);
    if (!route || !isRedirectable(route)) return next();
    if (isProxy(req.socket.remoteAddress ?? '')) return next();
    const host = /^(\[[^\]]+\]|[^:]+)(?::\d+)?$/.exec(req.headers.host ?? '')?.[1];
    const port = host && portFor(host.replace(/^\[|\]$/g, ''));
    if (!port) return next();
    res.setHeader('vary', 'upgrade-insecure-requests');
    res.setHeader('cache-control', 'no-store');
    res.redirect(307, `https://${host}:${port}${req.originalUrl}`);
  };
}

/** Returns true if a route responds with a page, so that browsers can be redirected to HTTPS. */
export function isRedirectable({ method, path, answers }: PolicyEntry): boolean {
  return method === 'GET' && answers !== 'no-page' && path !== NEVER;
}
