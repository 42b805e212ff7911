/** A matrix as an array of rows. In products, sums and differences, missing elements count as zero. */
export type Matrix = readonly (readonly number[])[];

export function multiply(a: Matrix, b: Matrix): Matrix {
  return a.map((row) =>
    (b[0] ?? []).map((_, column) => row.reduce((sum, value, i) => sum + value * (b[i]?.[column] ?? 0), 0)),
  );
}

export function transpose(a: Matrix): Matrix {
  return (a[0] ?? []).map((_, column) => a.map((row) => row[column] ?? 0));
}

export function add(a: Matrix, b: Matrix): Matrix {
  return a.map((row, i) => row.map((value, j) => value + (b[i]?.[j] ?? 0)));
}

export function subtract(a: Matrix, b: Matrix): Matrix {
  return a.map((row, i) => row.map((value, j) => value - (b[i]?.[j] ?? 0)));
}

export function diagonal(values: readonly number[]): Matrix {
  return values.map((value, i) => values.map((_, j) => (i === j ? value : 0)));
}

export function column(values: readonly number[]): Matrix {
  return values.map((value) => [value]);
}

/** Returns `a · p · aᵀ`. */
export function sandwich(a: Matrix, p: Matrix): Matrix {
  return multiply(multiply(a, p), transpose(a));
}

/** Returns the inverse of a symmetric positive definite matrix (Cholesky decomposition). */
export function inverse(a: Matrix): Matrix {
  const size = a.length;
  const lower: number[][] = [];
  const at = (i: number, j: number): number => lower[i]?.[j] ?? 0;
  for (let i = 0; i < size; i += 1) {
    lower.push(new Array<number>(size).fill(0));
    for (let j = 0; j <= i; j += 1) {
      let sum = a[i]?.[j] ?? 0;
      for (let k = 0; k < j; k += 1) sum -= at(i, k) * at(j, k);
      const row = lower[i] ?? [];
      row[j] = i === j ? Math.sqrt(sum) : sum / at(j, j);
    }
  }
  const columns = diagonal(new Array<number>(size).fill(1)).map((unit) => solve(unit, size, at));
  return transpose(columns);
}

function solve(unit: readonly number[], size: number, at: (i: number, j: number) => number): number[] {
  const y: number[] = [];
  for (let i = 0; i < size; i += 1) {
    let sum = unit[i] ?? 0;
    for (let k = 0; k < i; k += 1) sum -= at(i, k) * (y[k] ?? 0);
    y.push(sum / at(i, i));
  }
  const x = new Array<number>(size).fill(0);
  for (let i = size - 1; i >= 0; i -= 1) {
    let sum = y[i] ?? 0;
    for (let k = i + 1; k < size; k += 1) sum -= at(k, i) * (x[k] ?? 0);
    x[i] = sum / at(i, i);
  }
  return x;
}
