import type { Request, RequestHandler, Response } from 'express';
import { isEncrypted } from './cookies.js';

/** Allows content only from this gateway and, for images, `imageOrigins`. Forbids inline code and framing. */
export function contentPolicy(imageOrigins: readonly string[] = []): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    ["img-src 'self' data: blob:", ...imageOrigins].join(' '),
    "connect-src 'self'",
    "font-src 'self'",
    "form-action 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

const HEADERS: readonly (readonly [string, string])[] = [
  ['content-security-policy', contentPolicy()],
  ['x-content-type-options', 'nosniff'],
  ['x-frame-options', 'DENY'],
  // `no-referrer` would set the `Origin` header of the gateway's forms to `null`.
  ['referrer-policy', 'same-origin'],
  ['cross-origin-resource-policy', 'same-origin'],
  ['x-permitted-cross-domain-policies', 'none'],
  ['permissions-policy', 'camera=(), microphone=(), geolocation=(), payment=(), usb=()'],
  // Several people may share a browser, so nothing is cached.
  ['cache-control', 'no-store'],
];
/**
 * HSTS for one year. Must not be sent with a certificate from the gateway's own CA, because browsers would block
 * all pages, including the Stop button, if that certificate became invalid.
 */
export const STRICT_TRANSPORT = 'max-age=31536000';

/** Does nothing if the headers are already set, because a failed route may have replaced one of them. */
export function setPageHeaders(req: Request, res: Response): void {
  if (res.hasHeader('x-frame-options')) return;
  for (const [name, value] of HEADERS) res.setHeader(name, value);
  if (!req.secure) return;
  // Browsers accept these headers only over TLS. For a configured certificate, the HTTPS server has already set HSTS.
  if (!isEncrypted(req.socket)) res.setHeader('strict-transport-security', STRICT_TRANSPORT);
  res.setHeader('cross-origin-opener-policy', 'same-origin');
}

export const pageHeaders: RequestHandler = (req, res, next) => {
  setPageHeaders(req, res);
  next();
};
