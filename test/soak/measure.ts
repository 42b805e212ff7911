import { readdir, readFile } from 'node:fs/promises';

export interface Sample {
  rssKb: number;
  descriptors: number;
}

export async function sample(pid: number): Promise<Sample> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const descriptors = await readdir(`/proc/${pid}/fd`);
  return { rssKb: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]), descriptors: descriptors.length };
}

/**
 * Growth of a straight line fitted to all values by least squares, as a percentage of the line's first value,
 * so that temporary changes are ignored.
 */
export function growthPercent(values: readonly number[]): number {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  let [along, square] = [0, 0];
  for (const [at, value] of values.entries()) {
    along += (at - middle) * (value - mean);
    square += (at - middle) ** 2;
  }
  const rise = (along / square) * middle;
  return ((2 * rise) / (mean - rise)) * 100;
}

/**
 * Lowest value in the last quarter minus the lowest value in the first quarter. The difference includes
 * descriptors left open but not temporary ones.
 */
export function floorRise(values: readonly number[]): number {
  const quarter = Math.ceil(values.length / 4);
  return Math.min(...values.slice(-quarter)) - Math.min(...values.slice(0, quarter));
}

/**
 * Returns the number of values in a Prometheus histogram above a bucket boundary, and the total number of
 * values.
 */
export function above(metrics: string, name: string, bound: number): { above: number; all: number } {
  const counts = [...metrics.matchAll(new RegExp(`^${name}_bucket\\{([^}]*)\\} (\\d+)`, 'gm'))];
  const of = (le: string): number => Number(counts.find(([, labels]) => labels?.includes(`le="${le}"`))?.[2]);
  const all = of('+Inf');
  return { above: all - of(String(bound)), all };
}
