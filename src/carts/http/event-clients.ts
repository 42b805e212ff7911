import type { Request, Response } from 'express';
import type { StopToken } from '../../access/index.js';
import { leaseHolderOf } from '../../http/guard/principal.js';
import { FairConnectionLimit } from '../../shared/connection-limit.js';
import { messageJson } from '../../shared/messages/message.js';

/**
 * A client whose unread data exceeds this number of snapshots receives nothing until it has read that data. With a
 * lower limit, the client would fall behind again while reading its new snapshot.
 */
const BEHIND_SNAPSHOTS = 2;
const MAX_CLIENTS = 200;

export const EVENT_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
};

export interface FeedEvent {
  name: string;
  data: { seq: number; sentMs: number };
  /** True if only clients that may read the settings receive the event. */
  isAboutSettings?: true;
}

export interface SnapshotRequest {
  /** The client receives this cart's events in addition to the events for all clients. */
  watched: number | undefined;
  /** Null after the token has been sent. */
  stopToken: string | null;
  mayReadSettings: boolean;
}

interface Client extends SnapshotRequest {
  behind: boolean;
  maxUnreadBytes: number;
  /** True for a page, which receives messages as codes with values. */
  isPage: boolean;
}

/** Each stream begins with a snapshot; a client that falls behind receives a new snapshot. */
export class EventClients {
  #clients = new Map<Response, Client>();
  #connections = new FairConnectionLimit<Response>(MAX_CLIENTS, (res) => this.#end(res));
  readonly #snapshot: (request: SnapshotRequest) => FeedEvent;
  readonly #mayReadSettings: (req: Request) => boolean;

  constructor(snapshot: (request: SnapshotRequest) => FeedEvent, mayReadSettings: (req: Request) => boolean) {
    this.#snapshot = snapshot;
    this.#mayReadSettings = mayReadSettings;
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
    res.writeHead(200, EVENT_HEADERS);
    this.#clients.set(res, {
      behind: false,
      maxUnreadBytes: 0,
      watched: watchedOf(req),
      isPage: req.query.messages === 'data',
      stopToken,
      mayReadSettings: this.#mayReadSettings(req),
    });
    res.write('retry: 1000\n\n');
    this.#begin(res);
    res.on('drain', () => this.#catchUp(res));
    const holder = leaseHolderOf(req);
    res.on('close', () => {
      token?.close();
      this.#clients.delete(res);
      this.#connections.remove(holder, res);
    });
    this.#connections.add(holder, res);
  }

  /** If `watched` is given, only the clients that watch this cart receive the events. */
  send(events: readonly FeedEvent[], watched?: number): void {
    if (events.length === 0) return;
    const texts = new Map<string, string>();
    for (const [res, client] of this.#clients) {
      if (watched !== undefined && client.watched !== watched) continue;
      if (res.writableLength > client.maxUnreadBytes) {
        client.behind = true;
        continue;
      }
      // Clients that receive the same events in the same form share the text.
      const { isPage, mayReadSettings } = client;
      const form = `${isPage} ${mayReadSettings}`;
      const text =
        texts.get(form) ??
        events
          .filter(({ isAboutSettings }) => mayReadSettings || !isAboutSettings)
          .map((event) => write(event, client))
          .join('');
      texts.set(form, text);
      if (text !== '') res.write(text);
    }
  }

  /** Sends a new snapshot to all clients; those that have fallen behind receive it later. */
  restart(): void {
    for (const [res, { behind }] of this.#clients) if (!behind) this.#begin(res);
  }

  endUnless(mayStay: (req: Request) => boolean): void {
    for (const res of this.#clients.keys()) if (!mayStay(res.req)) this.#end(res);
  }

  close(): void {
    for (const res of this.#clients.keys()) res.destroy();
  }

  /** Removes the client immediately, because a write after `end` throws, and a slow connection closes late. */
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

/** Parses `?cart=700`; ignores invalid values. */
function watchedOf({ query }: Request): number | undefined {
  return typeof query.cart === 'string' && /^[1-9]\d{0,4}$/.test(query.cart) ? Number(query.cart) : undefined;
}
