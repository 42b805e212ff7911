import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Request, Response } from 'express';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Access } from '../../access/index.js';
import { callerActor, leaseHolderOf, principalOf, visitorOf } from '../../http/guard/principal.js';
import { type DeclaredRouter, routerOf } from '../../http/server/declared-router.js';
import { actorName } from '../../shared/actor.js';
import { FairConnectionLimit } from '../../shared/connection-limit.js';
import { GatewayError, messageOf } from '../../shared/errors.js';
import { messageJson } from '../../shared/messages/message.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { Log } from '../../shared/ports/log.js';
import type { DriveState } from '../manual-drive/drive-messages.js';
import type { ManualDrive } from '../manual-drive/manual-drive.js';
import { parseDriveMessage, readStopMessage } from '../manual-drive/parse-message.js';
import { eventsApi } from './openapi.js';

/** Maximum size of a message except a stop; three times the size of the longest valid message. */
const MAX_MESSAGE_BYTES = 512;
/** Maximum size of a stop, which is executed even if one of its fields is too long. */
const MAX_STOP_BYTES = 64 * 1024;
/** Maximum number of messages per second from one client; a page sends ten. */
const MAX_MESSAGES_PER_S = 50;
/** About ten states; a longer backlog would show the operator outdated motion. */
const MAX_BUFFERED_BYTES = 8 * 1024;
const MAX_CLIENTS = 50;
/** A client that does not respond to a ping before the next ping is due is disconnected. */
const PING_MS = 2000;

/** WebSocket close codes (RFC 6455). 1013 (try again later) is registered with IANA; 4401 is private. */
const CLOSE = { text: 1003, policy: 1008, tooBig: 1009, loggedOut: 4401, full: 1013 } as const;
const REASON_BYTES = 123;

interface DriveSocketDeps {
  drive: ManualDrive;
  access: Pick<Access, 'isValid' | 'keepAlive' | 'stopTokens'>;
  clock: Clock;
  log: Log;
}

/** Upgrade requests for `/drive` pass through the app's usual access checks. */
export class DriveSocket {
  #deps: DriveSocketDeps;
  #sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_STOP_BYTES, perMessageDeflate: false });
  /** The bytes received after the headers of an upgrade request. */
  #heads = new WeakMap<IncomingMessage, Buffer>();
  #unanswered = new WeakSet<WebSocket>();
  #clients = new Map<WebSocket, Request>();
  #connections = new FairConnectionLimit<WebSocket>(MAX_CLIENTS, (client) =>
    client.close(CLOSE.full, 'too many drive sockets are open'),
  );
  #cancel: Cancel;

  constructor(deps: DriveSocketDeps) {
    this.#deps = deps;
    this.#cancel = deps.clock.every(PING_MS, () => this.#checkClients());
  }

  serve(server: Server): void {
    server.on('upgrade', (req: IncomingMessage, socket: Socket, head: Buffer) => {
      this.#heads.set(req, head);
      socket.on('error', () => socket.destroy());
      const res = new ServerResponse(req);
      res.shouldKeepAlive = false;
      try {
        res.assignSocket(socket);
      } catch {
        // The client did not wait for the response to its previous request, so the socket is still in use.
        return void socket.destroy();
      }
      res.on('finish', () => socket.destroySoon());
      server.emit('request', req, res);
    });
  }

  router(): DeclaredRouter {
    const router = routerOf(eventsApi);
    router.on('GET /drive', (req, res) => this.#accept(req, res));
    return router;
  }

  close(): void {
    this.#cancel();
    for (const client of this.#clients.keys()) client.terminate();
  }

  #accept(req: Request, res: Response): void {
    const head = this.#heads.get(req);
    if (!head) {
      res.setHeader('upgrade', 'websocket');
      throw new GatewayError('UPGRADE_REQUIRED', 'GET /drive requires a WebSocket upgrade');
    }
    const { socket } = req;
    res.detachSocket(socket);
    this.#sockets.handleUpgrade(req, socket, head, (client) => this.#open(client, req));
  }

  #open(client: WebSocket, req: Request): void {
    const { drive, access, clock, log } = this.#deps;
    const principal = principalOf(req);
    this.#clients.set(client, req);
    const holder = leaseHolderOf(req);
    this.#connections.add(holder, client);
    const token = access.stopTokens.issue(principal);
    const toJson = req.query.messages === 'data' ? messageJson : JSON.stringify;
    let first: Pick<DriveState, 'stopToken'> = token ? { stopToken: token.text } : {};
    const { receive, leave } = drive.join({
      actor: callerActor(req),
      mayDrive: visitorOf(req)?.mayDrive ?? false,
      mayStay: () => access.isValid(principal),
      send: (state) => {
        if (client.bufferedAmount > MAX_BUFFERED_BYTES) client.terminate();
        else client.send(toJson({ ...state, ...first }));
        first = {};
      },
    });
    const rate = new MessageRate(clock);
    client.on('message', (data, isBinary) => {
      const text = String(data);
      const stop = readStopMessage(text);
      if (stop) receive(stop.stop);
      try {
        rate.count();
        if (isBinary) throw new GatewayError('INVALID_INPUT', 'messages on the drive socket must be text');
        if (!stop && Buffer.byteLength(text) > MAX_MESSAGE_BYTES) {
          leave();
          return client.close(CLOSE.tooBig);
        }
        if (!stop) receive(parseDriveMessage(text));
        // An invalid stop does not close the socket, so that the next stop can arrive.
        else if (stop.fault !== undefined) {
          log.warn('drive.invalid_stop_executed', {
            by: actorName(callerActor(req)),
            reason: messageOf(stop.fault),
          });
        }
      } catch (error) {
        // Stops the cart before closing the socket, because the client may delay the close.
        leave();
        client.close(isBinary ? CLOSE.text : CLOSE.policy, truncated(messageOf(error)));
      }
    });
    client.on('pong', () => this.#unanswered.delete(client));
    client.on('error', leave);
    client.on('close', () => {
      token?.close();
      this.#clients.delete(client);
      this.#connections.remove(holder, client);
      leave();
    });
  }

  #checkClients(): void {
    this.#deps.drive.update();
    for (const [client, req] of this.#clients) {
      if (!this.#deps.access.keepAlive(principalOf(req)))
        client.close(CLOSE.loggedOut, 'the session has ended: log in again');
      else if (this.#unanswered.has(client)) client.terminate();
      else {
        this.#unanswered.add(client);
        client.ping();
      }
    }
  }
}

/** Throws RATE if a client sends more messages per second than any page sends. */
class MessageRate {
  #clock: Clock;
  #count = 0;
  #sinceMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  count(): void {
    const now = this.#clock.now();
    if (now - this.#sinceMs >= 1000) {
      this.#sinceMs = now;
      this.#count = 0;
    }
    this.#count += 1;
    if (this.#count <= MAX_MESSAGES_PER_S) return;
    const text = `received more than ${MAX_MESSAGES_PER_S} messages in one second`;
    throw new GatewayError('RATE', text, { limit: MAX_MESSAGES_PER_S, unit: 'messages/s' });
  }
}

/** Truncates the reason of a close frame to 123 bytes (RFC 6455, 5.5). */
function truncated(text: string): string {
  return Buffer.from(text).subarray(0, REASON_BYTES).toString('utf8').replace(/�+$/, '');
}
