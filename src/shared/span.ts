/** A rounded duration for people, in English: `250 ms`, `1.5 s`, `12 s`, `3 min`. */
export function spanText(ms: number): string {
  if (ms < 995) return `${Number(ms.toPrecision(2))} ms`;
  if (ms < 9_950) return `${(ms / 1000).toFixed(1).replace(/\.0$/, '')} s`;
  return ms < 119_500 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`;
}
