import { type FleetRow, worstFirst } from '../../../carts/pure.js';

export interface Choice {
  /** Matches carts whose number or name contains this string; an empty string matches every cart. */
  find: string;
  /** A cart's state, `problems` (neither moving nor ready) or an empty string (every state). */
  state: string;
  sort: string;
}

const WELL: readonly string[] = ['moving', 'ready'];

/** Carts whose value is unknown are sorted as if they had the worst value. */
const SORTS: Readonly<Record<string, (a: FleetRow, b: FleetRow) => number>> = {
  worst: worstFirst,
  number: (a, b) => a.cartID - b.cartID,
  name: (a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }) || a.cartID - b.cartID,
  battery: (a, b) => (a.soc ?? -1) - (b.soc ?? -1) || a.cartID - b.cartID,
  age: (a, b) => (b.ageMs ?? Infinity) - (a.ageMs ?? Infinity) || a.cartID - b.cartID,
};

export function chosen(carts: readonly FleetRow[], { find, state, sort }: Choice): FleetRow[] {
  const text = find.trim().toLowerCase();
  const fits = (cart: FleetRow): boolean =>
    (text === '' || String(cart.cartID).startsWith(text) || cart.name.toLowerCase().includes(text)) &&
    (state === '' || (state === 'problems' ? !WELL.includes(cart.state) : cart.state === state));
  return carts.filter(fits).sort(SORTS[sort] ?? worstFirst);
}

/** Keeps the previous order of the rows; new rows come last. */
export function inOrder<T extends { cartID: number }>(rows: readonly T[], order: readonly number[]): T[] {
  const positions = new Map(order.map((cartID, position) => [cartID, position]));
  const positionOf = ({ cartID }: T): number => positions.get(cartID) ?? order.length;
  return [...rows].sort((a, b) => positionOf(a) - positionOf(b));
}
