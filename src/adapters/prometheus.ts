import { createRequire } from 'node:module';
import type { Metric, Registry } from 'prom-client';
import type { MetricFamily } from '../shared/metric.js';

/** One answer to a scrape. */
export interface Exposition {
  contentType: string;
  text: string;
}

/**
 * The registry alone, and only at the first scrape: the whole of prom-client takes 50 ms to load, on the thread that
 * keeps a cart alive, and brings metrics of the process that would have to run timers of their own.
 */
const REGISTRY = 'prom-client/lib/registry.js';
let loaded: typeof Registry | undefined;

/** Writes metrics in Prometheus' text format. */
export async function expositionOf(families: readonly MetricFamily[]): Promise<Exposition> {
  loaded ??= createRequire(import.meta.url)(REGISTRY) as typeof Registry;
  const registry = new loaded();
  for (const family of families) registry.registerMetric(asMetric(family));
  return { contentType: registry.contentType, text: await registry.metrics() };
}

/** The two members of a metric that its registry asks for; the numbers are counted elsewhere already. */
function asMetric({ name, help, type, samples }: MetricFamily): Metric {
  const values = samples.map(({ suffix = '', ...sample }) => ({ ...sample, metricName: name + suffix }));
  return { name, get: () => Promise.resolve({ name, help, type, values }) } as unknown as Metric;
}
