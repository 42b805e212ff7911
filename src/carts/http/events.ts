import { randomUUID } from 'node:crypto';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { StopToken } from '../../access/sessions/stop-tokens.js';
import { FairSeats } from '../../shared/connection-limit.js';
import { messageJson } from '../../shared/messages/message.js';
import type { Cancel, Clock } from '../../shared/ports/ports.js';
import { holderOf } from '../../web/guard/principal.js';
import type { FrameData } from '../../web/layout/context.js';
import type { Command } from '../command/command.js';
import type { CommandDispatcher } from '../command/dispatcher.js';
import type { CartPosition, CartView } from '../command/model.js';
import type { Moves } from '../command/moves.js';
import type { Sightings } from '../fleet/sightings.js';

/** Changes are gathered for this long and told once: a cart that reports ten times a second is drawn ten times. */
const GATHER_MS = 50;
const BEAT_MS = 250;
/** A page whose session has ended is told nothing more after so long. */
const ADMIT_MS = 2000;
/**
 * A reader for whom more waits than so many snapshots gets nothing more until it has read, and then the newest picture
 * instead of the past. With fewer, one that can just follow would fall behind again while its snapshot is under way.
 */
const BEHIND_SNAPSHOTS = 2;
const COMMANDS_SHOWN = 20;
const MAX_CLIENTS = 200;

export interface EventDeps {
  dispatcher: CommandDispatcher;
  moves: Pick<Moves, 'list'>;
  frame: () => FrameData;
  onLinks: (listener: () => void) => Cancel;
  /** When a change of the settings goes on trial, and when that is over. */
  onTrial: (listener: () => void) => Cancel;
  /** Stands for what the numbers of a command mean now. */
  meaning: () => string;
  onSettings: (listener: () => void) => Cancel;
  sightings: Pick<Sightings, 'positions' | 'onPosition'>;
  /** Whether whoever asked for the stream may have it still. */
  mayStay: (req: Request) => boolean;
  /** For whoever opens a stream with a login. */
  stopToken: (req: Request) => StopToken | undefined;
  clock: Clock;
}

interface Client {
  behind: boolean;
  /** The most that may wait for it. */
  mostBytes: number;
  /** A cart that it wants to hear of beside those that all hear of. */
  watched: number | undefined;
  /** A page, which gets every message with its code and values. */
  isPage: boolean;
  /** Not sent yet. */
  stopToken: string | null;
}

/** The stream of what happens, as server-sent events: one full snapshot first, then what changed since. */
export class EventFeed {
  readonly bootId = randomUUID();
  #deps: EventDeps;
  #seq = 0;
  #clients = new Map<Response, Client>();
  #seats = new FairSeats<Response>(MAX_CLIENTS, (res) => this.#end(res));
  #carts = new Set<number>();
  #commands = new Map<string, Command>();
  #positions = new Map<number, CartPosition>();
  #links = false;
  #trial = false;
  #settings = false;
  /** The moves that were last sent to all. */
  #moves = '[]';
  #pending: Cancel | undefined;
  #cancels: Cancel[];

