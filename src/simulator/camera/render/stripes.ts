/** The share of `widthMm`, centred on a position, that periodic stripes cover. */
export function stripes(atMm: number, widthMm: number, periodMm: number, stripeMm: number): number {
  const from = atMm - widthMm / 2;
  const rest = from - floor(from / periodMm) * periodMm;
  if (rest >= stripeMm && rest + widthMm <= periodMm) return 0;
  return (covered(rest + widthMm, periodMm, stripeMm) - covered(rest, periodMm, stripeMm)) / widthMm;
}

/** Covered length from 0 to a position. */
function covered(toMm: number, periodMm: number, stripeMm: number): number {
  const periods = floor(toMm / periodMm);
  return periods * stripeMm + Math.min(stripeMm, toMm - periods * periodMm);
}

/** Faster than Math.floor. */
function floor(value: number): number {
  return ((value + 0x10000) | 0) - 0x10000;
}
