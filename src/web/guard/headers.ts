import type { Request, RequestHandler, Response } from 'express';

/**
 * Allows scripts, styles and images of this gateway only, none of them inline, and no framing.
 * @param pictures further origins of images.
 */
export function contentPolicy(pictures: readonly string[] = []): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    ["img-src 'self' data: blob:", ...pictures].join(' '),
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
  // Not `no-referrer`: that would make the Origin of our own forms `null`.
  ['referrer-policy', 'same-origin'],
  ['cross-origin-resource-policy', 'same-origin'],
  ['x-permitted-cross-domain-policies', 'none'],
  ['permissions-policy', 'camera=(), microphone=(), geolocation=(), payment=(), usb=()'],
  // A browser may be shared.
  ['cache-control', 'no-store'],
];
/** HSTS for a year; browsers accept it over TLS only. */
export const STRICT_TRANSPORT = 'max-age=31536000';

/**
 * Sets the headers of pages and of every response behind a login, unless they are set: a route may have replaced one of
 * them before it failed.
 */
export function setPageHeaders(req: Request, res: Response): void {
  if (res.hasHeader('x-frame-options')) return;
  for (const [name, value] of HEADERS) res.setHeader(name, value);
  if (!req.secure) return;
  // Browsers accept these two over TLS only.
  res.setHeader('strict-transport-security', STRICT_TRANSPORT);
  res.setHeader('cross-origin-opener-policy', 'same-origin');
}

/** `setPageHeaders` as a middleware. */
export const pageHeaders: RequestHandler = (req, res, next) => {
  setPageHeaders(req, res);
  next();
};
