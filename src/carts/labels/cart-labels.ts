/** The name of a cart with its number, unless the name has the number already: `Cart 2`, `Loader (2)`. */
export function cartLabel({ cartID, name }: { cartID: number; name: string }): string {
  const numbers: readonly string[] = name.match(/\d+/g) ?? [];
  return numbers.includes(String(cartID)) ? name : `${name} (${cartID})`;
}
