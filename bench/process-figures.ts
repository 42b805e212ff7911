import { readdirSync, readFileSync } from 'node:fs';

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Returns the `q` quantile of the values without interpolation; NaN for an empty list. */
export function quantile(values: readonly number[], q: number): number {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * q))] ?? NaN;
}

/**
 * Returns the processor time, in s, that the scheduler has counted for all threads of a process. The counters
 * in /proc/<pid>/stat would count even a short wake-up as a whole tick.
 */
export function processorS(pid: number): number {
  const nanoseconds = readdirSync(`/proc/${pid}/task`).map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]),
  );
  return nanoseconds.reduce((sum, ns) => sum + ns, 0) / 1e9;
}

/**
 * Returns the result of `job` and the processor time that the process used during `job`, as a percentage of one core.
 */
export async function processorOf<T>(pid: number, job: Promise<T>): Promise<{ result: T; cpu: number }> {
  const [beforeS, beforeMs] = [processorS(pid), performance.now()];
  const result = await job;
  return { result, cpu: ((processorS(pid) - beforeS) * 100_000) / (performance.now() - beforeMs) };
}

export function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}
