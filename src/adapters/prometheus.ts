import { createRequire } from 'node:module';
import type { Metric, Registry } from 'prom-client';
import type { MetricFamily } from '../shared/metric.js';

export interface Exposition {
  contentType: string;
  text: string;
}

/** Only the registry is loaded, because loading all of prom-client would block the heartbeats for 50 ms. */
const REGISTRY = 'prom-client/lib/registry.js';
let loaded: typeof Registry | undefined;

export async function expositionOf(families: readonly MetricFamily[]): Promise<Exposition> {
  loaded ??= createRequire(import.meta.url)(REGISTRY) as typeof Registry;
  const registry = new loaded();
  for (const family of families) registry.registerMetric(asMetric(family));
  return { contentType: registry.contentType, text: await registry.metrics() };
}

function asMetric({ name, help, type, samples }: MetricFamily): Metric {
  const values = samples.map(({ suffix = '', ...sample }) => ({ ...sample, metricName: name + suffix }));
  return { name, get: () => Promise.resolve({ name, help, type, values }) } as unknown as Metric;
}
