import compression from 'compression';
import type { RequestHandler } from 'express';
import { wantsHtml } from '../errors.js';

const HTML = /^text\/html\b/;

/**
 * Compresses pages to about a fifth of their size, off the main thread. Other requests are not passed to
 * `compression`, because it replaces methods of the response, which makes V8 deoptimise it.
 */
export function compressPages(): RequestHandler {
  const compress = compression({ filter: (_req, res) => HTML.test(String(res.getHeader('content-type'))) });
  return (req, res, next) => (wantsHtml(req) ? compress(req, res, next) : next());
}
