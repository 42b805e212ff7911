import { createServer, IncomingMessage, type RequestListener, type Server, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import express, { type Express } from 'express';
import { limitConnections } from '../util/connection-limit.js';
import { inTurn } from './in-turn.js';
import { useTarget } from './request-target.js';

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

/**
 * An Express app and the server that runs it without Express's slowest habit. Express swaps the prototype of every
 * request and response, which throws away what the engine has learnt about them: 9,000 one-row reads a second become
 * 26,000 when the objects are made from the right classes in the first place and the swap changes nothing.
 * @param keyPair PEM; left out, it is plain HTTP that is spoken.
 * @param limits where they are other than `LIMITS`.
 */
export function fastExpress(
  keyPair?: { cert: Buffer; key: Buffer },
  limits: Partial<typeof LIMITS> = {},
): { app: Express; server: Server } {
  const app = express();
  class Request extends IncomingMessage {}
  class Response<R extends IncomingMessage = IncomingMessage> extends ServerResponse<R> {}
  copyChain(app.request, Request.prototype, IncomingMessage.prototype);
  copyChain(app.response, Response.prototype, ServerResponse.prototype);
  app.request = Request.prototype as unknown as Express['request'];
  app.response = Response.prototype as unknown as Express['response'];
  app.disable('x-powered-by');
  app.disable('etag');
  const { connections, timeout, maxHeadersCount, ...times } = { ...LIMITS, ...limits };
  const options = { IncomingMessage: Request, ServerResponse: Response, ...times };
  const listener: RequestListener = inTurn((req, res) => {
    useTarget(req);
    app(req, res);
  });
  const server = keyPair
    ? createTlsServer({ ...options, ...keyPair }, listener)
    : createServer(options, listener);
  Object.assign(server, { timeout, maxHeadersCount });
  server.on('timeout', (socket: Socket) => {
    // An answer that is still being made may take its time. Between two requests the socket has another limit.
    const isMaking = socket.timeout === timeout && socket.writableLength === 0;
    if (!isMaking) socket.destroy();
  });
  limitConnections(server, connections);
  return { app, server };
}

/** Copies what Express adds, from its own prototype up to (not including) Node's, nearest last so that it wins. */
function copyChain(from: object, to: object, until: object): void {
  if (from === until) return;
  copyChain(Object.getPrototypeOf(from), to, until);
  Object.defineProperties(to, Object.getOwnPropertyDescriptors(from));
}
