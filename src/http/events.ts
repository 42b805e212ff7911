import { randomUUID } from 'node:crypto';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { Desk } from '../carts/desk.js';
import type { Command } from '../carts/lifecycle.js';
import type { CartPosition } from '../carts/model.js';
import type { Sightings } from '../carts/sightings.js';
import type { Cancel, Clock } from '../ports.js';
import type { FrameData } from './context.js';

/** Changes are gathered for this long and told once: a cart that reports ten times a second is drawn ten times. */
const GATHER_MS = 50;
const BEAT_MS = 250;
/** A page whose session has ended is told nothing more after so long. */
const ADMIT_MS = 2000;
/** A reader this far behind gets nothing more until it has read, and then the newest picture instead of the past. */
const BEHIND_BYTES = 256 * 1024;
const COMMANDS_SHOWN = 20;
const CLIENTS_MOST = 200;

export interface EventDeps {
  desk: Desk;
  frame: () => FrameData;
  onLinks: (listener: () => void) => Cancel;
  /** When a change of the settings goes on trial, and when that is over. */
  onTrial: (listener: () => void) => Cancel;
  sightings: Pick<Sightings, 'positions' | 'onPosition'>;
  /** Whether whoever asked for the stream may have it still. */
  mayStay: (req: Request) => boolean;
  clock: Clock;
}

/** The stream of what happens, as server-sent events: one full snapshot first, then what changed since. */
export class EventFeed {
  readonly bootId = randomUUID();
  #deps: EventDeps;
  #seq = 0;
  #clients = new Map<Response, { behind: boolean }>();
  #carts = new Set<number>();
  #commands = new Map<string, Command>();
  #positions = new Map<number, CartPosition>();
  #links = false;
  #trial = false;
  #pending: Cancel | undefined;
  #cancels: Cancel[];

  constructor(deps: EventDeps) {
    this.#deps = deps;
    const { desk, clock, onLinks, onTrial } = deps;
    this.#cancels = [
      desk.onCartChange((cartId) => this.#gather(() => this.#carts.add(cartId))),
      desk.onCommand((command) => this.#gather(() => this.#commands.set(command.id, command))),
      onLinks(() => this.#gather(() => (this.#links = true))),
      onTrial(() => this.#gather(() => (this.#trial = true))),
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
    const handler: RequestHandler = (_req, res) => {
      if (this.#clients.size >= CLIENTS_MOST) {
        res.setHeader('retry-after', '5');
        return void res
          .status(503)
          .json({ error: 'Not available', message: 'Too many pages are open.', code: 'TOO_MANY' });
      }
      res.writeHead(200, {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      });
      this.#clients.set(res, { behind: false });
      res.write(`retry: 1000\n\n${this.#snapshot()}`);
      res.on('drain', () => this.#catchUp(res));
      res.on('close', () => this.#clients.delete(res));
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
    this.#pending ??= this.#deps.clock.after(GATHER_MS, () => this.#tell());
  }

  #tell(): void {
    this.#pending = undefined;
    const { desk, frame } = this.#deps;
    const views = new Map(desk.carts().map((cart) => [cart.cartID, cart]));
    let text = '';
    for (const cartId of this.#carts) {
      const cart = views.get(cartId);
      if (cart) text += this.#event('cart', { cart });
    }
    for (const command of this.#commands.values())
      text += this.#event('command', { command: command.view() });
    for (const position of this.#positions.values()) text += this.#event('position', { position });
    if (this.#links) text += this.#event('links', { links: frame().links });
    if (this.#trial) text += this.#event('trial', { trial: frame().trial ?? null });
    this.#carts.clear();
    this.#commands.clear();
    this.#positions.clear();
    this.#links = false;
    this.#trial = false;
    this.#send(text);
  }

  #beat(): void {
    if (this.#clients.size === 0) return;
    const ages = Object.fromEntries(this.#deps.desk.carts().map(({ cartID, ageMs }) => [cartID, ageMs]));
    this.#send(this.#event('beat', { serverTimeMs: this.#deps.clock.wallTime(), ages }));
  }

  /** One text for all: what is told to fifty pages is written down once. */
  #send(text: string): void {
    if (text === '') return;
    for (const [res, client] of this.#clients) {
      if (res.writableLength > BEHIND_BYTES) client.behind = true;
      else res.write(text);
    }
  }

  #sendAway(): void {
    for (const res of this.#clients.keys()) if (!this.#deps.mayStay(res.req)) res.end();
  }

  #catchUp(res: Response): void {
    const client = this.#clients.get(res);
    if (!client?.behind) return;
    client.behind = false;
    res.write(this.#snapshot());
  }

  #snapshot(): string {
    const { desk, frame, clock, sightings } = this.#deps;
    const { gateway, links, carts, trial = null } = frame();
    const commands = desk.newest(COMMANDS_SHOWN).map((command) => command.view());
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
    });
  }

  #event(name: string, data: object): string {
    const seq = ++this.#seq;
    return `event: ${name}\nid: ${seq}\ndata: ${JSON.stringify({ seq, ...data })}\n\n`;
  }
}
