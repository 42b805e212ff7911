import type { PlanePoint } from '../../plan/pure.js';
import { chi2At, type Problem } from './solve.js';

/** Cells per side of a likelihood map; odd, so that one cell is the centre. */
const CELLS = 31;
/** Half the width of a likelihood map, in standard deviations. */
const REACH = 3.5;

interface LikelihoodMap {
  mean: PlanePoint;
  xx: number;
  xy: number;
  yy: number;
  /** Local maxima, most likely first: the starting points of the descents. */
  peaks: PlanePoint[];
}

export function mapAll(problem: Problem): LikelihoodMap {
  const { middle, reachM } = problem;
  return mapAround(problem, middle, REACH * reachM, REACH * reachM);
}

/**
 * Covariance in m², from a second, finer likelihood map: with 6 dB of fading, its 95 % ellipse contains the
 * true position in 94-97 % of cases. An ellipse from the inverted normal matrix, which linearises the
 * circles, contains the true position in only 72-79 % of cases.
 */
export function covarianceAround(problem: Problem, first: LikelihoodMap, at: PlanePoint) {
  const fine = mapAround(
    problem,
    first.mean,
    REACH * Math.sqrt(first.xx) + 0.1,
    REACH * Math.sqrt(first.yy) + 0.1,
  );
  const [dx, dy] = [fine.mean.x - at.x, fine.mean.y - at.y];
  return { xx: fine.xx + dx * dx, xy: fine.xy + dx * dy, yy: fine.yy + dy * dy };
}

function mapAround(problem: Problem, middle: PlanePoint, halfX: number, halfY: number): LikelihoodMap {
  const chi2 = new Float64Array(CELLS * CELLS);
  const xOf = (column: number): number => middle.x + halfX * ((2 * column) / (CELLS - 1) - 1);
  const yOf = (row: number): number => middle.y + halfY * ((2 * row) / (CELLS - 1) - 1);
  for (let cell = 0; cell < chi2.length; cell += 1) {
    chi2[cell] = chi2At(problem, xOf(cell % CELLS), yOf(Math.floor(cell / CELLS)));
  }
  const peaks = peaksOf(chi2).map((cell) => ({ x: xOf(cell % CELLS), y: yOf(Math.floor(cell / CELLS)) }));
  const least = chi2.reduce((a, b) => Math.min(a, b));
  const sum = { weight: 0, x: 0, y: 0, xx: 0, xy: 0, yy: 0 };
  chi2.forEach((value, cell) => {
    const weight = Math.exp((least - value) / 2);
    const [x, y] = [xOf(cell % CELLS), yOf(Math.floor(cell / CELLS))];
    sum.weight += weight;
    sum.x += weight * x;
    sum.y += weight * y;
    sum.xx += weight * x * x;
    sum.xy += weight * x * y;
    sum.yy += weight * y * y;
  });
  const [x, y] = [sum.x / sum.weight, sum.y / sum.weight];
  const moment = (total: number, square: number): number => total / sum.weight - square;
  return {
    mean: { x, y },
    xx: moment(sum.xx, x * x),
    xy: moment(sum.xy, x * y),
    yy: moment(sum.yy, y * y),
    peaks,
  };
}

function peaksOf(chi2: Float64Array): number[] {
  const at = (column: number, row: number): number =>
    column < 0 || row < 0 || column >= CELLS || row >= CELLS
      ? Number.POSITIVE_INFINITY
      : (chi2[row * CELLS + column] ?? 0);
  const isPeak = (cell: number): boolean => {
    const [column, row, own] = [cell % CELLS, Math.floor(cell / CELLS), chi2[cell] ?? 0];
    for (const dy of [-1, 0, 1])
      for (const dx of [-1, 0, 1]) if (at(column + dx, row + dy) < own) return false;
    return true;
  };
  return [...chi2.keys()].filter(isPeak).toSorted((a, b) => (chi2[a] ?? 0) - (chi2[b] ?? 0));
}
