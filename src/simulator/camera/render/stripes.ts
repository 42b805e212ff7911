/** Returns the share of `widthMm`, centred on a position, that periodic stripes cover. */
export function stripes(atMm: number, widthMm: number, periodMm: number, stripeMm: number): number {
  const from = atMm - widthMm / 2;
  const rest = from - floor(from / periodMm) * periodMm;
  if (rest >= stripeMm && rest + widthMm <= periodMm) return 0;
  return (covered(rest + widthMm, periodMm, stripeMm) - covered(rest, periodMm, stripeMm)) / widthMm;
}

/** Returns the length that the stripes cover between 0 and a position. */
function covered(toMm: number, periodMm: number, stripeMm: number): number {
  const periods = floor(toMm / periodMm);
  return periods * stripeMm + Math.min(stripeMm, toMm - periods * periodMm);
}

/** Like Math.floor, but faster. */
function floor(value: number): number {
  return ((value + 0x10000) | 0) - 0x10000;
}
