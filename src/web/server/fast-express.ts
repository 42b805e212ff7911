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

/** What one client can take from all others. Times in ms. */
export const LIMITS = {
  /** One screenful of header and no more. */
  maxHeaderSize: 16_384,
  /** Every header that fits: Node would leave out those after 2,000, and `X-Forwarded-For` of a proxy comes last. */
  maxHeadersCount: 0,
  /** Until the header is there, also of a connection that says nothing; looked at every `connectionsCheckingInterval`. */
  headersTimeout: 10_000,
  /** Until the body is there: 8 MB of a floor plan at 3 Mbit/s. */
  requestTimeout: 30_000,
  connectionsCheckingInterval: 2000,
  /** A page that is looked at asks again within this. */
  keepAliveTimeout: 65_000,
  /** A TLS handshake takes a Pi a tenth of a second. */
  handshakeTimeout: 10_000,
  /** Who takes nothing of an answer for so long does not get the rest. */
  timeout: 60_000,
  /** 300 browsers with 6 connections each and some machines; an idle one costs 10 kB. */
  connections: 2048,
};

/** Answers a GET with 200 and returns the route for the metrics; undefined passes the request to Express. */
export type FastPath = (...request: Parameters<RequestListener>) => string | undefined;

interface FastExpressOptions {
  /** PEM; without it the server speaks plain HTTP. */
  keyPair?: { cert: Buffer; key: Buffer } | undefined;
  /** Where they differ from `LIMITS`. */
  limits?: Partial<typeof LIMITS>;
  /** Answers some requests without the app. */
  ahead?: FastPath;
  /** Ranks the requests that cannot be handled at once; without it by address alone. */
  callerOf?: (req: IncomingMessage) => Caller;
}

/**
 * An Express app and the server that runs it without Express's slowest habit. Express swaps the prototype of every
 * request and response, which discards what the engine has learnt about them: 9,000 one-row reads a second become
 * 26,000 when the objects are made from the right classes in the first place and the swap changes nothing.
 */
export function fastExpress({
  keyPair,
  limits = {},
  ahead = () => undefined,
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
      if (ahead(req, res) !== undefined) return;
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
    // An answer that is still being made may take its time. Between two requests the socket has another limit.
    const isMaking = socket.timeout === timeout && socket.writableLength === 0;
    if (!isMaking) socket.destroy();
  });
  limitUnsent(server, limitConnections(server, connections));
  return { app, server };
}

function byAddress({ socket }: IncomingMessage): Caller {
  return { rank: 'anonymous', key: ipPrefixOf(socket.remoteAddress ?? '') };
}

/** Copies what Express adds, from its own prototype up to (not including) Node's, nearest last so that it wins. */
function copyChain(from: object, to: object, until: object): void {
  if (from === until) return;
  copyChain(Object.getPrototypeOf(from), to, until);
  Object.defineProperties(to, Object.getOwnPropertyDescriptors(from));
}
