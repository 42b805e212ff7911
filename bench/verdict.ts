/** Prints a figure and its target. If the target is missed, the program exits with 1. */
export function verdict(what: string, figure: string, target: string, isMet: boolean): void {
  process.stdout.write(`${what}: ${figure} (target ${target}: ${isMet ? 'met' : 'MISSED'})\n`);
  if (!isMet) process.exitCode = 1;
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
