import { type IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Request, type Response, Router } from 'express';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Access } from '../../access/access.js';
import { FairConnectionLimit } from '../../shared/connection-limit.js';
import { GatewayError, messageOf } from '../../shared/errors.js';
import { messageJson } from '../../shared/messages/message.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import { callerName, holderOf, principalOf, visitorOf } from '../../web/guard/principal.js';
import type { DriveState } from '../manual-drive/drive-messages.js';
import type { ManualDrive } from '../manual-drive/manual-drive.js';
import { parseDriveMessage } from '../manual-drive/parse-message.js';

/** The longest word is a third of this. */
const WORD_BYTES = 512;
/** A page says ten words a second. */
const WORDS_PER_S = 50;
/** Ten states: who is further behind does not see what he drives. */
const BEHIND_BYTES = 8 * 1024;
const MAX_CLIENTS = 50;
/** Who has not answered a ping when the next one is due is gone. */
const PING_MS = 2000;

/** Close codes of RFC 6455, and our own from 4000. 1013: try again later. */
const CLOSE = { text: 1003, policy: 1008, loggedOut: 4401, full: 1013 } as const;
const REASON_BYTES = 123;

interface DriveSocketDeps {
  drive: ManualDrive;
  access: Pick<Access, 'isValid' | 'keepAlive' | 'stopTokens'>;
  clock: Clock;
}

/**
 * The WebSocket `/drive`. An upgrade is a request like any other: it walks through the whole app, so that the same door
 * judges host, origin and principal, and what is refused is answered as everywhere.
 */
export class DriveSocket {
  #deps: DriveSocketDeps;
  #sockets = new WebSocketServer({ noServer: true, maxPayload: WORD_BYTES, perMessageDeflate: false });
  /** What came behind the header of an upgrade. */
  #heads = new WeakMap<IncomingMessage, Buffer>();
  #silent = new WeakSet<WebSocket>();
  #guests = new Map<WebSocket, Request>();
  #connections = new FairConnectionLimit<WebSocket>(MAX_CLIENTS, (guest) =>
    guest.close(CLOSE.full, 'too many drive sockets'),
  );
  #cancel: Cancel;

  constructor(deps: DriveSocketDeps) {
    this.#deps = deps;
    this.#cancel = deps.clock.every(PING_MS, () => this.#lookAround());
  }

  /** Sends the upgrades of a server the way of every request. */
  serve(server: Server): void {
    server.on('upgrade', (req: IncomingMessage, socket: Socket, head: Buffer) => {
      this.#heads.set(req, head);
      socket.on('error', () => socket.destroy());
      const res = new ServerResponse(req);
      res.shouldKeepAlive = false;
      try {
        res.assignSocket(socket);
      } catch {
        // An answer to an earlier request is still on its way: no client upgrades before it has come.
        return void socket.destroy();
      }
      res.on('finish', () => socket.destroySoon());
      server.emit('request', req, res);
    });
  }

  /** `GET /drive`. */
  router(): Router {
    const router = Router();
    router.get('/drive', (req, res) => this.#accept(req, res));
    return router;
  }

  close(): void {
    this.#cancel();
    for (const guest of this.#guests.keys()) guest.terminate();
  }

  #accept(req: Request, res: Response): void {
    const head = this.#heads.get(req);
    if (!head) {
      res.setHeader('upgrade', 'websocket');
      throw new GatewayError('UPGRADE_REQUIRED', 'this address is for a WebSocket');
    }
    const { socket } = req;
    res.detachSocket(socket);
    this.#sockets.handleUpgrade(req, socket, head, (guest) => this.#seat(guest, req));
  }

  #seat(guest: WebSocket, req: Request): void {
    const { drive, access, clock } = this.#deps;
    const principal = principalOf(req);
    this.#guests.set(guest, req);
    const holder = holderOf(req);
    this.#connections.add(holder, guest);
    const token = access.stopTokens.issue(principal);
    const toJson = req.query.messages === 'data' ? messageJson : JSON.stringify;
    let first: Pick<DriveState, 'stopToken'> = token ? { stopToken: token.text } : {};
    const { hear, leave } = drive.join({
      name: callerName(req),
      mayDrive: visitorOf(req)?.mayDrive ?? false,
      mayStay: () => access.isValid(principal),
      tell: (state) => {
        if (guest.bufferedAmount > BEHIND_BYTES) guest.terminate();
        else guest.send(toJson({ ...state, ...first }));
        first = {};
      },
    });
    const pace = new Pace(clock);
    guest.on('message', (data, isBinary) => {
      try {
        pace.note();
        if (isBinary) throw new GatewayError('INVALID_INPUT', 'a word of the drive socket is text');
        hear(parseDriveMessage(String(data)));
      } catch (error) {
        // Stopped first: the other end may take its time to close.
        leave();
        guest.close(isBinary ? CLOSE.text : CLOSE.policy, cut(messageOf(error)));
      }
    });
    guest.on('pong', () => this.#silent.delete(guest));
    guest.on('error', leave);
    guest.on('close', () => {
      token?.close();
      this.#guests.delete(guest);
      this.#connections.remove(holder, guest);
      leave();
    });
  }

  #lookAround(): void {
    for (const [guest, req] of this.#guests) {
      if (!this.#deps.access.keepAlive(principalOf(req))) guest.close(CLOSE.loggedOut, 'log in first');
      else if (this.#silent.has(guest)) guest.terminate();
      else {
        this.#silent.add(guest);
        guest.ping();
      }
    }
  }
}

/** Throws for more words in a second than any page says. */
class Pace {
  #clock: Clock;
  #count = 0;
  #sinceMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  note(): void {
    const now = this.#clock.now();
    if (now - this.#sinceMs >= 1000) {
      this.#sinceMs = now;
      this.#count = 0;
    }
    this.#count += 1;
    if (this.#count <= WORDS_PER_S) return;
    const text = `more than ${WORDS_PER_S} words in a second`;
    throw new GatewayError('RATE', text, { limit: WORDS_PER_S, unit: 'words/s' });
  }
}

/** A close frame has little room. */
function cut(text: string): string {
  return Buffer.from(text).subarray(0, REASON_BYTES).toString('utf8').replace(/�+$/, '');
}
