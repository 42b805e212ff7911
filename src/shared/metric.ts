/** What is measured, as Prometheus knows it: https://prometheus.io/docs/concepts/metric_types/ */
export interface MetricFamily {
  /** With its unit, in Prometheus' own: seconds, bytes, metres; a counter ends in `_total`. */
  name: string;
  help: string;
  type: 'counter' | 'gauge' | 'histogram';
  samples: readonly MetricSample[];
}

export type Labels = Readonly<Record<string, string>>;

interface MetricSample {
  labels: Labels;
  value: number;
  /** Behind the family's name, for the parts of a histogram: `_bucket`, `_sum`, `_count`. */
  suffix?: string;
}

type Values = number | readonly (readonly [labels: Labels, value: number])[];

/** A number that goes up and down. One number, or one for each set of labels. */
export function gauge(name: string, help: string, values: Values): MetricFamily {
  return { name, help, type: 'gauge', samples: samplesOf(values) };
}

/** A number that only grows until the process ends. */
export function counter(name: string, help: string, values: Values): MetricFamily {
  return { name, help, type: 'counter', samples: samplesOf(values) };
}

/** How often durations were how long. */
export function histogram(
  name: string,
  help: string,
  rows: readonly (readonly [labels: Labels, durations: Durations])[],
): MetricFamily {
  const samples = rows.flatMap(([labels, durations]) => durations.samples(labels));
  return { name, help, type: 'histogram', samples };
}

/** 1 or 0: Prometheus has no truth values. */
export function bit(isSo: boolean): number {
  return isSo ? 1 : 0;
}

function samplesOf(values: Values): MetricSample[] {
  if (typeof values === 'number') return [{ labels: {}, value: values }];
  return values.map(([labels, value]) => ({ labels, value }));
}

/** A word that comes from outside must not fill the memory with counters. */
const MAX_ROWS = 1000;

/** Counts by a word or a few. */
export class Tally {
  readonly #counts = new Map<string, number>();

  add(...words: readonly string[]): void {
    const key = words.join('\n');
    const count = this.#counts.get(key);
    if (count === undefined && this.#counts.size >= MAX_ROWS) return;
    this.#counts.set(key, (count ?? 0) + 1);
  }

  /** One row for each set of words, as labels with these names. */
  rows(...names: readonly string[]): [Labels, number][] {
    return [...this.#counts].map(([key, count]) => {
      const words = key.split('\n');
      return [Object.fromEntries(names.map((name, at) => [name, words[at] ?? ''])), count];
    });
  }
}

/** Durations sorted into buckets: one addition each, whatever their number. */
export class Durations {
  readonly #boundsS: readonly number[];
  readonly #counts: number[];
  #sumS = 0;

  /** @param boundsS upper ends of the buckets in seconds, rising. */
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

  /** Each bucket counts all that is not longer, as Prometheus wants it. */
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
