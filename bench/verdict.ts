/** Prints one line of a benchmark: the figure, its target and whether the target is met. */
export function verdict(what: string, figure: string, target: string, isMet: boolean): void {
  process.stdout.write(`${what}: ${figure} (target ${target}: ${isMet ? 'met' : 'MISSED'})\n`);
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
