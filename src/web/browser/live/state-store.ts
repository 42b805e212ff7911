import type { CartMove, CartPosition, CartView, CommandView } from '../../../carts/command/model.js';
import type { BeatEvent, LinksView, SnapshotEvent, TrialNote } from '../../../carts/control/sse-events.js';
import { keepStopToken } from '../stop-token.js';
import { Live } from './live.js';

const MAX_COMMANDS = 20;

/** What the page knows, and how old that is. Every view draws from here, at most once per frame of the screen. */
export class StateStore {
  readonly carts = new Map<number, CartView>();
  /** Where carts are by the beacons that they heard, and when that was; ms of `performance.now()`. */
  readonly positions = new Map<number, CartPosition & { at: number }>();
  /** Newest first. */
  commands: CommandView[] = [];
  links: LinksView | undefined;
  /** The carts that are moved through this gateway; undefined: not known yet. */
  moves: readonly CartMove[] | undefined;
  /** A change of the settings that waits to be confirmed, and when that was told; null: none, undefined: not known yet. */
  trial: (TrialNote & { at: number }) | null | undefined;
  /** Stands for what the numbers of a command mean now; empty: not known yet. */
  meaning = '';
  /** When the gateway that we hear was seen to be another one than before; wall ms. */
  restartedAt: number | undefined;
  /** Whoever opened the page is logged out by now. */
  loggedOut = false;
  /** When stops no longer work after that; ms of `performance.now()`. */
  #stopsUntil = 0;
  #selectedID: number;
  #bootId = '';
  #ages = new Map<number, { ageMs: number | null; at: number }>();
  #views: ((picture: StateStore) => void)[] = [];
  #selections: ((cartID: number) => void)[] = [];
  #drawing = false;
  #live: Live;

  constructor(selectedID: number) {
    this.#selectedID = selectedID;
    this.#live = new Live(
      {
        snapshot: (event, at) => this.#replace(event, at),
        cart: ({ cart }, at) => this.#putCart(cart, at),
        command: ({ command }) => this.#putCommand(command),
        links: ({ links }) => this.#putLinks(links),
        position: ({ position }, at) => this.#putPosition(position, at),
        trial: ({ trial }, at) => this.#putTrial(trial, at),
        moves: ({ moves }) => this.#putMoves(moves),
        meaning: ({ meaning }) => this.#putMeaning(meaning),
        beat: ({ ages }, at) => this.#putAges(ages, at),
        loggedOut: (stopMs) => {
          this.loggedOut = true;
          this.#stopsUntil = performance.now() + stopMs;
        },
      },
      selectedID,
    );
  }

  /** Draws now and after every piece of news, and four times a second because ages grow by themselves. */
  start(): void {
    this.#live.start();
    setInterval(() => this.draw(), 250);
  }

  onDraw(view: (picture: StateStore) => void): void {
    this.#views.push(view);
  }

  get selectedID(): number {
    return this.#selectedID;
  }

  get selected(): CartView | undefined {
    return this.carts.get(this.#selectedID);
  }

  select(cartID: number): void {
    this.#selectedID = cartID;
    for (const listener of this.#selections) listener(cartID);
    this.draw();
  }

  /** Calls back now and with every other cart that is selected. */
  onSelect(listener: (cartID: number) => void): void {
    this.#selections.push(listener);
    listener(this.#selectedID);
  }

  /** The command that a cart is busy with, or was last. */
  commandOf(cart: CartView): CommandView | undefined {
    return this.commands.find(({ commandId }) => commandId === cart.commandId);
  }

  /** ms since the cart was last heard of, growing while nothing comes; null = never. */
  ageMs(cartID: number): number | null {
    const known = this.#ages.get(cartID);
    if (!known || known.ageMs === null) return null;
    return known.ageMs + performance.now() - known.at;
  }

  /** For how long this page can still stop carts after its session has ended, ms. */
  stopsForMs(): number {
    return Math.max(0, this.#stopsUntil - performance.now());
  }

  lostForMs(): number {
    return this.#live.lostForMs();
  }

  draw(): void {
    if (this.#drawing) return;
    this.#drawing = true;
    requestAnimationFrame(() => {
      this.#drawing = false;
      for (const view of this.#views) view(this);
    });
  }

  #replace(event: SnapshotEvent, at: number): void {
    if (this.#bootId !== '' && this.#bootId !== event.bootId) this.restartedAt = Date.now();
    this.#bootId = event.bootId;
    this.loggedOut = false;
    keepStopToken(event.stopToken);
    this.carts.clear();
    this.#ages.clear();
    for (const cart of event.carts) this.#putCart(cart, at);
    this.commands = event.commands;
    this.positions.clear();
    for (const position of event.positions) {
      this.#putPosition(position, at - (event.serverTimeMs - Date.parse(position.heardAt)));
    }
    this.#putLinks(event.links);
    this.#putTrial(event.trial, at);
    this.#putMoves(event.moves);
    this.#putMeaning(event.meaning);
  }

  #putCart(cart: CartView, at: number): void {
    this.carts.set(cart.cartID, cart);
    this.#ages.set(cart.cartID, { ageMs: cart.ageMs, at });
    this.draw();
  }

  #putCommand(command: CommandView): void {
    const others = this.commands.filter(({ commandId }) => commandId !== command.commandId);
    const place = this.commands.findIndex(({ commandId }) => commandId === command.commandId);
    others.splice(Math.max(place, 0), 0, command);
    this.commands = others.slice(0, MAX_COMMANDS);
    this.draw();
  }

  #putPosition(position: CartPosition, at: number): void {
    this.positions.set(position.cartID, { ...position, at });
    this.draw();
  }

  #putLinks(links: LinksView): void {
    this.links = links;
    this.draw();
  }

  #putTrial(trial: TrialNote | null, at: number): void {
    this.trial = trial ? { ...trial, at } : null;
    this.draw();
  }

  #putMoves(moves: readonly CartMove[]): void {
    this.moves = moves;
    this.draw();
  }

  #putMeaning(meaning: string): void {
    this.meaning = meaning;
    this.draw();
  }

  #putAges(ages: BeatEvent['ages'], at: number): void {
    for (const [cartID, ageMs] of Object.entries(ages)) {
      this.#ages.set(Number(cartID), { ageMs, at });
    }
    this.draw();
  }
}
