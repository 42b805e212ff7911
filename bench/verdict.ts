export function verdict(what: string, figure: string, target: string, isMet: boolean): void {
  process.stdout.write(`${what}: ${figure} (target ${target}: ${isMet ? 'met' : 'MISSED'})\n`);
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
