/** These rows in an order that was shown before; rows that were not shown come last. */
export function inOrder<T extends { cartID: number }>(rows: readonly T[], order: readonly number[]): T[] {
  const places = new Map(order.map((cartID, place) => [cartID, place]));
  const placeOf = ({ cartID }: T): number => places.get(cartID) ?? order.length;
  return [...rows].sort((a, b) => placeOf(a) - placeOf(b));
}
