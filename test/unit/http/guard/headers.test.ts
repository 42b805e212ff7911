import assert from 'node:assert/strict';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Request, Response } from 'express';
import { test } from 'uvu';
import { setPageHeaders } from '../../../../src/http/guard/headers.js';

test('sets the page headers once and does not overwrite headers that a route has replaced', () => {
  const req = new IncomingMessage(new Socket()) as Request;
  const res = new ServerResponse(req) as Response;
  setPageHeaders(req, res);
  assert.equal(res.getHeader('cache-control'), 'no-store');
  assert.match(String(res.getHeader('content-security-policy')), /frame-ancestors 'none'/);
  res.setHeader('content-security-policy', "img-src 'self' https://tiles.example");
  setPageHeaders(req, res);
  assert.equal(res.getHeader('content-security-policy'), "img-src 'self' https://tiles.example");
});

test.run();
