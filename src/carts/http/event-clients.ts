import type { Request, Response } from 'express';
import type { StopToken } from '../../access/sessions/stop-tokens.js';
import { FairConnectionLimit } from '../../shared/connection-limit.js';
import { messageJson } from '../../shared/messages/message.js';
import { holderOf } from '../../web/guard/principal.js';

/**
 * A client with more unread data than this many snapshots gets nothing more until it has read, and then a new snapshot.
 * With fewer, one that can just follow would fall behind again while its snapshot is under way.
 */
const BEHIND_SNAPSHOTS = 2;
const MAX_CLIENTS = 200;

export interface FeedEvent {
  name: string;
  data: { seq: number; sentMs: number };
}

/** What the snapshot of one client depends on. */
export interface SnapshotRequest {
  /** A cart whose events it gets beside those that every client gets. */
  watched: number | undefined;
  /** Not sent yet. */
  stopToken: string | null;
}

interface Client extends SnapshotRequest {
  behind: boolean;
  /** The most that may wait for it. */
  mostBytes: number;
  /** A page, which gets every message with its code and values. */
  isPage: boolean;
}

/** The open event streams: each begins with a snapshot, and again after its reader fell behind. */
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

  /** The carts that single clients watch. */
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
    this.#clients.set(res, { behind: false, mostBytes: 0, watched: watchedOf(req), isPage, stopToken });
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

  /** Sends events to all clients, or to those that watch one cart. Each form is written once, for all its readers. */
  send(events: readonly FeedEvent[], watched?: number): void {
    if (events.length === 0) return;
    const [forPages, forPrograms] = [{ text: '' }, { text: '' }];
    for (const [res, client] of this.#clients) {
      if (watched !== undefined && client.watched !== watched) continue;
      if (res.writableLength > client.mostBytes) {
        client.behind = true;
        continue;
      }
      const form = client.isPage ? forPages : forPrograms;
      form.text ||= events.map((event) => write(event, client)).join('');
      res.write(form.text);
    }
  }

  /** Sends every client that has kept up a new snapshot. */
  restart(): void {
    for (const [res, { behind }] of this.#clients) if (!behind) this.#begin(res);
  }

  /** Ends the streams whose request is not allowed any more. */
  endUnless(mayStay: (req: Request) => boolean): void {
    for (const res of this.#clients.keys()) if (!mayStay(res.req)) this.#end(res);
  }

  close(): void {
    for (const res of this.#clients.keys()) res.destroy();
  }

  /** A slow reader closes its stream much later: until then a write would be a write after the end. */
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
    // Below the high-water mark no `drain` would come.
    client.mostBytes = Math.max(BEHIND_SNAPSHOTS * Buffer.byteLength(snapshot), res.writableHighWaterMark);
    res.write(snapshot);
  }
}

function write({ name, data }: FeedEvent, { isPage }: Pick<Client, 'isPage'>): string {
  const json = isPage ? messageJson(data) : JSON.stringify(data);
  return `event: ${name}\nid: ${data.seq}\ndata: ${json}\n\n`;
}

/** `?cart=700`; anything else watches nothing. */
function watchedOf({ query }: Request): number | undefined {
  return typeof query.cart === 'string' && /^[1-9]\d{0,4}$/.test(query.cart) ? Number(query.cart) : undefined;
}
