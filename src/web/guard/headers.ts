import type { Request, RequestHandler, Response } from 'express';

/**
 * Returns a Content Security Policy that allows scripts, styles and images only from this gateway, and
 * forbids inline scripts, inline styles and framing.
 * @param imageOrigins additional origins for images.
 */
export function contentPolicy(imageOrigins: readonly string[] = []): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    ["img-src 'self' data: blob:", ...imageOrigins].join(' '),
    "connect-src 'self'",
    "font-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

const HEADERS: readonly (readonly [string, string])[] = [
  ['content-security-policy', contentPolicy()],
  ['x-content-type-options', 'nosniff'],
  ['x-frame-options', 'DENY'],
  // Not `no-referrer`, because it would set the `Origin` header of the gateway's forms to `null`.
  ['referrer-policy', 'same-origin'],
  ['cross-origin-resource-policy', 'same-origin'],
  ['x-permitted-cross-domain-policies', 'none'],
  ['permissions-policy', 'camera=(), microphone=(), geolocation=(), payment=(), usb=()'],
  // Several people may share a browser, so nothing may be cached.
  ['cache-control', 'no-store'],
];
/** HSTS for one year. Browsers accept it only over TLS. */
export const STRICT_TRANSPORT = 'max-age=31536000';

/**
 * Sets the headers for pages and for responses that require a login. Does nothing if the headers are already
 * set, because a route may replace one of them and then fail.
 */
export function setPageHeaders(req: Request, res: Response): void {
  if (res.hasHeader('x-frame-options')) return;
  for (const [name, value] of HEADERS) res.setHeader(name, value);
  if (!req.secure) return;
  // Browsers accept these two headers only over TLS.
  res.setHeader('strict-transport-security', STRICT_TRANSPORT);
  res.setHeader('cross-origin-opener-policy', 'same-origin');
}

export const pageHeaders: RequestHandler = (req, res, next) => {
  setPageHeaders(req, res);
  next();
};
