/** One line of a bench: the figure, what was wanted, and whether it holds. */
export function verdict(what: string, figure: string, wanted: string, holds: boolean): void {
  process.stdout.write(`${what}: ${figure} (wanted ${wanted}: ${holds ? 'holds' : 'FALLS SHORT'})\n`);
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
