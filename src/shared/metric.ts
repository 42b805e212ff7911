/** A Prometheus metric: https://prometheus.io/docs/concepts/metric_types/ */
export interface MetricFamily {
  /** Ends with the base unit (seconds, bytes, metres), followed by `_total` for a counter. */
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram';
  samples: readonly MetricSample[];
}

export type Labels = Readonly<Record<string, string>>;

interface MetricSample {
  labels: Labels;
  value: number;
  suffix?: string;
}

type Values = number | readonly (readonly [labels: Labels, value: number])[];

export function gauge(name: string, help: string, values: Values): MetricFamily {
  return { name, help, type: 'gauge', samples: samplesOf(values) };
}

export function counter(name: string, help: string, values: Values): MetricFamily {
  return { name, help, type: 'counter', samples: samplesOf(values) };
}

export function histogram(
  name: string,
  help: string,
  rows: readonly (readonly [labels: Labels, durations: Durations])[],
): MetricFamily {
  const samples = rows.flatMap(([labels, durations]) => durations.samples(labels));
  return { name, help, type: 'histogram', samples };
}

/** Returns 1 or 0, because Prometheus has no booleans. */
export function bit(value: boolean): number {
  return value ? 1 : 0;
}

function samplesOf(values: Values): MetricSample[] {
  if (typeof values === 'number') return [{ labels: {}, value: values }];
  return values.map(([labels, value]) => ({ labels, value }));
}

/** Maximum number of label combinations, because label values from requests could exhaust the memory. */
const MAX_ROWS = 1000;

export class Tally {
  readonly #counts = new Map<string, number>();

  add(...values: readonly string[]): void {
    const key = values.join('\n');
    const count = this.#counts.get(key);
    if (count === undefined && this.#counts.size >= MAX_ROWS) return;
    this.#counts.set(key, (count ?? 0) + 1);
  }

  /** Returns one row for each combination of label values. `names` are the label names. */
  rows(...names: readonly string[]): [Labels, number][] {
    return [...this.#counts].map(([key, count]) => {
      const values = key.split('\n');
      return [Object.fromEntries(names.map((name, at) => [name, values[at] ?? ''])), count];
    });
  }
}

/** A histogram of durations with constant memory use. */
export class Durations {
  readonly #boundsS: readonly number[];
  readonly #counts: number[];
  #sumS = 0;

  /** @param boundsS upper bounds of the buckets in seconds, in ascending order. */
  constructor(boundsS: readonly number[]) {
    this.#boundsS = boundsS;
    this.#counts = new Array<number>(boundsS.length + 1).fill(0);
  }

  record(ms: number): void {
    const at = this.#boundsS.findIndex((boundS) => ms <= boundS * 1000);
    const bucket = at < 0 ? this.#boundsS.length : at;
    this.#counts[bucket] = (this.#counts[bucket] ?? 0) + 1;
    this.#sumS += ms / 1000;
  }

  /** Buckets are cumulative, as Prometheus requires. */
  samples(labels: Labels): MetricSample[] {
    let count = 0;
    const buckets = this.#counts.map((own, at) => {
      count += own;
      const le = String(this.#boundsS[at] ?? '+Inf');
      return { labels: { ...labels, le }, value: count, suffix: '_bucket' };
    });
    return [
      ...buckets,
      { labels, value: this.#sumS, suffix: '_sum' },
      { labels, value: count, suffix: '_count' },
    ];
  }
}