  constructor(deps: EventDeps) {
    this.#deps = deps;
    const { dispatcher, clock, onLinks, onTrial, onSettings } = deps;
    this.#cancels = [
      dispatcher.onCartChange((cartId) => this.#gather(() => this.#carts.add(cartId))),
      dispatcher.onCommand((command) => this.#gather(() => this.#commands.set(command.id, command))),
      onLinks(() => this.#gather(() => (this.#links = true))),
      onTrial(() => this.#gather(() => (this.#trial = true))),
      onSettings(() => this.#gather(() => (this.#settings = true))),
      deps.sightings.onPosition((position) =>
        this.#gather(() => this.#positions.set(position.cartID, position)),
      ),
      clock.every(BEAT_MS, () => this.#beat()),
      clock.every(ADMIT_MS, () => this.#sendAway()),
    ];
  }

  /** How many pages are listening. */
  get clients(): number {
    return this.#clients.size;
  }

  /** `GET /events`. */
  router(): Router {
    const router = Router();
    const handler: RequestHandler = (req, res) => {
      const token = this.#deps.stopToken(req);
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
        this.#seats.leave(holder, res);
      });
      this.#seats.take(holder, res);
    };
    router.get('/events', handler);
    return router;
  }

  close(): void {
    for (const cancel of this.#cancels) cancel();
    this.#pending?.();
    for (const res of this.#clients.keys()) res.destroy();
  }

  #gather(note: () => void): void {
    if (this.#clients.size === 0) return;
    note();
    this.#pending ??= this.#deps.clock.after(GATHER_MS, () => this.#flush());
  }

  #flush(): void {
    this.#pending = undefined;
    const { dispatcher, frame, meaning } = this.#deps;
    const moves = this.#deps.moves.list();
    const near = dispatcher.near();
    const news: FeedEvent[] = [];
    for (const cart of near) if (this.#carts.has(cart.cartID)) news.push(this.#event('cart', { cart }));
    const far = this.#farOf(near).filter(({ cartID }) => this.#carts.has(cartID));
    for (const command of this.#commands.values())
      news.push(this.#event('command', { command: command.view() }));
    for (const position of this.#positions.values()) news.push(this.#event('position', { position }));
    if (this.#links) news.push(this.#event('links', { links: frame().links }));
    if (this.#trial) news.push(this.#event('trial', { trial: frame().trial ?? null }));
    if (JSON.stringify(moves) !== this.#moves) news.push(this.#event('moves', { moves }));
    this.#moves = JSON.stringify(moves);
    // Names and the list of carts are settings as well.
    const isOther = this.#settings;
    if (isOther) news.push(this.#event('meaning', { meaning: meaning() }));
    this.#carts.clear();
    this.#commands.clear();
    this.#positions.clear();
    this.#links = false;
    this.#trial = false;
    this.#settings = false;
    for (const cart of far) this.#send([this.#event('cart', { cart })], cart.cartID);
    this.#send(news);
    if (isOther) for (const [res, { behind }] of this.#clients) if (!behind) this.#begin(res);
  }

  #beat(): void {
    if (this.#clients.size === 0) return;
    const near = this.#deps.dispatcher.near();
    const shown = [...near, ...this.#farOf(near)];
    const ages = Object.fromEntries(shown.map(({ cartID, ageMs }) => [cartID, ageMs]));
    this.#send([this.#event('beat', { serverTimeMs: this.#deps.clock.wallTime(), ages })]);
  }

  /** The carts that single pages want to hear of, and that are not told to all of them in any case. */
  #farOf(near: readonly CartView[]): CartView[] {
    const watched = new Set<number>();
    for (const client of this.#clients.values()) if (client.watched) watched.add(client.watched);
    for (const { cartID } of near) watched.delete(cartID);
    return [...watched].flatMap((cartID) => this.#find(cartID) ?? []);
  }

  #find(cartID: number): CartView | undefined {
    try {
      return this.#deps.dispatcher.cartView(cartID);
    } catch {
      return undefined; // it was taken out of the settings
    }
  }

  /** Sends events to all clients, or to those that watch one cart. Each form is written once, for all its readers. */
  #send(events: readonly FeedEvent[], watched?: number): void {
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

  #sendAway(): void {
    for (const res of this.#clients.keys()) if (!this.#deps.mayStay(res.req)) this.#end(res);
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

  #snapshot({ watched, stopToken }: Client): FeedEvent {
    const { dispatcher, frame, clock, sightings, meaning } = this.#deps;
    const { gateway, links, carts: near, trial = null } = frame();
    const isFar = watched !== undefined && !near.some(({ cartID }) => cartID === watched);
    const far = isFar ? this.#find(watched) : undefined;
    const carts = far ? [...near, far] : near;
    const commands = dispatcher.newest(COMMANDS_SHOWN).map((command) => command.view());
    const serverTimeMs = clock.wallTime();
    const positions = sightings.positions();
    return this.#event('snapshot', {
      bootId: this.bootId,
      serverTimeMs,
      gateway,
      links,
      carts,
      commands,
      positions,
      trial,
      moves: this.#deps.moves.list(),
      meaning: meaning(),
      stopToken,
    });
  }

  #event(name: string, data: object): FeedEvent {
    const seq = ++this.#seq;
    return { name, data: { seq, sentMs: Math.round(this.#deps.clock.now()), ...data } };
  }
}

interface FeedEvent {
  name: string;
  data: { seq: number; sentMs: number };
}

function write({ name, data }: FeedEvent, { isPage }: Pick<Client, 'isPage'>): string {
  const json = isPage ? messageJson(data) : JSON.stringify(data);
  return `event: ${name}\nid: ${data.seq}\ndata: ${json}\n\n`;
}

/** `?cart=700`; anything else watches nothing. */
function watchedOf({ query }: Request): number | undefined {
  return typeof query.cart === 'string' && /^[1-9]\d{0,4}$/.test(query.cart) ? Number(query.cart) : undefined;
}
