import { createServer, IncomingMessage, type RequestListener, type Server, ServerResponse } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { Socket } from 'node:net';
import express, { type Express } from 'express';
import { ipPrefixOf } from '../../shared/addresses.js';
import { type Connections, processConnections } from '../../shared/connections.js';
import { STRICT_TRANSPORT } from '../guard/headers.js';
import type { RouteName } from '../guard/policy.js';
import { parseQuery } from './bodies.js';
import {
  isIgnoredUpgrade,
  normalizeTarget,
  removeMediaParameters,
  shortenPreferences,
  UpgradableRequest,
} from './request-head.js';
import { type Caller, limitPipelining, RequestScheduler, shed } from './request-scheduler.js';
import { RouteTable } from './route-table.js';

/** Limits of the server; times are in ms. */
export const LIMITS = {
  maxHeaderSize: 16_384,
  /**
   * Unlimited, because Node would otherwise drop headers after the first 2,000, such as `X-Forwarded-For`.
   */
  maxHeadersCount: 0,
  /** Time limit for receiving all headers, which also applies to connections that send nothing. */
  headersTimeout: 10_000,
  /** Time limit for receiving the complete body, sufficient for an 8 MB floor plan at 3 Mbit/s. */
  requestTimeout: 30_000,
  connectionsCheckingInterval: 2000,
  /** Must exceed the interval between two requests from an open page. */
  keepAliveTimeout: 65_000,
  /** Time limit for a TLS handshake, which takes 0.1 s on a Pi. */
  handshakeTimeout: 10_000,
  /** A client that does not read its response for this long is disconnected. */
  timeout: 60_000,
};

/** Bodies up to this size are not counted towards the memory for bodies in flight. */
const SMALL_BODY_BYTES = 16 * 1024;
/** No memory is reserved for bodies larger than this, because every route rejects them before it reads them. */
const MAX_BODY_BYTES = 10 * 1024 * 1024;

/** Responds to requests for a route whose declaration has the option `cached`, without Express. */
export interface FastPath {
  route: RouteName;
  /** Responds to a GET with 200 and returns true, or returns false to leave the request to Express. */
  answer: (...request: Parameters<RequestListener>) => boolean;
}

/** Certificate and key in PEM format. */
export interface KeyPair {
  cert: Buffer;
  key: Buffer;
}

interface FastExpressOptions {
  /** If `keyPair` is missing, the server uses plain HTTP. */
  keyPair?: KeyPair | undefined;
  /** The declared routes; none by default. */
  routes?: RouteTable;
  limits?: Partial<typeof LIMITS>;
  fastPath?: FastPath;
  /** Ranks requests that must wait. By default, all have the same rank, with the address as the key. */
  callerOf?: (req: IncomingMessage) => Caller;
  /** Default: all connections to this process's servers. */
  connections?: Connections;
}

/**
 * Requests and responses receive Express's prototypes when they are created, because a later change would make V8
 * deoptimise the objects. A read through Express takes 38 µs of processor time this way and 146 µs with Express's
 * public API only; Fastify takes 38 µs. `docs/architecture.md` lists the files that a request passes through.
 */
export function fastExpress({
  keyPair,
  routes = new RouteTable([]),
  limits = {},
  fastPath,
  callerOf = byAddress,
  connections = processConnections,
}: FastExpressOptions = {}): {
  app: Express;
  server: Server;
  /** Creates another server for the same app, without starting it. */
  createSecureServer: (keyPair: KeyPair) => TlsServer;
} {
  if (fastPath) requireCached(routes, fastPath);
  const app = express();
  class Request extends UpgradableRequest {}
  class Response<R extends IncomingMessage = IncomingMessage> extends ServerResponse<R> {}
  copyChain(app.request, Request.prototype, IncomingMessage.prototype);
  copyChain(app.response, Response.prototype, ServerResponse.prototype);
  app.request = Request.prototype as unknown as Express['request'];
  app.response = Response.prototype as unknown as Express['response'];
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', parseQuery);
  const { timeout, maxHeadersCount, ...times } = { ...LIMITS, ...limits };
  const options = { IncomingMessage: Request, ServerResponse: Response, ...times };
  const scheduler = new RequestScheduler({
    handle(req, res) {
      if (keyPair) res.setHeader('strict-transport-security', STRICT_TRANSPORT);
      if (!reserveBody(req, connections)) return shed(req, res);
      if (fastPath?.answer(req, res)) return;
      normalizeTarget(req);
      routes.match(req);
      shortenPreferences(req);
      removeMediaParameters(req);
      if (isIgnoredUpgrade(req)) res.shouldKeepAlive = false;
      app(req, res);
    },
    callerOf,
    shed,
  });
  const isStop = (req: IncomingMessage): boolean => callerOf(req).rank === 'stop';
  const listener = limitPipelining({ handle: scheduler.admit, isStop });
  const limited = <S extends Server | TlsServer>(server: S): S => {
    Object.assign(server, { timeout, maxHeadersCount });
    server.on('timeout', (socket: Socket) => {
      // The timeout does not apply while a response is being prepared; an idle socket has another timeout.
      const isPreparing = socket.timeout === timeout && socket.writableLength === 0;
      if (!isPreparing) socket.destroy();
    });
    connections.watch(server);
    return server;
  };
  const createSecureServer = (pair: KeyPair): TlsServer =>
    limited(createTlsServer({ ...options, ...pair }, listener));
  const server = keyPair ? createSecureServer(keyPair) : limited(createServer(options, listener));
  return { app, server, createSecureServer };
}

/** Throws unless the route is declared as cached, because a fast path checks no access. */
function requireCached(routes: RouteTable, { route }: FastPath): void {
  const { need, cached = false } = routes.declaration(route) ?? {};
  if (need !== 'public' || !cached) throw new Error(`${route} is not a public route with cached responses`);
}

/** Reserves memory for a large body. Returns false if the caller has used up its share. */
function reserveBody(req: IncomingMessage, connections: Connections): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = req.headers;
  if (length === undefined && encoding === undefined) return true;
  const bytes = length === undefined ? undefined : Number(length);
  if (bytes !== undefined && (bytes <= SMALL_BODY_BYTES || bytes > MAX_BODY_BYTES)) return true;
  if (!connections.reserve(req.socket, bytes)) return false;
  req.once('close', () => connections.release(req.socket));
  return true;
}

function byAddress({ socket }: IncomingMessage): Caller {
  return { rank: 'anonymous', key: ipPrefixOf(socket.remoteAddress ?? '') };
}

/**
 * Copies the properties of Express's prototypes, the most derived prototype last, but not those of Node's.
 */
function copyChain(from: object, to: object, until: object): void {
  if (from === until) return;
  copyChain(Object.getPrototypeOf(from), to, until);
  Object.defineProperties(to, Object.getOwnPropertyDescriptors(from));
}
