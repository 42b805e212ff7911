import { createServer, IncomingMessage, type RequestListener, type Server, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import express, { type Express } from 'express';
import { ipPrefixOf } from '../../shared/addresses.js';
import { limitConnections } from '../../shared/connection-limit.js';
import { STRICT_TRANSPORT } from '../guard/headers.js';
import { limitPipelining, limitUnsent } from './connection-limits.js';
import { type Caller, RequestScheduler, shed } from './request-scheduler.js';
import { isIgnoredUpgrade, normalizeTarget, shortenPreferences, UpgradableRequest } from './upgrade.js';

/** Limits per connection and client. Times in ms. */
export const LIMITS = {
  maxHeaderSize: 16_384,
  /**
   * 0 = unlimited: by default, Node drops headers after the first 2,000, and a proxy appends
   * `X-Forwarded-For` last.
   */
  maxHeadersCount: 0,
  /**
   * Until the headers are complete, even on a silent connection; checked every `connectionsCheckingInterval`.
   */
  headersTimeout: 10_000,
  /** Until the body is complete: an 8 MB floor plan at 3 Mbit/s. */
  requestTimeout: 30_000,
  connectionsCheckingInterval: 2000,
  /** Longer than the interval at which open pages send requests. */
  keepAliveTimeout: 65_000,
  /** A TLS handshake takes 0.1 s on a Pi. */
  handshakeTimeout: 10_000,
  /** Until a client that does not read its response is disconnected. */
  timeout: 60_000,
  /** 300 browsers with 6 connections each, and some programs. An idle connection costs 10 kB. */
  connections: 2048,
};

/** Responds to a GET with 200 and returns the route for metrics; undefined passes the request to Express. */
export type FastPath = (...request: Parameters<RequestListener>) => string | undefined;

interface FastExpressOptions {
  /** PEM; if missing, the server uses plain HTTP. */
  keyPair?: { cert: Buffer; key: Buffer } | undefined;
  /** Overrides of `LIMITS`. */
  limits?: Partial<typeof LIMITS>;
  /** Responds to some requests without Express. */
  fastPath?: FastPath;
  /** Ranks requests that cannot be handled at once. Default: by address. */
  callerOf?: (req: IncomingMessage) => Caller;
}

/**
 * An Express app and its server. Express replaces the prototype of every request and response, which deoptimises them.
 * Here they are created with the final prototype, so the replacement changes nothing: 26,000 instead of 9,000 one-row
 * reads per second.
 */
export function fastExpress({
  keyPair,
  limits = {},
  fastPath = () => undefined,
  callerOf = byAddress,
}: FastExpressOptions = {}): {
  app: Express;
  server: Server;
} {
  const app = express();
  class Request extends UpgradableRequest {}
  class Response<R extends IncomingMessage = IncomingMessage> extends ServerResponse<R> {}
  copyChain(app.request, Request.prototype, IncomingMessage.prototype);
  copyChain(app.response, Response.prototype, ServerResponse.prototype);
  app.request = Request.prototype as unknown as Express['request'];
  app.response = Response.prototype as unknown as Express['response'];
  app.disable('x-powered-by');
  app.disable('etag');
  const { connections, timeout, maxHeadersCount, ...times } = { ...LIMITS, ...limits };
  const options = { IncomingMessage: Request, ServerResponse: Response, ...times };
  const scheduler = new RequestScheduler({
    handle(req, res) {
      if (keyPair) res.setHeader('strict-transport-security', STRICT_TRANSPORT);
      if (fastPath(req, res) !== undefined) return;
      normalizeTarget(req);
      shortenPreferences(req);
      if (isIgnoredUpgrade(req)) res.shouldKeepAlive = false;
      app(req, res);
    },
    callerOf,
    shed,
  });
  const isStop = (req: IncomingMessage): boolean => callerOf(req).rank === 'stop';
  const listener = limitPipelining({ handle: scheduler.admit, isStop });
  const server = keyPair
    ? createTlsServer({ ...options, ...keyPair }, listener)
    : createServer(options, listener);
  Object.assign(server, { timeout, maxHeadersCount });
  server.on('connection', scheduler.accepted);
  server.on('timeout', (socket: Socket) => {
    // Does not apply while a response is being prepared. Between two requests, the socket has a different
    // timeout.
    const isPreparing = socket.timeout === timeout && socket.writableLength === 0;
    if (!isPreparing) socket.destroy();
  });
  limitUnsent(server, limitConnections(server, connections));
  return { app, server };
}

function byAddress({ socket }: IncomingMessage): Caller {
  return { rank: 'anonymous', key: ipPrefixOf(socket.remoteAddress ?? '') };
}

/** Copies the properties of Express's prototypes, up to but not including Node's, the most derived last. */
function copyChain(from: object, to: object, until: object): void {
  if (from === until) return;
  copyChain(Object.getPrototypeOf(from), to, until);
  Object.defineProperties(to, Object.getOwnPropertyDescriptors(from));
}
