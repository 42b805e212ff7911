import { GatewayError } from '../../shared/errors.js';
import type { Clock } from '../../shared/ports/clock.js';
import type { ReadDatabase, Statement } from '../../shared/ports/database.js';
import type { Store } from '../../shared/ports/store.js';
import { requireGame, requireGamePatch, requirePrice } from '../check.js';
import { toDecimal } from '../payments/money.js';
import { GAME_COLUMNS, type GameRow } from '../rows.js';
import type { GameChange, NewGame, SeedRequest } from './writes.js';

export interface Game {
  id: number;
  title: string;
  /** Decimal amount in `currency`. */
  price: number;
  currency: string;
  sku: string | null;
  /** False for a retired game. */
  active: boolean;
}

const SAMPLE_GAMES: readonly (readonly [sku: string, title: string, priceMinor: number])[] = [
  ['CW-001', 'Warehouse Rally', 1999],
  ['CW-002', 'Beacon Hunt', 999],
  ['CW-003', 'Forklift Tycoon', 2950],
  ['CW-004', 'Parcel Panic', 435],
  ['CW-005', 'Night Shift', 1495],
];

const ALL = `SELECT ${GAME_COLUMNS} FROM games WHERE active >= @least ORDER BY title, id LIMIT 1000`;
const SEEDED = "SELECT 1 FROM shop_facts WHERE name = 'seeded'";
const ONE = `SELECT ${GAME_COLUMNS} FROM games WHERE id = @id`;
const FOR_SALE = 'SELECT 1 FROM games WHERE active = 1 LIMIT 1';

const GAME_WRITES: ReadonlySet<string> = new Set([
  'shop.seed',
  'shop.addGame',
  'shop.changeGame',
  'shop.removeGame',
]);

export class Catalogue {
  readonly #o: { store: Store; clock: Clock; currency: string };
  readonly #all: Statement<GameRow>;
  readonly #one: Statement<GameRow>;
  readonly #forSale: Statement<unknown>;
  #hasGames = false;
  #isKnown = false;

  constructor(o: { store: Store; clock: Clock; currency: string }) {
    this.#o = o;
    const read: ReadDatabase = o.store.read;
    this.#all = read.prepare(ALL);
    this.#one = read.prepare(ONE);
    this.#forSale = read.prepare(FOR_SALE);
    o.store.onCommit(({ names }) => {
      if (names.some((name) => GAME_WRITES.has(name))) this.#isKnown = false;
    });
  }

  async seed(): Promise<void> {
    // This check only avoids a commit on later starts; the writer repeats the check.
    if (this.#o.store.read.prepare(SEEDED).get()) return;
    const at = this.#now();
    const { currency } = this.#o;
    const games = SAMPLE_GAMES.map(([sku, title, priceMinor]) => ({ sku, title, priceMinor, currency, at }));
    const request: SeedRequest = { games, at };
    await this.#o.store.write('shop.seed', request);
  }

  /** The result is cached, because every page needs it. If the read fails, returns the previous result. */
  get hasGames(): boolean {
    if (this.#isKnown) return this.#hasGames;
    try {
      this.#hasGames = this.#forSale.get() !== undefined;
      this.#isKnown = true;
    } catch {
      // If the store is unavailable, the previous value remains.
    }
    return this.#hasGames;
  }

  games({ withRetired = false } = {}): Game[] {
    return this.#all.all({ least: withRetired ? 0 : 1 }).map(toGame);
  }

  /** Throws `NOT_FOUND`. */
  game(id: number): Game {
    const row = this.#one.get({ id });
    if (!row) throw unknownGame(id);
    return toGame(row);
  }

  /** Rejects with `INVALID_INPUT`, or with `CONFLICT` if the SKU is in use. */
  async add(body: unknown): Promise<Game> {
    const { title, price, sku = null } = requireGame(body);
    const priceMinor = requirePrice(price, 'price', 0);
    const request: NewGame = { title, priceMinor, sku, currency: this.#o.currency, at: this.#now() };
    const row = await this.#o.store.write<GameRow | null>('shop.addGame', request);
    if (!row) throw skuTaken(sku);
    return toGame(row);
  }

  /** Changes the specified fields. Rejects with `INVALID_INPUT`, `NOT_FOUND` or `CONFLICT`. */
  async change(id: number, body: unknown): Promise<Game> {
    const { title, price, sku, active } = requireGamePatch(body);
    const priceMinor = price === undefined ? undefined : requirePrice(price, 'price', 0);
    const request: GameChange = { id, title, priceMinor, sku, isActive: active };
    const result = await this.#o.store.write<GameRow | 'no_game' | 'sku_taken'>('shop.changeGame', request);
    if (result === 'no_game') throw unknownGame(id);
    if (result === 'sku_taken') throw skuTaken(sku ?? null);
    return toGame(result);
  }

  /** Removes a game from the catalogue and all baskets, but not from orders. Rejects with `NOT_FOUND`. */
  async remove(id: number): Promise<Game> {
    const row = await this.#o.store.write<GameRow | null>('shop.removeGame', { id });
    if (!row) throw unknownGame(id);
    return toGame(row);
  }

  #now(): number {
    return Math.trunc(this.#o.clock.wallTime());
  }
}

function toGame({ id, title, priceMinor, currency, sku, active }: GameRow): Game {
  return { id, title, price: toDecimal(priceMinor), currency, sku, active: active === 1 };
}

function unknownGame(id: number): GatewayError {
  return new GatewayError('NOT_FOUND', `there is no game with ID ${id}`, { field: 'game_id' });
}

function skuTaken(sku: string | null): GatewayError {
  return new GatewayError('CONFLICT', `SKU "${sku}" is already used by another game`, { field: 'sku' });
}
