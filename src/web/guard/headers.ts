import type { Request, RequestHandler, Response } from 'express';

/**
 * No script, style or picture but our own, and none inside a page; nobody may put a page of ours into one of theirs.
 * @param pictures other origins that pictures may come from.
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
  // What is behind a login is not for the next person at this browser.
  ['cache-control', 'no-store'],
];
/** HSTS: a year. Browsers take it over TLS only. */
export const STRICT_TRANSPORT = 'max-age=31536000';

/** The headers of every page and of every answer that somebody had to log in for. */
export function setPageHeaders(req: Request, res: Response): void {
  for (const [name, value] of HEADERS) res.setHeader(name, value);
  if (!req.secure) return;
  // Browsers take these two over TLS only.
  res.setHeader('strict-transport-security', STRICT_TRANSPORT);
  res.setHeader('cross-origin-opener-policy', 'same-origin');
}

/** `setPageHeaders` as a middleware. */
export const pageHeaders: RequestHandler = (req, res, next) => {
  setPageHeaders(req, res);
  next();
};
