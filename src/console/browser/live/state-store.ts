import type {
  BeatEvent,
  CartMove,
  CartPosition,
  CartView,
  CommandView,
  FirmwareProgress,
  LinksView,
  SitePlanState,
  SnapshotEvent,
  TrialEndNote,
  TrialEvent,
  TrialNote,
  ZoneOverride,
} from '../../../carts/pure.js';
import { storeStopToken } from '../stop-token.js';
import { Live } from './live.js';

const MAX_COMMANDS = 20;

type View = (state: StateStore) => void;

/** A page's live state and the age of its data. Views are redrawn at most once per animation frame. */
export class StateStore {
  readonly carts = new Map<number, CartView>();
  /** Positions from beacons, by cart ID. `at` is the measurement time on the `performance.now()` clock. */
  readonly positions = new Map<number, CartPosition & { at: number }>();
  /** Newest first. */
  commands: CommandView[] = [];
  links: LinksView | undefined;
  /** Carts that users and API keys of this gateway are moving; undefined before the first event. */
  moves: readonly CartMove[] | undefined;
  /** Unconfirmed settings; null if there are none, undefined before the first event. */
  trial: (TrialNote & { at: number }) | null | undefined;
  trialEnded: TrialEndNote | null = null;
  /** Progress of a firmware update; undefined before the first event. */
  firmware: FirmwareProgress | undefined;
  /** The latest change of the site plan; undefined if there was none since the page was loaded. */
  sitePlan: SitePlanState | undefined;
  /** Null if no operator has switched the zones off; undefined before the first event. */
  zoneOverride: (ZoneOverride & { at: number }) | null | undefined;
  /** Fingerprint of the command units; empty before the first event. */
  meaning = '';
  /** Time when a gateway restart was detected, as Unix time in ms. */
  restartedAt: number | undefined;
  loggedOut = false;
  /** Time of the latest snapshot, on the `performance.now()` clock. Each connection starts with a snapshot. */
  connectedAt = Number.NEGATIVE_INFINITY;
  /** Expiry of the stop token on the `performance.now()` clock. */
  #stopsUntil = 0;
  #selectedID: number;
  #bootId = '';
  #ages = new Map<number, { ageMs: number | null; at: number }>();
  #views: View[] = [];
  #lists: View[] = [];
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
        trial: (event, at) => this.#putTrial(event, at),
        moves: ({ moves }) => this.#putMoves(moves),
        firmware: ({ firmware }) => this.#putFirmware(firmware),
        meaning: ({ meaning }) => this.#putMeaning(meaning),
        sitePlan: ({ sitePlan }) => this.#putSitePlan(sitePlan),
        zoneOverride: ({ zoneOverride }, at) => this.#putZoneOverride(zoneOverride, at),
        beat: ({ ages }, at) => this.#putAges(ages, at),
        loggedOut: (stopMs) => {
          this.loggedOut = true;
          this.#stopsUntil = performance.now() + stopMs;
        },
      },
      selectedID,
    );
  }

  /** Starts receiving events. Redraws after each event and, to update the ages, every 250 ms. */
  start(): void {
    this.#live.start();
    setInterval(() => this.draw(), 250);
  }

  onDraw(view: View): void {
    this.#views.push(view);
  }

  /** For views that may appear one frame later than the others, such as lists below the cockpit. */
  onDrawList(view: View): void {
    this.#lists.push(view);
  }

  get selectedID(): number {
    return this.#selectedID;
  }

  get ownID(): number {
    return Number(document.body.dataset.ownCartId);
  }

  get own(): CartView | undefined {
    return this.carts.get(this.ownID);
  }

  get selected(): CartView | undefined {
    return this.carts.get(this.#selectedID);
  }

  select(cartID: number): void {
    this.#selectedID = cartID;
    for (const listener of this.#selections) listener(cartID);
    this.draw();
  }

  /** Calls the listener immediately and whenever the selection changes. */
  onSelect(listener: (cartID: number) => void): void {
    this.#selections.push(listener);
    listener(this.#selectedID);
  }

  /** Returns the cart's current or last command. */
  commandOf(cart: CartView): CommandView | undefined {
    return this.commands.find(({ commandId }) => commandId === cart.commandId);
  }

  /** Returns the time since the cart's last message, or null if no message has been received. */
  ageMs(cartID: number): number | null {
    const age = this.#ages.get(cartID);
    if (!age || age.ageMs === null) return null;
    return age.ageMs + performance.now() - age.at;
  }

  /** Returns the stop token's remaining validity; 0 while the session is valid. */
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
      setTimeout(() => {
        for (const view of this.#lists) view(this);
      });
    });
  }

  #replace(event: SnapshotEvent, at: number): void {
    if (this.#bootId !== '' && this.#bootId !== event.bootId) this.restartedAt = Date.now();
    this.#bootId = event.bootId;
    this.loggedOut = false;
    this.connectedAt = performance.now();
    storeStopToken(event.stopToken);
    this.carts.clear();
    this.#ages.clear();
    for (const cart of event.carts) this.#putCart(cart, at);
    this.commands = event.commands;
    this.positions.clear();
    for (const position of event.positions) {
      this.#putPosition(position, at - (event.serverTimeMs - Date.parse(position.heardAt)));
    }
    this.#putLinks(event.links);
    this.#putTrial(event, at);
    this.#putMoves(event.moves);
    this.#putFirmware(event.firmware);
    this.#putMeaning(event.meaning);
    this.#putZoneOverride(event.zoneOverride, at);
  }

  #putCart(cart: CartView, at: number): void {
    this.carts.set(cart.cartID, cart);
    this.#ages.set(cart.cartID, { ageMs: cart.ageMs, at });
    this.draw();
  }

  #putCommand(command: CommandView): void {
    const others = this.commands.filter(({ commandId }) => commandId !== command.commandId);
    const index = this.commands.findIndex(({ commandId }) => commandId === command.commandId);
    others.splice(Math.max(index, 0), 0, command);
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

  #putTrial({ trial, trialEnded }: Pick<TrialEvent, 'trial' | 'trialEnded'>, at: number): void {
    this.trialEnded = trialEnded;
    this.trial = trial ? { ...trial, at } : null;
    this.draw();
  }

  #putMoves(moves: readonly CartMove[]): void {
    this.moves = moves;
    this.draw();
  }

  #putFirmware(firmware: FirmwareProgress): void {
    this.firmware = firmware;
    this.draw();
  }

  #putMeaning(meaning: string): void {
    this.meaning = meaning;
    this.draw();
  }

  #putSitePlan(sitePlan: SitePlanState): void {
    this.sitePlan = sitePlan;
    this.draw();
  }

  #putZoneOverride(zoneOverride: ZoneOverride | null, at: number): void {
    this.zoneOverride = zoneOverride && { ...zoneOverride, at };
    this.draw();
  }

  #putAges(ages: BeatEvent['ages'], at: number): void {
    for (const [cartID, ageMs] of Object.entries(ages)) {
      this.#ages.set(Number(cartID), { ageMs, at });
    }
    this.draw();
  }
}
