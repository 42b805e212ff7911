import { randomUUID } from 'node:crypto';
import type { Request } from 'express';
import type { StopToken } from '../../access/index.js';
import { type DeclaredRouter, routerOf } from '../../http/server/declared-router.js';
import { type Actor, actorName } from '../../shared/actor.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import type { ActiveDrivers } from '../command/active-drivers.js';
import type { Command } from '../command/command.js';
import type { CommandDispatcher } from '../command/dispatcher.js';
import type { CartPosition, CartView } from '../command/model.js';
import { LISTED_COUNT } from '../command/registry.js';
import type { Overview, SitePlanState, ZoneOverride } from '../control/sse-events.js';
import type { FirmwareUpdate } from '../firmware/firmware-update.js';
import type { BeaconReports } from '../fleet/beacon-reports.js';
import { EVENT_HEADERS, EventClients, type FeedEvent, type SnapshotRequest } from './event-clients.js';
import { eventsApi } from './openapi.js';

const GATHER_MS = 50;
/** This delay is short, because an operator who has pressed a button is waiting to see the command's progress. */
const COMMAND_GATHER_MS = 10;
const BEAT_MS = 250;
/** A stream ends at most this long after its session has ended. */
const ADMIT_MS = 2000;

export interface EventDeps {
  dispatcher: CommandDispatcher;
  drivers: Pick<ActiveDrivers, 'list'>;
  layout: () => Overview;
  onLinks: (listener: () => void) => Cancel;
  onTrial: (listener: () => void) => Cancel;
  firmware: Pick<FirmwareUpdate, 'progress' | 'onChange'>;
  sitePlan: { readonly current: SitePlanState; onChange: (listener: () => void) => Cancel };
  zoneGate: {
    readonly activeOverride: { by: Actor; reason: string; untilMs: number } | undefined;
    onOverride: (listener: () => void) => Cancel;
  };
  meaning: () => string;
  onSettings: (listener: () => void) => Cancel;
  beaconReports: Pick<BeaconReports, 'positions' | 'onPosition'>;
  mayStay: (req: Request) => boolean;
  /** True if the client may receive the titles of the settings on trial and the name of their author. */
  mayReadSettings: (req: Request) => boolean;
  stopToken: (req: Request) => StopToken | undefined;
  clock: Clock;
}

export class EventFeed {
  readonly bootId = randomUUID();
  #deps: EventDeps;
  #seq = 0;
  #clients: EventClients;
  #carts = new Set<number>();
  #commands = new Map<string, Command>();
  #positions = new Map<number, CartPosition>();
  #links = false;
  #trial = false;
  #firmware = false;
  #sitePlan = false;
  #settings = false;
  #moves = '[]';
  /** End of the override that the clients know. */
  #overrideUntilMs: number | undefined;
  #pending: { cancel: Cancel; at: number } | undefined;
  #cancels: Cancel[];

