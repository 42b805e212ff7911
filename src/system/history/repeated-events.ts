import { conditionActor } from '../../shared/actor.js';
import type { Cancel, Clock } from '../../shared/ports/clock.js';
import { systemMessage } from '../messages.js';
import type { Repeats, SafetyEntry } from './entries.js';

/** The first summary of a series follows after one minute; the interval then doubles up to ten minutes. */
const FIRST_INTERVAL_MS = 60_000;
const MAX_INTERVAL_MS = 600_000;
/** Maximum number of people per cart whose events are counted separately. */
const MAX_SERIES = 20;
const MAX_PRESSES = 1000;

export interface EventSummary {
  event: SafetyEntry & { repeats: Repeats };
  /** Number of presses that no other entry counts; one press may be reported by several carts. */
  presses: number;
}

interface Series {
  event: SafetyEntry;
  repeats: Repeats | undefined;
  presses: number;
}

interface CartSeries {
  byCause: Map<string, Series>;
  others: Series | undefined;
  intervalMs: number;
  cancel: Cancel | undefined;
}

interface RepeatedEventsOptions {
  clock: Clock;
  write: (summary: EventSummary) => void;
}

/**
 * Limits the number of history entries for repeated events, such as presses while the stop is already latched. The
 * first event per cart, kind and person has its own entry; repetitions are counted, and each count is written at most
 * once a minute and when the stop is reset.
 */
export class RepeatedEvents {
  readonly #o: RepeatedEventsOptions;
  readonly #carts = new Map<number, CartSeries>();
  /** The latest presses; the value is true if a summary counts the press. */
  readonly #presses = new Map<string, boolean>();

  constructor(o: RepeatedEventsOptions) {
    this.#o = o;
  }

  /**
   * Returns true if the event is counted in a later summary; otherwise, the caller writes an entry.
   * @param at Unix time in ms.
   */
  counts(event: SafetyEntry, at: number): boolean {
    const { cartID, kind, by, repeated = false } = event;
    if (!repeated && kind.startsWith('estop.')) this.#end(cartID);
    if (!repeated && kind !== 'estop.latched') return false;
    const cart = this.#cartSeries(cartID);
    const cause = JSON.stringify([kind, by.kind, by.id, by.via]);
    const known = cart.byCause.get(cause);
    if (!known && cart.byCause.size < MAX_SERIES) {
      cart.byCause.set(cause, { event, repeats: undefined, presses: 0 });
      return false;
    }
    cart.others ??= {
      event: { ...event, by: conditionActor('input', systemMessage('other-people')) },
      repeats: undefined,
      presses: 0,
    };
    this.#count(cart, known ?? cart.others, { pressId: event.pressId, at });
    return true;
  }

  /**
   * Number of presses that an entry for this event adds to the statistics: 0 if a summary counts the press.
   */
  pressesOf({ pressId }: SafetyEntry): number {
    if (pressId === undefined) return 1;
    const isCounted = this.#presses.get(pressId) ?? false;
    this.#remember(pressId, isCounted);
    return isCounted ? 0 : 1;
  }

  /** Writes the counts of all series. */
  close(): void {
    for (const cartID of [...this.#carts.keys()]) this.#end(cartID);
  }

  #cartSeries(cartID: number): CartSeries {
    const known = this.#carts.get(cartID);
    if (known) return known;
    const cart = { byCause: new Map(), others: undefined, intervalMs: FIRST_INTERVAL_MS, cancel: undefined };
    this.#carts.set(cartID, cart);
    return cart;
  }

  #count(
    cart: CartSeries,
    series: Series,
    { pressId, at }: { pressId: string | undefined; at: number },
  ): void {
    // A summary never spans two days, so that daily statistics are correct.
    if (series.repeats && !isSameDay(series.repeats.lastAt, at)) this.#write(series);
    const { count = 0, firstAt = at } = series.repeats ?? {};
    series.repeats = { count: count + 1, firstAt, lastAt: at };
    if (pressId === undefined || !this.#presses.has(pressId)) series.presses += 1;
    if (pressId !== undefined) this.#remember(pressId, this.#presses.get(pressId) ?? true);
    cart.cancel ??= this.#o.clock.after(cart.intervalMs, () => {
      cart.cancel = undefined;
      cart.intervalMs = Math.min(2 * cart.intervalMs, MAX_INTERVAL_MS);
      this.#writeAll(cart);
    });
  }

  #remember(pressId: string, isCounted: boolean): void {
    this.#presses.set(pressId, isCounted);
    const [oldest] = this.#presses.keys();
    if (this.#presses.size > MAX_PRESSES && oldest !== undefined) this.#presses.delete(oldest);
  }

  #end(cartID: number): void {
    const cart = this.#carts.get(cartID);
    if (!cart) return;
    this.#carts.delete(cartID);
    cart.cancel?.();
    this.#writeAll(cart);
  }

  #writeAll({ byCause, others }: CartSeries): void {
    for (const series of byCause.values()) this.#write(series);
    if (others) this.#write(others);
  }

  #write(series: Series): void {
    const { event, repeats, presses } = series;
    if (!repeats) return;
    series.repeats = undefined;
    series.presses = 0;
    const { pressId: _one, ...cause } = event;
    this.#o.write({ event: { ...cause, repeats }, presses });
  }
}

/** Days begin at midnight in the gateway's time zone, as in the statistics. */
function isSameDay(a: number, b: number): boolean {
  return new Date(a).toDateString() === new Date(b).toDateString();
}
