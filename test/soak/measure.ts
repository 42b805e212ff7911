import { readdir, readFile } from 'node:fs/promises';

/** One look at a process. */
export interface Sample {
  rssKb: number;
  descriptors: number;
}

export async function sample(pid: number): Promise<Sample> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const descriptors = await readdir(`/proc/${pid}/fd`);
  return { rssKb: Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]), descriptors: descriptors.length };
}

/** Growth in percent from the first to the last quarter, of the median of each: what comes and goes does not count. */
export function growthPercent(values: readonly number[]): number {
  const quarter = Math.max(1, Math.floor(values.length / 4));
  const [first, last] = [median(values.slice(0, quarter)), median(values.slice(-quarter))];
  return ((last - first) / first) * 100;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** How many of a Prometheus histogram lie above a bound that is one of its buckets, and how many there are. */
export function above(metrics: string, name: string, bound: number): { above: number; all: number } {
  const counts = [...metrics.matchAll(new RegExp(`^${name}_bucket\\{([^}]*)\\} (\\d+)`, 'gm'))];
  const of = (le: string): number => Number(counts.find(([, labels]) => labels?.includes(`le="${le}"`))?.[2]);
  const all = of('+Inf');
  return { above: all - of(String(bound)), all };
}
