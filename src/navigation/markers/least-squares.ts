/** Solves `a x = b` by Gaussian elimination with pivoting. Returns undefined if the matrix is singular. */
export function solve(a: readonly (readonly number[])[], b: readonly number[]): number[] | undefined {
  const size = b.length;
  const rows = a.map((row, at) => Float64Array.of(...row, b[at] ?? 0));
  for (let column = 0; column < size; column++) {
    let pivot = column;
    for (let at = column + 1; at < size; at++)
      if (Math.abs(valueAt(rows, at, column)) > Math.abs(valueAt(rows, pivot, column))) pivot = at;
    const [chosen, replaced] = [rows[pivot], rows[column]];
    if (!chosen || !replaced || !(Math.abs(chosen[column] ?? 0) > 1e-300)) return undefined;
    rows[pivot] = replaced;
    rows[column] = chosen;
    for (let at = column + 1; at < size; at++) {
      const row = rows[at];
      if (!row) continue;
      const factor = (row[column] ?? 0) / (chosen[column] ?? 1);
      for (let k = column; k <= size; k++) row[k] = (row[k] ?? 0) - factor * (chosen[k] ?? 0);
    }
  }
  const x = new Array<number>(size).fill(0);
  for (let at = size - 1; at >= 0; at--) {
    let sum = valueAt(rows, at, size);
    for (let k = at + 1; k < size; k++) sum -= valueAt(rows, at, k) * (x[k] ?? 0);
    x[at] = sum / valueAt(rows, at, at);
  }
  return x.every(Number.isFinite) ? x : undefined;
}

function valueAt(rows: readonly Float64Array[], row: number, column: number): number {
  return rows[row]?.[column] ?? 0;
}

export type Residuals = (parameters: readonly number[]) => number[];

/** Returns the residuals and their derivatives (one row per parameter), by central differences. */
export function linearise(
  residuals: Residuals,
  parameters: readonly number[],
  steps: readonly number[],
): { values: number[]; derivatives: number[][] } {
  const derivatives = parameters.map((_, at) => {
    const step = steps[at] ?? 1;
    const moved = (by: number) => residuals(parameters.map((value, k) => (k === at ? value + by : value)));
    const [above, below] = [moved(step), moved(-step)];
    return above.map((value, k) => (value - (below[k] ?? 0)) / (2 * step));
  });
  return { values: residuals(parameters), derivatives };
}

export function dot(a: readonly number[], b: readonly number[]): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}

/** Gauss-Newton. Stops when a step no longer reduces the sum of squares. Returns the best parameters. */
export function minimise(
  residuals: Residuals,
  start: readonly number[],
  steps: readonly number[],
  maxSteps = 10,
): number[] {
  let best = [...start];
  for (let nth = 0; nth < maxSteps; nth++) {
    const { values, derivatives } = linearise(residuals, best, steps);
    const change = solve(
      derivatives.map((row) => derivatives.map((other) => dot(row, other))),
      derivatives.map((row) => -dot(row, values)),
    );
    if (!change) return best;
    const next = best.map((value, at) => value + (change[at] ?? 0));
    const after = residuals(next);
    const [cost, nextCost] = [dot(values, values), dot(after, after)];
    if (!(nextCost < cost)) return best;
    best = next;
    if (nextCost > cost * (1 - 1e-9)) return best;
  }
  return best;
}