  constructor(deps: EventDeps) {
    this.#deps = deps;
    this.#clients = new EventClients((client) => this.#snapshot(client), deps.mayReadSettings);
    const { dispatcher, clock, onLinks, onTrial, onSettings } = deps;
    this.#cancels = [
      dispatcher.onCartChange((cartId) => this.#gather(() => this.#carts.add(cartId))),
      dispatcher.onCommand((command) => this.#gatherCommand(command)),
      onLinks(() => this.#gather(() => (this.#links = true))),
      onTrial(() => this.#gather(() => (this.#trial = true))),
      deps.firmware.onChange(() => this.#gather(() => (this.#firmware = true))),
      deps.sitePlan.onChange(() => this.#gather(() => (this.#sitePlan = true))),
      deps.zoneGate.onOverride(() => this.#gather(() => undefined)),
      onSettings(() => this.#gather(() => (this.#settings = true))),
      deps.beaconReports.onPosition((position) =>
        this.#gather(() => this.#positions.set(position.cartID, position)),
      ),
      clock.every(BEAT_MS, () => this.#beat()),
      clock.every(ADMIT_MS, () => this.#clients.endUnless(deps.mayStay)),
    ];
  }

  get clients(): number {
    return this.#clients.size;
  }

  router(): DeclaredRouter {
    const router = routerOf(eventsApi);
    router.on('GET /events', (req, res) => {
      if (req.method === 'HEAD') return void res.writeHead(200, EVENT_HEADERS).end();
      // Changes were not collected while no client was connected; the snapshot contains the current state.
      if (this.#clients.size === 0) {
        this.#moves = JSON.stringify(this.#deps.drivers.list());
        this.#overrideUntilMs = this.#deps.zoneGate.activeOverride?.untilMs;
      }
      this.#clients.add(req, res, this.#deps.stopToken(req));
    });
    return router;
  }

  close(): void {
    for (const cancel of this.#cancels) cancel();
    this.#pending?.cancel();
    this.#clients.close();
  }

  /** Sends the change together with all changes made during the following `delayMs`. */
  #gather(note: () => void, delayMs = GATHER_MS): void {
    if (this.#clients.size === 0) return;
    note();
    const { clock } = this.#deps;
    const at = clock.now() + delayMs;
    if (this.#pending && this.#pending.at <= at) return;
    this.#pending?.cancel();
    this.#pending = { cancel: clock.after(delayMs, () => this.#flush()), at };
  }

  #gatherCommand(command: Command): void {
    const gather = (): void => this.#gather(() => this.#commands.set(command.id, command), COMMAND_GATHER_MS);
    gather();
    if (command.final) command.onMeasured(gather);
  }

  #flush(): void {
    this.#pending = undefined;
    const { dispatcher, layout, meaning } = this.#deps;
    const moves = this.#deps.drivers.list();
    const near = dispatcher.near();
    const news: FeedEvent[] = [];
    for (const cart of near) if (this.#carts.has(cart.cartID)) news.push(this.#event('cart', { cart }));
    const far = this.#farOf(near).filter(({ cartID }) => this.#carts.has(cartID));
    for (const command of this.#commands.values())
      news.push(this.#event('command', { command: command.view() }));
    for (const position of this.#positions.values()) news.push(this.#event('position', { position }));
    if (this.#links) news.push(this.#event('links', { links: layout().links }));
    if (this.#trial) {
      const { trial = null, trialEnded = null } = layout();
      news.push({ ...this.#event('trial', { trial, trialEnded }), isAboutSettings: true });
    }
    if (this.#firmware) news.push(this.#event('firmware', { firmware: this.#deps.firmware.progress() }));
    if (this.#sitePlan) {
      const { version, planHash, needsReview } = this.#deps.sitePlan.current;
      news.push(this.#event('sitePlan', { sitePlan: { version, planHash, needsReview } }));
    }
    if (JSON.stringify(moves) !== this.#moves) news.push(this.#event('moves', { moves }));
    this.#moves = JSON.stringify(moves);
    // A latching stop also ends an override, and changes the cart.
    const untilMs = this.#deps.zoneGate.activeOverride?.untilMs;
    if (untilMs !== this.#overrideUntilMs)
      news.push(this.#event('zoneOverride', { zoneOverride: this.#zoneOverride() }));
    this.#overrideUntilMs = untilMs;
    // A change of settings may change the carts and their names, so every client receives a new snapshot.
    const isChanged = this.#settings;
    if (isChanged) news.push(this.#event('meaning', { meaning: meaning() }));
    this.#carts.clear();
    this.#commands.clear();
    this.#positions.clear();
    this.#links = false;
    this.#trial = false;
    this.#firmware = false;
    this.#sitePlan = false;
    this.#settings = false;
    for (const cart of far) this.#clients.send([this.#event('cart', { cart })], cart.cartID);
    this.#clients.send(news);
    if (isChanged) this.#clients.restart();
  }

  #zoneOverride(): ZoneOverride | null {
    const { zoneGate, clock } = this.#deps;
    const { activeOverride } = zoneGate;
    if (!activeOverride) return null;
    const { by, reason, untilMs } = activeOverride;
    return { by: actorName(by), reason, leftMs: Math.round(untilMs - clock.now()) };
  }

  #beat(): void {
    if (this.#clients.size === 0) return;
    const near = this.#deps.dispatcher.near();
    const shown = [...near, ...this.#farOf(near)];
    const ages = Object.fromEntries(shown.map(({ cartID, ageMs }) => [cartID, ageMs]));
    this.#clients.send([this.#event('beat', { serverTimeMs: this.#deps.clock.wallTime(), ages })]);
  }

  #farOf(near: readonly CartView[]): CartView[] {
    const { watched } = this.#clients;
    for (const { cartID } of near) watched.delete(cartID);
    return [...watched].flatMap((cartID) => this.#find(cartID) ?? []);
  }

  #find(cartID: number): CartView | undefined {
    try {
      return this.#deps.dispatcher.cartView(cartID);
    } catch {
      return undefined; // The cart was removed from the settings.
    }
  }

  #snapshot({ watched, stopToken, mayReadSettings }: SnapshotRequest): FeedEvent {
    const { dispatcher, layout, clock, beaconReports, meaning } = this.#deps;
    const overview = layout();
    const { gateway, links, carts: near } = overview;
    const { trial = null, trialEnded = null } = mayReadSettings ? overview : {};
    const isFar = watched !== undefined && !near.some(({ cartID }) => cartID === watched);
    const far = isFar ? this.#find(watched) : undefined;
    const carts = far ? [...near, far] : near;
    const commands = dispatcher.newest(LISTED_COUNT).map((command) => command.view());
    const serverTimeMs = clock.wallTime();
    const positions = beaconReports.positions();
    return this.#event('snapshot', {
      bootId: this.bootId,
      serverTimeMs,
      gateway,
      links,
      carts,
      commands,
      positions,
      trial,
      trialEnded,
      moves: this.#deps.drivers.list(),
      firmware: this.#deps.firmware.progress(),
      zoneOverride: this.#zoneOverride(),
      meaning: meaning(),
      stopToken,
    });
  }

  #event(name: string, data: object): FeedEvent {
    const seq = ++this.#seq;
    return { name, data: { seq, sentMs: Math.round(this.#deps.clock.now()), ...data } };
  }
}
