import type { Request, Response } from 'express';
import type { StopToken } from '../../access/sessions/stop-tokens.js';
import { FairConnectionLimit } from '../../shared/connection-limit.js';
import { messageJson } from '../../shared/messages/message.js';
import { holderOf } from '../../web/guard/principal.js';

/**
 * A client whose unread data exceeds the size of this many snapshots receives nothing until it has read that
 * data. With a lower limit, it would fall behind again while reading the new snapshot.
 */
const BEHIND_SNAPSHOTS = 2;
const MAX_CLIENTS = 200;

export interface FeedEvent {
  name: string;
  data: { seq: number; sentMs: number };
}

export interface SnapshotRequest {
  /** A cart whose events the client receives in addition to the events for all clients. */
  watched: number | undefined;
  /** Null once the token has been sent. */
  stopToken: string | null;
}

interface Client extends SnapshotRequest {
  behind: boolean;
  maxUnreadBytes: number;
  /** True for a page, which receives messages as codes with values. */
  isPage: boolean;
}

/**
 * The open event streams. Each stream begins with a snapshot; a client that falls behind receives a new
 * snapshot.
 */
export class EventClients {
  #clients = new Map<Response, Client>();
  #connections = new FairConnectionLimit<Response>(MAX_CLIENTS, (res) => this.#end(res));
  readonly #snapshot: (request: SnapshotRequest) => FeedEvent;

  constructor(snapshot: (request: SnapshotRequest) => FeedEvent) {
    this.#snapshot = snapshot;
  }

  get size(): number {
    return this.#clients.size;
  }

  get watched(): Set<number> {
    const watched = new Set<number>();
    for (const client of this.#clients.values()) if (client.watched) watched.add(client.watched);
    return watched;
  }

  add(req: Request, res: Response, token: StopToken | undefined): void {
    const stopToken = token?.text ?? null;
    res.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    const isPage = req.query.messages === 'data';
    this.#clients.set(res, { behind: false, maxUnreadBytes: 0, watched: watchedOf(req), isPage, stopToken });
    res.write('retry: 1000\n\n');
    this.#begin(res);
    res.on('drain', () => this.#catchUp(res));
    const holder = holderOf(req);
    res.on('close', () => {
      token?.close();
      this.#clients.delete(res);
      this.#connections.remove(holder, res);
    });
    this.#connections.add(holder, res);
  }

  /** Sends events to all clients or, if `watched` is given, to those that watch that cart. */
  send(events: readonly FeedEvent[], watched?: number): void {
    if (events.length === 0) return;
    const [forPages, forPrograms] = [{ text: '' }, { text: '' }];
    for (const [res, client] of this.#clients) {
      if (watched !== undefined && client.watched !== watched) continue;
      if (res.writableLength > client.maxUnreadBytes) {
        client.behind = true;
        continue;
      }
      const form = client.isPage ? forPages : forPrograms;
      form.text ||= events.map((event) => write(event, client)).join('');
      res.write(form.text);
    }
  }

  /** Sends a new snapshot to every client that is not behind. */
  restart(): void {
    for (const [res, { behind }] of this.#clients) if (!behind) this.#begin(res);
  }

  endUnless(mayStay: (req: Request) => boolean): void {
    for (const res of this.#clients.keys()) if (!mayStay(res.req)) this.#end(res);
  }

  close(): void {
    for (const res of this.#clients.keys()) res.destroy();
  }

  /**
   * The client is removed at once: a slow client's connection closes late, and writing to an ended stream
   * throws.
   */
  #end(res: Response): void {
    this.#clients.delete(res);
    res.end();
  }

  #catchUp(res: Response): void {
    if (this.#clients.get(res)?.behind) this.#begin(res);
  }

  #begin(res: Response): void {
    const client = this.#clients.get(res);
    if (!client) return;
    const snapshot = write(this.#snapshot(client), client);
    client.behind = false;
    client.stopToken = null;
    // `drain` is emitted only after the high-water mark has been reached, so the limit must not be lower.
    client.maxUnreadBytes = Math.max(
      BEHIND_SNAPSHOTS * Buffer.byteLength(snapshot),
      res.writableHighWaterMark,
    );
    res.write(snapshot);
  }
}

function write({ name, data }: FeedEvent, { isPage }: Pick<Client, 'isPage'>): string {
  const json = isPage ? messageJson(data) : JSON.stringify(data);
  return `event: ${name}\nid: ${data.seq}\ndata: ${json}\n\n`;
}

/** Parses `?cart=700`; invalid values are ignored. */
function watchedOf({ query }: Request): number | undefined {
  return typeof query.cart === 'string' && /^[1-9]\d{0,4}$/.test(query.cart) ? Number(query.cart) : undefined;
}
