import compression from 'compression';
import type { RequestHandler } from 'express';
import { wantsHtml } from '../errors.js';

const HTML = /^text\/html\b/;

/**
 * Compresses pages to about a fifth of their size, off the main thread. Other requests are not passed to
 * `compression`, because V8 deoptimises a response whose methods `compression` has replaced.
 */
export function compressPages(): RequestHandler {
  const compress = compression({ filter: (_req, res) => HTML.test(String(res.getHeader('content-type'))) });
  return (req, res, next) => (wantsHtml(req) ? compress(req, res, next) : next());
}
